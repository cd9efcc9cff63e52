// The server as a whole: shards, and the order in which they begin and end.

import Dispatch
import Glibc
import HTTPWire
import Ledger
import Synchronization

/// An HTTP/1.1 server on POSIX sockets and Dispatch. Start it once, drain it if its clients deserve
/// it, and stop it; all of them from any thread that is not a shard's.
package final class HTTPServer: Sendable {
    private struct State {
        var shards = [Shard]()
        var isStarted = false
    }

    private let configuration: ServerConfiguration
    private let handler: any RequestHandler
    private let common: Shard.Common
    private let acceptOne: @Sendable (Int32) -> Acceptor.Outcome
    private let state = Mutex(State())
    /// Entered for each shard that runs.
    private let running = DispatchGroup()

    package convenience init(configuration: ServerConfiguration, handler: any RequestHandler) {
        self.init(
            configuration: configuration, handler: handler, acceptOne: Acceptor.acceptNext)
    }

    /// `acceptOne` stands in for the system's `accept`.
    init(
        configuration: ServerConfiguration, handler: any RequestHandler,
        acceptOne: @escaping @Sendable (Int32) -> Acceptor.Outcome
    ) {
        self.configuration = configuration
        common = Shard.Common(configuration)
        self.handler = handler
        self.acceptOne = acceptOne
    }

    /// Listens and serves. Returns the addresses with the ports that were chosen, in the order of the
    /// configuration, those for health last. On an error nothing is left open.
    package func start() throws(ServerError) -> [ListenAddress] {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { throw .alreadyStarted }
        // Writes of the server pass MSG_NOSIGNAL as well; this covers all other writes to sockets.
        signal(SIGPIPE, SIG_IGN)
        let shards = try makeShards()
        let sockets = try listen()
        let addresses = sockets.map(\.address)
        let acceptor = Acceptor(
            sockets, mailboxes: shards.map(\.mailbox), acceptOne: acceptOne)
        shards.first?.workers.prepare()
        for shard in shards {
            running.enter()
            let running = running
            shard.start(acceptor: shard.index == 0 ? acceptor : nil) { running.leave() }
        }
        state.withLock { $0.shards = shards }
        return addresses
    }

    /// Sockets that were opened before one that fails close themselves.
    private func listen() throws(ServerError) -> [ListeningSocket] {
        guard configuration.openCount > 0 else { throw .noAddress }
        var sockets = [ListeningSocket]()
        for isForHealth in [false, true] {
            for address in isForHealth ? configuration.healthAddresses : configuration.addresses {
                let socket = try ListeningSocket.open(
                    address, configuration, isIPv6Only: hasTwinInIPv4(address))
                socket.isForHealth = isForHealth
                sockets.append(socket)
            }
            for passed in configuration.inherited where passed.isForHealth == isForHealth {
                let socket = try ListeningSocket.adopt(passed.descriptor)
                socket.isForHealth = isForHealth
                sockets.append(socket)
            }
        }
        return sockets
    }

    /// Whether another address listens on the IPv4 half of this IPv6 address.
    private func hasTwinInIPv4(_ address: ListenAddress) -> Bool {
        guard case .tcp("::", let port) = address else { return false }
        let twin = ListenAddress.tcp(host: "0.0.0.0", port: port)
        return (configuration.addresses + configuration.healthAddresses).contains(twin)
    }

    private func makeShards() throws(ServerError) -> [Shard] {
        var shards = [Shard]()
        for index in 0..<max(1, configuration.shards) {
            shards.append(
                try Shard(
                    index: index, configuration: configuration, handler: handler, common))
        }
        return shards
    }

    /// Accepts nothing more, ends streams (`StreamEnd.draining`) spread evenly over `windowSeconds`,
    /// lets requests that have begun finish and closes idle connections. What is left after
    /// `graceSeconds` is closed. `completion` is called once, on an arbitrary queue, when no connection
    /// is left; `stop` still has to follow.
    package func drain(
        windowSeconds: Double = 0, graceSeconds: Double, completion: @escaping @Sendable () -> Void
    ) {
        let group = DispatchGroup()
        let shards = state.withLock(\.shards)
        for shard in shards {
            group.enter()
            let grace = ServerLimits.nanoseconds(graceSeconds)
            let window = ServerLimits.nanoseconds(windowSeconds)
            shard.queue.async {
                shard.drain(window: window) { group.leave() }
                shard.queue.asyncAfter(
                    deadline: .now() + .nanoseconds(Int(min(grace, 1 << 62)))
                ) { shard.closeAll() }
            }
        }
        group.notify(queue: .global()) { completion() }
    }

    /// Closes everything at once and waits until no descriptor is left. Without effect when it has
    /// been called before.
    package func stop() {
        let shards = state.withLock { state in
            defer { state.shards = [] }
            state.isStarted = true
            return state.shards
        }
        for shard in shards {
            dispatchPrecondition(condition: .notOnQueue(shard.queue))
            shard.queue.async { shard.stop() }
        }
        running.wait()
    }

    /// Bytes of the process's memory that connections hold, by part. O(shards).
    package var memoryParts: [MemoryPart: Int] {
        [
            .bodies: common.collected.bytesHeld, .answers: common.unsent.bytesHeld,
            .connections: statistics.connections * Self.connectionBytes,
        ]
    }

    /// A connection with its places in the tables of its shard, about.
    private static let connectionBytes = 1_024

    /// Makes every shard close the connections whose endless streams have the most unsent bytes, until its
    /// streams have half as many. For when memory is short. May be called on any thread.
    package func endSlowest() {
        for shard in state.withLock(\.shards) { shard.mailbox.post(.memoryIsShort) }
    }

    /// Calls `completion` once every shard has come back to its queue, on an arbitrary one; never when a
    /// shard hangs or the server has stopped. An idle shard does so within some milliseconds, a busy one
    /// within the length of a run of its loop, about 100 ms.
    package func whenAllShardsTurn(_ completion: @escaping @Sendable () -> Void) {
        let shards = state.withLock(\.shards)
        guard !shards.isEmpty else { return }
        let group = DispatchGroup()
        for shard in shards {
            group.enter()
            shard.queue.async { group.leave() }
        }
        group.notify(queue: .global()) { completion() }
    }

    /// The numbers of all shards together; zero after `stop`.
    package var statistics: ServerStatistics {
        let shards = state.withLock(\.shards)
        var sum = ServerStatistics()
        for shard in shards { shard.counters.add(to: &sum) }
        sum.collectedBytes = shards.first?.collected.bytesHeld ?? 0
        sum.unsentBytes = shards.first?.unsent.bytesHeld ?? 0
        return sum
    }
}
