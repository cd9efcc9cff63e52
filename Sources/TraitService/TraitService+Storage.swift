// The sessions of a log on disk: they are read when the server starts, and served when all are loaded.

import SessionLog
import TraitSessions

extension TraitService {
    /// Has requests about sessions wait from now on, until `openSessions` has returned and
    /// `finishStart` is called.
    package func beginStart() { store.beginStart() }

    /// Rebuilds every session that the log has. Blocks until all are loaded.
    ///
    /// - Throws: what cannot be rebuilt, with session and revision.
    package func openSessions() throws(ReplayError) { try store.openAll() }

    /// Loads every session that a shared log has, and keeps the sessions at its heads from then on. Blocks until all
    /// are loaded.
    ///
    /// - Parameter onFailure: called with a session's name and the reason whenever the session cannot follow.
    /// - Throws: the log's failure.
    package func followLog(
        onFailure: @escaping @Sendable (String, String) -> Void
    ) throws {
        try store.openAll()
        try store.follow { onFailure($0.session, $0.reason) }
        store.finishFollowing()
    }

    /// How far the start is, in words.
    package var startProgress: String { store.start.text(now: environment.uptime()) }

    /// Lets the requests that waited run.
    package func finishStart() { store.finishStart() }

    /// Refuses the requests that waited, and those that still come, since the process ends.
    package func abandonStart() {
        readiness.drain()
        store.abandonStart()
    }

    /// The statistics of the log; nil without a log.
    package var logStatistics: LogStatistics? { store.log?.statistics }

    /// Why sessions cannot be read or written as they should; nil when they can.
    package var storageTrouble: Problem? {
        if store.isStarting {
            return Problem(.starting, "The server is reading its sessions: \(startProgress).")
        }
        return store.log?.trouble.map {
            Problem(
                .logUnavailable,
                "The log takes no more commits: \($0). Reads go on; start the server again.")
        }
    }
}
