// Accepts connections on one shard and deals them to all in turn.

import CEpoll
import Dispatch
import Glibc
import Synchronization

/// How many connections there are, counted where they are accepted and where they end.
final class Admission: Sendable {
    /// So many more are let in to be told that there are too many; any beyond are closed at once.
    static let refusalsMax = 64

    enum Verdict {
        case welcome, refused, closed
    }

    private let count = Atomic<Int>(0)
    private let connectionsMax: Int

    init(connectionsMax: Int) {
        self.connectionsMax = max(1, connectionsMax)
    }

    func enter() -> Verdict {
        let before = count.wrappingAdd(1, ordering: .relaxed).oldValue
        if before < connectionsMax { return .welcome }
        if before < connectionsMax &+ Self.refusalsMax { return .refused }
        leave()
        return .closed
    }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

/// A listening socket. Confined to the shard that watches it.
final class Listener {
    /// What `accept` answers beside a descriptor.
    enum Outcome: Equatable {
        case accepted(Int32)
        case none
        /// The connection was gone before it was accepted, or the like: try the next.
        case lost
        /// No descriptor or memory is left in the process or the system.
        case exhausted
    }

    private(set) var descriptor: Int32
    /// Closed in exchange for a connection that can then be shed, so that it does not wait in vain.
    private var reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
    /// The shard that gets the next connection.
    private var nextShard = 0
    let mailboxes: [Mailbox]
    private let acceptOne: @Sendable (Int32) -> Outcome

    init(
        _ descriptor: Int32, mailboxes: [Mailbox],
        acceptOne: @escaping @Sendable (Int32) -> Outcome = Listener.acceptNext
    ) {
        self.descriptor = descriptor
        self.mailboxes = mailboxes
        self.acceptOne = acceptOne
    }

    deinit { close() }

    func accept() -> Outcome { acceptOne(descriptor) }

    func takeShard() -> Int {
        let shard = nextShard
        nextShard = (nextShard + 1) % mailboxes.count
        return shard
    }

    /// With no descriptor left, a connection would wait in the backlog, and wake the shard, for ever:
    /// one is taken with the reserve and closed.
    func shedOne() {
        if reserve >= 0 { Glibc.close(reserve) }
        if case .accepted(let shed) = Self.acceptNext(descriptor) { Glibc.close(shed) }
        reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        if reserve >= 0 { Glibc.close(reserve) }
        descriptor = -1
        reserve = -1
    }

    static let acceptNext: @Sendable (Int32) -> Outcome = { descriptor in
        let accepted = accept4(
            descriptor, nil, nil, traitd_SOCK_NONBLOCK | traitd_SOCK_CLOEXEC)
        if accepted >= 0 { return .accepted(accepted) }
        switch errno {
        case EAGAIN: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        case EBADF, EINVAL, ENOTSOCK: return .none
        default: return .lost
        }
    }
}
