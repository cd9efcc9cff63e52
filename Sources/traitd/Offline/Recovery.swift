// Replays each session of a damaged directory to its last good entry for `traitd recover`, and writes
// what is reached into a new log. So a server can start with the new directory, and a session that
// cannot be kept does not affect the others.

import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

struct Recovery {
    let salvage: Salvage
    let log: SQLiteLog
    let line: ProgressLine
    /// The names of sessions whose whole entries do not all replay.
    private(set) var unreplayed: [String] = []

    init(_ salvage: Salvage, into log: SQLiteLog, _ progress: ProgressOptions) {
        self.salvage = salvage
        self.log = log
        line = ProgressLine(
            "recovering", .sessions, total: salvage.sessions.count, progress)
    }

    /// Writes all sessions, and prints of each what is kept.
    ///
    /// - Throws: the first failure that says nothing about what is stored: of a write, of memory, or that another
    ///   version wrote a session.
    mutating func run() throws {
        // A name is free for another session only when its session is deleted.
        let newest = Dictionary(
            salvage.sessions.compactMap { saved in saved.session.map { ($0.name, $0) } }
        ) { _, later in later }
        for (number, saved) in salvage.sessions.enumerated() {
            line.show(number)
            guard let session = saved.session else {
                unreplayed.append("number \(saved.number)")
                try print(
                    "NOT KEPT: the session with number \(saved.number): it has no header")
                continue
            }
            if let holder = newest[session.name], holder != session {
                try print(
                    "deleted: \(session.name)  uid \(session.uid); \(holder.uid) has its name")
            } else {
                try keep(saved, as: session)
            }
        }
    }

    private func print(_ text: String) throws {
        ProgressLine.erase()
        try printLine(text)
    }

    private mutating func keep(_ saved: SalvagedSession, as session: LogSession) throws {
        let (reached, refusal) = try replay(saved, as: session)
        if let refusal {
            unreplayed.append(session.name)
            try print("lost: \(refusal.description)")
        }
        guard let reached else {
            return try print("NOT KEPT: \(session.name)  uid \(session.uid)")
        }
        let head = reached.withState { $0.head }
        var kept = session
        if salvage.hasLost || refusal != nil || saved.newestSeen > head {
            // With the old uid, tokens and entity tags of lost revisions would fit the commits that get their numbers
            // next.
            let (renewed, snapshot) = try Offline.renewed(reached, line)
            try log.install(renewed, at: snapshot)
            kept = renewed
        } else {
            try copy(session)
        }
        var text = "kept: \(kept.name)  uid \(kept.uid)  through revision \(head)"
        if saved.newestSeen > head {
            text += "  LOST: revisions \(head + 1) to \(saved.newestSeen)"
            text += saved.mayLackNewest ? ", and later ones if there were any" : ""
        } else if saved.mayLackNewest {
            text += "  MAY HAVE LOST: revisions from \(head + 1) on"
        }
        try print(text)
    }

    /// Replays a session from the beginning that leads furthest. Where an entry does not lead to the state that it
    /// says, the session ends before it, unless another beginning leads further.
    ///
    /// - Returns: the state that is reached, and why it is not all.
    private func replay(
        _ saved: SalvagedSession, as session: LogSession
    ) throws -> (reached: Session?, refusal: ReplayError?) {
        var reached: Session?
        var refusal: ReplayError?
        var head: Int64 = 0
        for beginning in saved.beginnings {
            while beginning.head > head {
                salvage.offer(beginning)
                do throws(ReplayError) {
                    reached = try Offline.load(session, from: salvage.log, line)
                    head = beginning.head
                    if head == saved.head { return (reached, nil) }
                } catch {
                    // Only a server with --refuse refuses.
                    guard error.cause == .damaged || error.cause == .refused else { throw error }
                    if refusal == nil { refusal = error }
                    beginning.end(at: min(error.revision, beginning.head) - 1)
                }
            }
        }
        return (reached, refusal)
    }

    private static let entriesAtATime = 1_000

    /// Writes the entries of a session that lacks nothing, with the snapshot before them.
    private func copy(_ session: LogSession) throws(LogFailure) {
        let snapshot = try salvage.log.start(of: session).snapshot
        if let snapshot { try log.install(session, at: snapshot) }
        var revision = snapshot?.revision ?? 0
        while true {
            let entries = try salvage.log.tail(
                of: session, after: revision, limit: Self.entriesAtATime)
            guard let last = entries.last else { return }
            let result = log.append([
                LogAppend(session: session, entries: entries, expecting: revision)
            ])
            guard result == [.appended] else {
                throw LogFailure(.unavailable, "'\(session.name)' cannot be written: \(result)")
            }
            revision = last.revision
        }
    }
}
