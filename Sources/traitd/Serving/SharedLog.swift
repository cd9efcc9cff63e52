// The log that several servers share, as `traitd serve` opens and follows it.

import ArgumentParser
import EtcdLog
import Logging
import SessionLog
import SessionViews
import TraitService
import TraitSessions

enum SharedLog {
    /// Reads the log. Blocks until all of it is there.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func open(
        _ options: EtcdLogOptions, replica: String?, _ logger: Logger
    ) throws -> EtcdLog {
        let start = ContinuousClock.now
        var options = options
        options.versions = SessionHeader.versions
        options.replica = replica
        do throws(LogFailure) {
            let log = try EtcdLog(options)
            let sessions = try log.sessions().count
            logger.info(
                "log in etcd opened",
                metadata: [
                    "endpoints": "\(options.endpoints.joined(separator: " "))",
                    "prefix": "\(options.prefix)", "replica": "\(log.contact?.replica ?? "")",
                    "sessions": "\(sessions)",
                    "seconds": "\(DataStore.rounded(start.duration(to: .now)))",
                ])
            return log
        } catch {
            logger.critical("the log in etcd cannot be read: \(error.reason)")
            throw ExitCode(Exit.code(of: error))
        }
    }

    /// Loads the sessions, and keeps them at the heads of the log from then on. Blocks until all are loaded.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func follow(
        with service: TraitService, _ progress: ProgressOptions, _ logger: Logger
    ) throws {
        let start = ContinuousClock.now
        let ticker = DataStore.showStart(of: service, progress, logger)
        defer {
            withExtendedLifetime(ticker) {}
            ProgressLine.erase()
        }
        do {
            try service.followLog { failure in
                var facts: Logger.Metadata = [
                    "session": "\(failure.session)", "revision": "\(failure.revision)",
                    "reason": "\(failure.reason)",
                ]
                if let evidence = failure.evidence {
                    facts["entry"] = "\(evidence.entry)"
                    facts["entryBytes"] = "\(evidence.entryBytes)"
                    facts["digestBefore"] = "\(evidence.digestBefore)"
                }
                switch failure.cause {
                case .damaged, .unsupported:
                    logger.error(
                        "a session cannot follow its log, and stays before that revision",
                        metadata: facts)
                case .refused:
                    logger.error(
                        "a session stays before the revision that --refuse names",
                        metadata: facts)
                case .unavailable, .outOfMemory:
                    logger.warning("a session is behind its log, and tries again", metadata: facts)
                }
            }
        } catch {
            logger.critical("the log in etcd cannot be followed: \(error)")
            throw ExitCode(Exit.code(of: error))
        }
        logger.info(
            "sessions read",
            metadata: [
                "progress": "\(service.startProgress)",
                "seconds": "\(DataStore.rounded(start.duration(to: .now)))",
            ])
    }
}
