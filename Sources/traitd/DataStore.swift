// The log on disk, as `traitd serve` and the offline commands open it.

import ArgumentParser
import Background
import Logging
import SQLiteLog
import SessionLog
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

    /// Rebuilds the sessions, and logs its progress once a second.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func openSessions(of service: TraitService, _ logger: Logger) throws {
        let start = ContinuousClock.now
        let ticker = Ticker {
            logger.info("reading sessions", metadata: ["progress": "\(service.startProgress)"])
        }
        defer { withExtendedLifetime(ticker) {} }
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

    /// Seconds with three decimals.
    static func rounded(_ time: Duration) -> Double { (time / .milliseconds(1)).rounded() / 1_000 }
}
