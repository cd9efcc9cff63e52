// Replays each session for `traitd recover`, and writes only what replays. So a server can start with the
// new directory, and a session that cannot be kept does not affect the others.

import JSONCodec
import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

struct Recovery {
    let log: SQLiteLog
    /// The names of sessions whose whole entries do not all replay.
    private(set) var unreplayed: [String] = []
    /// The first failure that says nothing about what is stored: of a write, or of memory. Sessions behind it
    /// are tried all the same.
    private(set) var failure: LogFailure?
    /// That a line about a session could not be written.
    private(set) var unwritten: Fault?
    /// The first session that another version wrote. Nothing is damaged then, and nothing can be kept.
    private(set) var unsupported: ReplayError?

    /// Whether any session may have lost more than there is a sign of.
    private let mayLackEntries: Bool

    private let line: ProgressLine

    init(log: SQLiteLog, _ salvage: Salvage, _ line: ProgressLine) {
        self.line = line
        self.log = log
        mayLackEntries = salvage.mayLackEntries
    }

    /// Writes all sessions, and prints of each what is kept.
    mutating func keep(_ sessions: [SalvagedSession]) {
        var named: [(session: LogSession, saved: SalvagedSession)] = []
        for saved in sessions {
            do throws(LogFailure) {
                if let session = try Self.session(of: saved) {
                    named.append((session, saved))
                    continue
                }
                unreplayed.append("number \(saved.number)")
                print("NOT KEPT: the session with number \(saved.number): it has no header")
            } catch {
                note(error)
            }
        }
        // A name is free for another session only when its session is deleted.
        let newest = Dictionary(named.map { ($0.session.name, $0.session) }) { _, later in later }
        for (number, (session, saved)) in named.enumerated() {
            line.show(number)
            if let holder = newest[session.name], holder != session {
                print("deleted: \(session.name)  uid \(session.uid); \(holder.uid) has its name")
            } else {
                keep(saved, as: session)
            }
        }
    }

    private mutating func print(_ text: String) {
        ProgressLine.erase()
        do throws(Fault) {
            try printLine(text)
        } catch {
            if unwritten == nil { unwritten = error }
        }
    }

    private mutating func note(_ found: LogFailure) {
        if failure == nil { failure = found }
    }

    private mutating func keep(_ saved: SalvagedSession, as session: LogSession) {
        let (found, refusal) = replayable(saved, as: session)
        if let refusal {
            switch refusal.cause {
            case .unavailable: return note(LogFailure(.unavailable, refusal.description))
            case .outOfMemory: return note(LogFailure(.outOfMemory, refusal.description))
            case .unsupported:
                if unsupported == nil { unsupported = refusal }
                return
            // Only a server with --refuse refuses.
            case .damaged, .refused:
                unreplayed.append(session.name)
                print("lost: \(refusal.description)")
            }
        }
        guard let found else {
            print("NOT KEPT: \(session.name)  uid \(session.uid)")
            return
        }
        var head = found.head
        var kept = session
        do throws(LogFailure) {
            if mayLackEntries || refusal != nil || saved.newestSeen > head {
                kept = try writeRenewed(found, of: session)
            } else {
                try write(found, as: session)
            }
        } catch {
            note(error)
            // The entries that were written replay, as a part of `found`, which replays.
            let bounds = try? log.bounds(of: session)
            head = (bounds ?? nil)?.head ?? 0
            print("lost: \(error.reason)")
            if head == 0 { return print("NOT KEPT: \(session.name)  uid \(session.uid)") }
        }
        print(
            "kept: \(kept.name)  uid \(kept.uid)  through revision \(head)"
                + losses(of: saved, behind: head))
    }

    private func losses(of saved: SalvagedSession, behind head: Int64) -> String {
        if saved.newestSeen > head {
            return "  LOST: revisions \(head + 1) to \(saved.newestSeen)"
                + (saved.mayLackNewest ? ", and later ones if there were any" : "")
        }
        return saved.mayLackNewest ? "  MAY HAVE LOST: revisions from \(head + 1) on" : ""
    }

    // MARK: - Replaying

