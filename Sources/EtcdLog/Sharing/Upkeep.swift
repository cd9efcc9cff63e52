// The work that recurs: a comparison of all heads, which finds what the watch has lost, the
// size of etcd's database, the removal of sessions that ended a while ago, and etcd's compaction. Each process
// does it; doing it twice does no harm.

import Background
import SessionLog
import Synchronization

final class Upkeep: Sendable {
    private let reader: RowReader
    private let confirmer: Confirmer
    private let isClosed = Atomic(false)
    private let wake = Signal()
    /// When the comparison of all heads began that is under way, and the newest one that ended well.
    private let sweeps = Mutex<(under: Uptime?, done: Uptime)>(
        (nil, .now))
    /// The members, and whether each has answered when it was asked last.
    private let asked = Mutex<[(name: String, isUp: Bool)]>([])
    /// Revisions of etcd by the time at which they were the newest, oldest first.
    private let passed = Mutex<[(at: Uptime, revision: Int64)]>([])

    init(_ reader: RowReader, _ confirmer: Confirmer) {
        self.reader = reader
        self.confirmer = confirmer
    }

    /// How long the comparison of all heads takes that is under way; zero for none.
    var lag: Duration { sweeps.withLock { $0.under?.duration(to: .now) ?? .zero } }

    /// At most so long ago the mirror had everything.
    var age: Duration { sweeps.withLock { $0.done.duration(to: .now) } }

    /// The members, and whether each has answered when it was asked last; empty before.
    var members: [(name: String, isUp: Bool)] { asked.withLock(\.self) }

    /// - Returns: whether the system starts the thread.
    func start() -> Bool { LogThread.start { self.run() } }

    func close() {
        isClosed.store(true, ordering: .relaxed)
        wake.signal()
    }

    // MARK: - Its own thread

    private func run() {
        while true {
            _ = wake.wait(atMost: reader.client.options.sweepEvery)
            if isClosed.load(ordering: .relaxed) { return }
            sweep()
            do throws(LogFailure) {
                try clean()
            } catch {
                // Another process may have compacted further, and what failed is tried again.
            }
        }
    }

    /// A failure is reported to those that ask; the next sweep finds the rest.
    private func sweep() {
        var question = LogQuestion()
        question.wantsAllHeads = true
        let isOver = Signal()
        let began = Uptime.now
        sweeps.withLock { $0.under = began }
        confirmer.confirm(question) { [self] result in
            if case .success = result { sweeps.withLock { $0.done = began } }
            isOver.signal()
        }
        isOver.wait()
        sweeps.withLock { $0.under = nil }
    }

    private func clean() throws(LogFailure) {
        let (client, options) = (reader.client, reader.client.options)
        for session in reader.mirror.sessions(endedFor: options.forgetAfter) {
            try reader.forget(session)
        }
        guard let status = askMembers() else { return }
        reader.space.take(status)
        guard let age = reader.space.compaction, let old = next(status.revision, age) else {
            return
        }
        _ = try client.ask("/v3/kv/compaction", EtcdRequest.compaction(to: old))
    }

    /// Asks each member for its status.
    ///
    /// - Returns: the newest status; nil when no member answers.
    private func askMembers() -> EtcdAnswer? {
        var newest: EtcdAnswer?
        let members = reader.client.endpoints.map { endpoint in
            do throws(EtcdFailure) {
                let status = try reader.client.ask(
                    endpoint, "/v3/maintenance/status", Array("{}".utf8),
                    within: reader.client.options.firstTry)
                try reader.client.check(clusterID: status.clusterID, of: endpoint)
                if status.revision >= newest?.revision ?? 0 { newest = status }
                return (name: endpoint, isUp: true)
            } catch {
                return (name: endpoint, isUp: false)
            }
        }
        asked.withLock { $0 = members }
        return newest
    }

    /// The revision to compact to: the newest one that is old enough, at most every half of that age.
    private func next(_ revision: Int64, _ age: Duration) -> Int64? {
        passed.withLock { passed in
            let now = Uptime.now
            passed.append((now, revision))
            guard let oldest = passed.first, oldest.at.duration(to: now) >= age * 1.5 else {
                return nil
            }
            let old = passed.prefix { $0.at.duration(to: now) >= age }
            passed.removeFirst(old.count)
            return old.last?.revision
        }
    }
}
