// Takes connections from all listening sockets on one shard and deals them to all shards in turn.

import CEpoll
import Glibc

/// The listening sockets. Confined to the shard that watches them.
final class Acceptor {
    /// What `accept` answers beside a descriptor.
    enum Outcome: Equatable {
        case accepted(Int32, ClientAddress)
        case none
        /// The connection was gone before it was accepted, or the like: try the next.
        case lost
        /// No descriptor or memory is left in the process or the system.
        case exhausted
    }

    private(set) var sockets: [ListeningSocket]
    /// Closed in exchange for a connection that can then be shed, so that it does not wait in vain.
    private var reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
    /// The shard that gets the next connection.
    private var nextShard = 0
    let mailboxes: [Mailbox]
    private let acceptOne: @Sendable (Int32) -> Outcome

    init(
        _ sockets: [ListeningSocket], mailboxes: [Mailbox],
        acceptOne: @escaping @Sendable (Int32) -> Outcome
    ) {
        self.sockets = sockets
        self.mailboxes = mailboxes
        self.acceptOne = acceptOne
    }

    deinit { close() }

    func accept(_ socket: ListeningSocket) -> Outcome { acceptOne(socket.descriptor) }

    func takeShard() -> Int {
        let shard = nextShard
        nextShard = (nextShard + 1) % mailboxes.count
        return shard
    }

    /// With no descriptor left, a connection would wait in the backlog, and wake the shard, for ever:
    /// one is taken with the reserve and closed.
    func shedOne(_ socket: ListeningSocket) {
        if reserve >= 0 { Glibc.close(reserve) }
        if case .accepted(let shed, _) = Self.acceptNext(socket.descriptor) { Glibc.close(shed) }
        reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    func close() {
        for socket in sockets { socket.close() }
        sockets = []
        if reserve >= 0 { Glibc.close(reserve) }
        reserve = -1
    }

    static let acceptNext: @Sendable (Int32) -> Outcome = { descriptor in
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                accept4(descriptor, $0, &size, traitd_SOCK_NONBLOCK | traitd_SOCK_CLOEXEC)
            }
        }
        if accepted >= 0 { return .accepted(accepted, ClientAddress(storage)) }
        switch errno {
        case EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        case EBADF, EINVAL, ENOTSOCK: return .none
        default: return .lost
        }
    }
}