    /// The longest part that replays, and why it is not all.
    private func replayable(
        _ saved: SalvagedSession, as session: LogSession
    ) -> (SalvagedBeginning?, ReplayError?) {
        var best: SalvagedBeginning?
        var refusal: ReplayError?
        for beginning in saved.beginnings where beginning.head > (best?.head ?? 0) {
            guard let error = replay(beginning, as: session) else {
                // Another beginning may replay where the first one did not.
                return (beginning, beginning.head == saved.head ? nil : refusal)
            }
            // A beginning that found no memory may be the one that replays.
            if error.cause == .outOfMemory { return (nil, error) }
            if refusal == nil { refusal = error }
            if let part = beginning.part(through: error.revision - 1),
                part.head > (best?.head ?? 0), replay(part, as: session) == nil
            {
                best = part
            }
        }
        return (best, refusal)
    }

    private func replay(
        _ beginning: SalvagedBeginning, as session: LogSession
    ) -> ReplayError? {
        do throws(ReplayError) {
            _ = try Offline.load(session, from: SalvagedLog(session, beginning), line)
            return nil
        } catch {
            return error
        }
    }

    /// The name and uid of a session; when its row is lost, those in the header of its first entry or of a
    /// snapshot (`SessionHeader`).
    private static func session(of saved: SalvagedSession) throws(LogFailure) -> LogSession? {
        if let session = saved.session { return session }
        let tape = JSONTape(
            limits: JSONLimits(
                depthMax: 1_000, documentBytesMax: JSONLimits.documentBytesCeiling,
                valuesMax: JSONLimits.documentBytesCeiling))
        for beginning in saved.beginnings {
            guard let payload = beginning.snapshot?.payload ?? beginning.entries.first?.payload
            else { continue }
            do throws(JSONError) {
                let session = try tape.withDocument(of: payload, refusal: \.self) {
                    json throws(JSONError) -> LogSession? in
                    guard let header = json.member("header"),
                        let name = header.member("name")?.string,
                        let uid = header.member("uid")?.string
                    else { return nil }
                    return LogSession(name: name.string, uid: uid.string)
                }
                if let session { return session }
            } catch {
                guard error.code == .outOfMemory else { continue }
                throw LogFailure(
                    .outOfMemory, "session \(saved.number) cannot be read: \(error.reason)")
            }
        }
        return nil
    }

    // MARK: - Writing

    /// Writes a session that may have lost commits under a uid of its own. With the old one, tokens and
    /// entity tags of lost revisions would fit the commits that get their numbers next.
    private func writeRenewed(
        _ beginning: SalvagedBeginning, of session: LogSession
    ) throws(LogFailure) -> LogSession {
        do {
            let loaded = try Offline.load(
                session, from: SalvagedLog(session, beginning), line)
            let (renewed, snapshot) = try Offline.renewed(loaded, line)
            try log.install(renewed, at: snapshot)
            return renewed
        } catch let failure as LogFailure {
            throw failure
        } catch {
            throw LogFailure(
                Exit.code(of: error) == Exit.refusedBySystem ? .outOfMemory : .unavailable,
                "'\(session.name)' cannot be copied: \(error)")
        }
    }

    private static let entriesAtATime = 1_000

    private func write(
        _ beginning: SalvagedBeginning, as session: LogSession
    ) throws(LogFailure) {
        if let snapshot = beginning.snapshot { try log.install(session, at: snapshot) }
        var entries = beginning.entries[...]
        while !entries.isEmpty {
            let part = Array(entries.prefix(Self.entriesAtATime))
            entries = entries.dropFirst(part.count)
            let result = log.append([
                LogAppend(session: session, entries: part, expecting: part[0].revision - 1)
            ])
            guard result == [.appended] else {
                throw LogFailure(.unavailable, "'\(session.name)' cannot be written: \(result)")
            }
        }
    }
}

extension SalvagedBeginning {
    /// This beginning without the entries behind a revision; nil when nothing is left.
    fileprivate func part(through revision: Int64) -> SalvagedBeginning? {
        let base = snapshot?.revision ?? 0
        guard revision >= max(base, 1) else { return nil }
        return SalvagedBeginning(
            snapshot: snapshot, entries: Array(entries.prefix(Int(clamping: revision - base))))
    }
}
