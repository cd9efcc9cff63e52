// Follows the rows that any writer puts. One watch for all sessions, on a connection of its own, which begins
// again after each failure where it ended. The watch is the quick way only: confirmations compare heads,
// and read what it did not bring.

import Background
import SessionLog
import Synchronization

final class Watcher: Sendable {
    private struct State {
        var endpoints: Endpoints
        var connection: (any EtcdConnection)?
        /// The revision of etcd from which the next watch follows.
        var next: Int64 = 0
        var isClosed = false
        /// How often a watch ended before the log was closed.
        var restarts: UInt64 = 0
    }

    private let reader: RowReader
    private let state: Mutex<State>

    /// etcd splits longer lines, as requested, at about 2 MiB of rows.
    private static let lineBytesMax = 16_777_216
    /// The time between two watches that failed.
    private static let pause = Duration.milliseconds(100)

    init(_ reader: RowReader) {
        self.reader = reader
        // Another member than the one for requests, so that the two fail independently.
        state = Mutex(State(endpoints: Endpoints(reader.client.options.endpoints, first: 1)))
    }

    /// Follows on a thread of its own.
    ///
    /// - Returns: whether the system starts the thread.
    func start(from revision: Int64) -> Bool {
        state.withLock { $0.next = revision }
        return LogThread.start { self.run() }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.connection?.cancel()
        }
    }

    var restarts: UInt64 { state.withLock { $0.restarts } }

    /// Begins again with another member, as this one is late.
    func move() { state.withLock { $0.connection?.cancel() } }

    private func run() {
        while !state.withLock({ $0.isClosed }), reader.client.closedReason == nil {
            do throws(EtcdFailure) {
                try follow()
            } catch {
                state.withLock { $0.restarts += 1 }
                if error.kind == .compacted { level() }
                if error.kind == .unauthenticated { reader.client.forgetToken() }
                // A session was behind by what the watch lost, and confirmations read it meanwhile.
                // A login costs etcd much, and what is denied stays so for a while.
                let isDenied = error.kind == .denied || error.kind == .unauthenticated
                if error.kind != .closed { Uptime.pause(isDenied ? Self.pause * 10 : Self.pause) }
            }
        }
    }

    private func follow() throws(EtcdFailure) {
        let connection = try reader.client.options.connect()
        let begun = state.withLock { state -> (endpoint: String, next: Int64)? in
            guard !state.isClosed, let endpoint = state.endpoints.now else { return nil }
            state.connection = connection
            return (endpoint, state.next)
        }
        guard let begun else { throw EtcdFailure(.closed, "the log is closed") }
        defer {
            state.withLock { state in
                state.connection = nil
                _ = state.endpoints.fail(begun.endpoint)
            }
        }
        try reader.client.watch(
            reader.keys.rows, from: begun.next, at: begun.endpoint, on: connection,
            lineBytesMax: Self.lineBytesMax
        ) { (line) throws(EtcdFailure) in
            try self.take(line, from: begun.endpoint)
            return true
        }
        throw EtcdFailure(.unanswered, "the watch ended")
    }

    private func take(_ line: [UInt8], from endpoint: String) throws(EtcdFailure) {
        let rows = try WatchLines.rows(
            line,
            check: { (cluster) throws(EtcdFailure) in
                try reader.client.check(clusterID: cluster, of: endpoint)
            }, isKnown: reader.isKnown)
        for value in rows {
            do throws(LogFailure) {
                if !value.value.isEmpty { try reader.take(value) }
            } catch {
                throw EtcdFailure(.unanswered, error.reason)
            }
            // From the same revision again: a line may end within it.
            state.withLock { $0.next = max($0.next, value.changedAt) }
            reader.mirror.notePassed(value.changedAt)
        }
    }

    /// Reads all that the log has after the revisions were compacted from which the watch was to go on.
    private func level() {
        do throws(LogFailure) {
            let answer = try reader.client.ask(
                "/v3/kv/range", EtcdRequest.range(.all(reader.keys.heads)),
                firstTry: RowReader.largeTry)
            var heads: [String: Head] = [:]
            for value in answer.found(at: 0).values {
                guard let uid = Keys.rest(of: value.key, after: reader.keys.heads) else { continue }
                heads[uid] = try? Head(value.value)
            }
            for uid in reader.mirror.behind(heads) { try reader.catchUp(uid) }
            // Forgotten meanwhile, or made, or with a head that is not readable.
            for uid in reader.mirror.uids where heads[uid] == nil { try reader.catchUp(uid) }
            state.withLock { $0.next = max($0.next, answer.revision &+ 1) }
        } catch {
            // The next watch fails in the same way, and this is tried again.
        }
    }
}
