// Takes connections from all listening sockets on one shard and deals them to all shards in turn.

import CEpoll
import Glibc

/// The listening sockets. Confined to the shard that watches them.
final class Acceptor {
    /// The result of `accept`.
    enum Outcome: Equatable {
        case accepted(Int32, ClientAddress)
        case none
        /// The connection was gone before it was accepted, or the like: try the next.
        case lost
        /// No descriptor is left in the process.
        case full
        /// No descriptor is left in the system, or no memory.
        case exhausted
    }

    /// Descriptors that are held to be given back when no other one is left: for a connection that can
    /// then be shed instead of waiting in vain, and for what Dispatch opens. Dispatch reads the state of
    /// its threads from files once a second, and traps when it cannot open one.
    static let sparesCount = 8

    private(set) var sockets: [ListeningSocket]
    private var spares: [Int32] = []
    /// The limit of open files at which the spares were given back.
    private var fullAt: rlim_t?
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
        takeSpares()
    }

    deinit { close() }

    func accept(_ socket: ListeningSocket) -> Outcome { acceptOne(socket.descriptor) }

    func takeShard() -> Int {
        let shard = nextShard
        nextShard = (nextShard + 1) % mailboxes.count
        return shard
    }

    /// Whether a descriptor that was just accepted is the last one that the process may have.
    static func isLast(_ descriptor: Int32) -> Bool {
        let next = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if next < 0 { return errno == EMFILE }
        Glibc.close(next)
        return false
    }

    /// Gives the spares back, for as long as the limit of open files stays what it is.
    func giveSparesBack() {
        for spare in spares { Glibc.close(spare) }
        spares = []
        fullAt = Self.openFilesMax
    }

    /// Takes the spares again if the limit of open files is another one now. Returns whether it is.
    func takeSparesAgain() -> Bool {
        guard let fullAt, fullAt != Self.openFilesMax else { return false }
        self.fullAt = nil
        takeSpares()
        return true
    }

    private func takeSpares() {
        for _ in 0..<Self.sparesCount {
            let spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if spare >= 0 { spares.append(spare) }
        }
    }

    private static var openFilesMax: rlim_t {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit.rlim_cur
    }

    /// With no descriptor left, a connection would wait in the backlog, and wake the shard, for ever:
    /// one is taken in place of a spare and closed.
    func shedOne(_ socket: ListeningSocket) {
        let spare = spares.popLast()
        if let spare { Glibc.close(spare) }
        if case .accepted(let shed, _) = Self.acceptNext(socket.descriptor) { Glibc.close(shed) }
        guard spare != nil else { return }
        let again = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if again >= 0 { spares.append(again) }
    }

    func close() {
        for socket in sockets { socket.close() }
        sockets = []
        for spare in spares { Glibc.close(spare) }
        spares = []
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
        case EMFILE: return .full
        case ENFILE, ENOBUFS, ENOMEM: return .exhausted
        case EBADF, EINVAL, ENOTSOCK: return .none
        default: return .lost
        }
    }
}
