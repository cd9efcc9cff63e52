// The sessions of a log on disk: they are read when the server starts, and served when all are loaded.

import SessionLog
import SessionViews
import TraitSessions

extension TraitService {
    /// Loads every session that a shared log has, and keeps the sessions at its heads from then on. Blocks until all
    /// are loaded.
    ///
    /// - Parameter onFailure: called whenever a session cannot follow.
    /// - Throws: the log's failure.
    package func followLog(onFailure: @escaping @Sendable (ReplayError) -> Void) throws {
        try store.openAll()
        try store.follow(onFailure: onFailure)
        store.finishFollowing()
    }

    /// How far the start is, in words.
    package var startProgress: String { store.start.text(now: environment.uptime()) }

    /// Refuses the requests that waited, and those that still come, since the process ends.
    package func abandonStart() {
        drain()
        store.abandonStart()
    }

    /// Why sessions cannot be read or written as they should; nil when they can.
    package var storageTrouble: Problem? {
        if store.isStarting {
            return Problem(.starting, "The server is reading its sessions: \(startProgress).")
        }
        if let trouble = store.log?.trouble {
            return Problem(
                .logUnavailable,
                "The log takes no more commits: \(trouble). Reads go on; start the server again.")
        }
        return nil
    }

    /// Why a log that servers share cannot be asked; nil when it can.
    package var silenceTrouble: Problem? {
        if let refusal = store.log?.contact?.refusal {
            return Problem(.logRefused, "The log refuses this server: \(refusal).")
        }
        guard let silence = store.log?.contact?.silence, silence > Self.silenceMax else {
            return nil
        }
        return Problem(
            .logUnavailable,
            "The log that servers share has not answered for \(silence.components.seconds) s.")
    }

    /// Why the server shows an old state of a log that it shares; nil when it does not.
    var lagTrouble: Problem? {
        guard let lag = store.log?.contact?.lag, lag > Self.lagMax else { return nil }
        return Problem(
            .logUnavailable,
            "The server has been reading what others have written for \(lag.components.seconds) s.")
    }

    /// An election of etcd takes about a second; a server that looks every 10 s has to have had an answer.
    package static let silenceMax = Duration.seconds(15)
    private static let lagMax = Duration.seconds(5)
}
