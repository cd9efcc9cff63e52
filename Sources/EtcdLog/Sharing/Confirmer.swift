// Finds out where sessions are, whoever has appended last: reads heads from etcd, and brings the mirror and
// its followers up to them. One confirmation is under way at a time; questions that arrive meanwhile share
// the next one.

import Background
import SessionLog
import Synchronization

final class Confirmer: Sendable {
    typealias Then = @Sendable (Result<LogHeads, LogFailure>) -> Void

    private struct State {
        var waiting: [(question: LogQuestion, then: Then)] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrival = Signal()
    private let reader: RowReader
    private let watcher: Watcher
    private let membership: Membership

    /// Names beyond this number are answered from all heads; a transaction has at most 128 operations.
    private static let namesMax = 64
    /// How often a question is asked again because sessions were made or ended meanwhile.
    private static let roundsMax = 16

    init(_ reader: RowReader, _ watcher: Watcher, _ membership: Membership) {
        self.reader = reader
        self.watcher = watcher
        self.membership = membership
    }

    /// - Returns: whether the system starts the thread.
    func start() -> Bool { LogThread.start { self.run() } }

    func close() {
        state.withLock { $0.isClosed = true }
        arrival.signal()
    }

    func confirm(_ question: LogQuestion, then: @escaping Then) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append((question, then)) }
            return state.isClosed
        }
        if isClosed { return then(.failure(Self.closed)) }
        arrival.signal()
    }

    private static let closed = LogFailure(.unavailable, "the log is closed")

    // MARK: - Its own thread

    /// All heads, as of one revision of etcd.
    private struct HeadTable {
        var heads: [String: Head] = [:]
        var revision: Int64 = 0
    }

    private func run() {
        var table = HeadTable()
        var board = LeaseBoard(reader, membership)
        while true {
            arrival.wait()
            let (asked, isClosed) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.isClosed)
            }
            if isClosed {
                for (_, then) in asked { then(.failure(Self.closed)) }
                return
            }
            if !asked.isEmpty { answer(asked, &table, &board) }
        }
    }

    private func answer(
        _ asked: [(question: LogQuestion, then: Then)], _ table: inout HeadTable,
        _ board: inout LeaseBoard
    ) {
        var question = LogQuestion()
        for (one, _) in asked { question.add(one) }
        if question.names.count > Self.namesMax { question.wantsAllHeads = true }
        let result = ask(question, &table, &board)
        for (one, then) in asked {
            then(
                result.map { all in
                    if one.wantsAllHeads { return all }
                    var heads = LogHeads()
                    heads.leases = all.leases
                    heads.untold = all.untold
                    for name in one.names { heads.byName[name] = all.byName[name] }
                    return heads
                })
        }
    }

    private func ask(
        _ question: LogQuestion, _ table: inout HeadTable, _ board: inout LeaseBoard
    ) -> Result<LogHeads, LogFailure> {
        do throws(LogFailure) {
            let untold = try board.tell(question.leaseNotes)
            let leases = question.wantsLeases ? try board.read() : nil
            var heads = question.wantsHeads ? try heads(question, &table) : LogHeads()
            heads.leases = leases
            heads.untold = untold
            return .success(heads)
        } catch {
            return .failure(error)
        }
    }

    private func heads(
        _ asked: LogQuestion, _ table: inout HeadTable
    ) throws(LogFailure) -> LogHeads {
        var question = asked
        /// The sessions that seem to have the names.
        var holders: [String: String] = [:]
        for name in question.names { holders[name] = reader.mirror.session(named: name)?.uid }
        for _ in 0..<Self.roundsMax {
            var round = Round(question, holders, since: table.revision &+ 1)
            let known = question.wantsAllHeads ? reader.mirror.heads : knownHeads(of: holders)
            let answer = try reader.client.ask("/v3/kv/txn", round.request(reader.keys))
            round.read(answer, reader.keys)
            for (uid, failure) in round.failures { reader.mirror.fail(uid, failure) }
            var targets = round.targets
            if question.wantsAllHeads {
                for (uid, head) in round.changed { table.heads[uid] = head }
                guard table.heads.count == round.headCount else {
                    // Sessions were forgotten. All heads are read anew, and tell which.
                    table = HeadTable()
                    continue
                }
                if table.revision == 0 {
                    for uid in reader.mirror.uids where table.heads[uid] == nil {
                        targets.updateValue(nil, forKey: uid)
                    }
                }
            }
            // Known before the question was asked, so what is newer than a head now was lost. A head that was restored
            // has not changed since the table was read.
            let wentBack =
                question.wantsAllHeads
                ? table.heads.contains { uid, head in head.revision < known[uid] ?? 0 }
                : targets.contains { uid, head in (head?.revision ?? .max) < known[uid] ?? 0 }
            if wentBack { throw reader.client.closeAsRestored().logFailure }
            try bring(targets)
            for (uid, list) in round.lists { reader.mirror.note(list, of: uid) }
            if question.wantsAllHeads {
                // Not before the mirror has them: after a failure they are read again.
                table.revision = answer.revision
                return live(table.heads)
            }
            if round.listChangedAt > table.revision {
                question.wantsAllHeads = true
                continue
            }
            if round.isSettled { return round.heads }
            holders = round.holders
        }
        throw LogFailure(.unavailable, "sessions are made and ended too quickly for an answer")
    }

    private func knownHeads(of holders: [String: String]) -> [String: Int64] {
        var known: [String: Int64] = [:]
        for uid in holders.values { known[uid] = reader.mirror.readableHead(of: uid) }
        return known
    }

    private func live(_ heads: [String: Head]) -> LogHeads {
        var live = LogHeads()
        for (uid, head) in heads where !head.isDeleted {
            // A head may be changed by a stranger; the name of a session never changes.
            let name = reader.mirror.name(of: uid) ?? head.name
            live.byName[name] = LogHead(
                session: LogSession(name: name, uid: uid), revision: head.revision)
        }
        return live
    }

    /// Waits until followers were told everything up to these heads.
    private func bring(_ targets: [String: Head?]) throws(LogFailure) {
        var heads: [String: Head] = [:]
        for (uid, head) in targets {
            // The session is forgotten. The mirror may not know that it has ended.
            if let head { heads[uid] = head } else { try reader.catchUp(uid) }
        }
        let behind = reader.mirror.wait(for: heads, atMost: reader.client.options.watchPatience)
        if behind.isEmpty { return }
        watcher.move()
        for uid in behind { try reader.catchUp(uid) }
    }
}
