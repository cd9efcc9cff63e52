// The log on disk, as `traitd serve` and the offline commands open it.

import ArgumentParser
import Background
import Logging
import SQLiteLog
import SessionLog
import SessionViews
import Synchronization
import TraitService
import TraitSessions

enum DataStore {
    /// Opens the log in a data directory, and says what was found.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func open(
        _ path: String, minFreeDisk: Int = 0, creates: Bool = true, isPartial: Bool = false,
        unproved: Unproved = .refused, _ logger: Logger
    ) throws -> SQLiteLog {
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = Int64(minFreeDisk)
        options.createsDirectory = creates
        options.isPartial = isPartial
        options.unproved = unproved
        let log: SQLiteLog
        do throws(LogFailure) {
            log = try SQLiteLog(path: path, options: options)
        } catch {
            logger.critical("\(error.reason)")
            throw ExitCode(Exit.code(of: error))
        }
        let found = log.opening
        logger.info(
            "data directory opened",
            metadata: [
                "path": "\(path)", "sessions": "\(found.sessions)", "entries": "\(found.entries)",
                "sqlite": "\(found.sqliteVersion)", "seconds": "\(rounded(found.time))",
            ])
        if let reason = found.unproved { logger.warning("\(reason)") }
        if found.isFull {
            logger.warning(
                "the disk of the data directory is full; sessions are served, and writes get 507 until it has room"
            )
        }
        for (session, revision) in found.cut {
            logger.warning(
                "an unfinished commit was cut off; no client was told that it succeeded",
                metadata: ["session": "\(session.name)", "revision": "\(revision)"])
        }
        return log
    }

    /// Rebuilds the sessions. Shows how far it is on a terminal, and once a minute in a log.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func openSessions(
        of service: TraitService, _ progress: ProgressOptions, _ logger: Logger
    ) throws {
        let start = ContinuousClock.now
        let ticker = showStart(of: service, progress, logger)
        defer {
            withExtendedLifetime(ticker) {}
            ProgressLine.erase()
        }
        do throws(ReplayError) {
            try service.store.openAll()
        } catch {
            let advice =
                error.cause == .damaged
                ? " Run 'traitd check --data-dir …' for all that is wrong, and restore a backup or run 'traitd recover'."
                : ""
            logger.critical("\(error.description)\(advice)")
            throw ExitCode(Exit.code(of: error))
        }
        logger.info(
            "sessions read",
            metadata: [
                "progress": "\(service.startProgress)",
                "seconds": "\(rounded(start.duration(to: .now)))",
            ])
    }

    /// Shows how far the reading of sessions is, as long as the ticker is there.
    static func showStart(
        of service: TraitService, _ progress: ProgressOptions, _ logger: Logger
    ) -> Ticker {
        let start = service.store.start
        // Only the ticker uses the line, which goes away with it.
        let line = ProgressLine("reading sessions", .sessions, total: nil, progress) { _ in
            logger.info("reading sessions", metadata: ["progress": "\(service.startProgress)"])
        }
        return Ticker {
            line.show(
                start.sessionsDone.load(ordering: .relaxed),
                of: start.sessions.load(ordering: .relaxed),
                made: start.entries.load(ordering: .relaxed))
        }
    }

    /// Seconds with three decimals.
    static func rounded(_ time: Duration) -> Double { (time / .milliseconds(1)).rounded() / 1_000 }
}
