// A live cache of the values that a stream delivers.

import Foundation

extension TraitClient {
    /// A live cache of traits of nodes, whose correctness the server's digests prove.
    ///
    /// A watch shows a complete state, or nothing before the first one. It connects again by itself. It ends with
    /// ``close()``, when nothing refers to it any more, or when what it watches is gone; then ``state`` is
    /// ``WatchState/closed``, and ``reason`` says why. Reading never waits for the network.
    public final class Watch: Sendable {
        private let runner: StreamRunner<StreamCache>
        private let feed = ChangeFeed()

        init(
            _ session: Session, watches: [String: WatchedTraits], registrations: [String],
            onChange: (@Sendable (TraitChange) -> Void)?,
            onState: (@Sendable (WatchState) -> Void)?
        ) {
            let endpoint = session.client.endpoint
            let target = StreamTarget(
                watches: watches, registrations: registrations,
                basePath: endpoint.targetPath(session: session.name))
            let reports = StreamReports(
                change: { [feed] change in
                    feed.add(change)
                    onChange?(change)
                },
                state: onState,
                closed: { [feed] in feed.finish() })
            let cache = StreamCache(bytesMax: session.client.configuration.stateBytesMax)
            runner = StreamRunner(session, target, cache, reports)
            runner.start()
        }

        deinit { runner.close() }

        /// The value of a trait at a node, or nil if the watch has none. Complexity: O(1).
        public func value(_ trait: String, at node: String) -> TraitValue? {
            runner.shared.withLock { $0.follower.values.value(trait, at: node) }
        }

        /// All values by node and trait, of one moment. Complexity: O(n).
        public func snapshot() -> [String: [String: TraitValue]] {
            runner.shared.withLock { $0.follower.values }.snapshot
        }

        /// How far the values can be relied on.
        public var state: WatchState { runner.shared.withLock { $0.state } }

        /// Why the watch is closed: `closed` after ``close()``, the reason of the stream's end, such as
        /// `sessionDeleted`, or the code of a refusal. Before: why the last connection was lost, such as `unreachable`,
        /// `silent`, `http-503` or `drain`. While the watch is ready: nil, or `polling` when the records come by long
        /// polls, as behind a proxy that holds streams back.
        public var reason: String? { runner.reason?.code }

        /// The session's revision at the last record that the values take into account, or nil before the first
        /// complete state. The revision goes back only when the session was replaced.
        public var revision: Int64? { runner.shared.withLock { $0.follower.revision } }

        /// Returns when the watch is complete for the first time, and at once after that.
        /// - Parameter timeout: how long to wait, or nil for as long as it takes.
        /// - Throws: ``TraitdError`` when the watch closes before: with the code of the refusal, or the reason as
        ///   the code. `timeout` when the time is up, with the reason in its message; the watch goes on.
        ///   `CancellationError` when the task is cancelled.
        public func synced(timeout: Duration? = nil) async throws {
            try await runner.synced(within: timeout)
        }

        /// The changes, from the first complete state on, until the watch closes.
        ///
        /// Each change is given once, also if several loops iterate. Up to 10,000 changes wait for the loop; beyond
        /// them the oldest changes of a pair merge.
        public var changes: TraitChanges { TraitChanges(feed: feed, watch: self) }

        /// Ends the connection at once. Callbacks that are running come to their end; no change is reported after
        /// them.
        public func close() { runner.close() }
    }

    /// The stream of a session as it is, without a cache, resumed by its token.
    ///
    /// Ends like a ``Watch``: with ``close()``, when nothing refers to it any more, or when the session is gone.
    public final class Records: Sendable {
        private let runner: StreamRunner<RecordPosition>

        init(
            _ session: Session, operations: Bool,
            onRecord: @escaping @Sendable (StreamRecord) -> Void,
            onState: (@Sendable (WatchState) -> Void)?
        ) {
            runner = StreamRunner(
                session, StreamTarget(recordsWithOperations: operations), RecordPosition(),
                StreamReports(record: onRecord, state: onState))
            runner.start()
        }

        deinit { runner.close() }

        /// `ready` while the stream is connected, `stale` while the connection is lost.
        public var state: WatchState { runner.shared.withLock { $0.state } }

        /// Why the stream is closed or not connected, as in ``Watch/reason``.
        public var reason: String? { runner.reason?.code }

        /// The session's revision at the last record, or nil before the first one.
        public var revision: Int64? { runner.shared.withLock { $0.follower.revision } }

        /// Ends the connection at once.
        public func close() { runner.close() }
    }
}

extension TraitClient.Session {
    /// Watches traits of nodes, without a registration.
    ///
    /// - Parameters:
    ///   - watches: the traits to follow by node.
    ///   - registrations: registrations to follow as well.
    ///   - onChange: called for every value that differs from the one that the watch showed before, in the order of
    ///     the records. Not called for the first state.
    ///   - onState: called for each new state.
    ///
    /// Both functions are called on a queue of the watch, one after the other. While one of them runs, what the server
    /// sends waits in memory, so they should be quick; ``TraitClient/Watch/changes`` has a bound.
    public func watch(
        _ watches: [String: WatchedTraits], registrations: [String] = [],
        onChange: (@Sendable (TraitChange) -> Void)? = nil,
        onState: (@Sendable (WatchState) -> Void)? = nil
    ) -> TraitClient.Watch {
        TraitClient.Watch(
            self, watches: watches, registrations: registrations, onChange: onChange,
            onState: onState)
    }

    /// Follows the commits of the session and the changes of all its registrations.
    /// - Parameters:
    ///   - operations: whether commits have their operations in full.
    ///   - onRecord: called with each record, in order, on a queue of the stream.
    ///   - onState: called for each new state, on the same queue.
    public func records(
        operations: Bool = false, onRecord: @escaping @Sendable (StreamRecord) -> Void,
        onState: (@Sendable (WatchState) -> Void)? = nil
    ) -> TraitClient.Records {
        TraitClient.Records(self, operations: operations, onRecord: onRecord, onState: onState)
    }
}
