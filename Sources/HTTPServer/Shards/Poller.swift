// The readiness of a shard's descriptors: a thin owner of one epoll descriptor.

import CEpoll
import Glibc

/// The events that a descriptor is watched for, or that it reports.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt32

    // Computed, because a stored one would be looked up behind a lock each time.
    static var readable: Readiness { Readiness(rawValue: traitd_EPOLLIN) }
    static var writable: Readiness { Readiness(rawValue: traitd_EPOLLOUT) }
    /// The peer sends nothing more.
    static var peerClosed: Readiness { Readiness(rawValue: traitd_EPOLLRDHUP) }
    /// Reported even if it is not watched.
    static var dead: Readiness { Readiness(rawValue: traitd_EPOLLERR | traitd_EPOLLHUP) }
}

/// Watches descriptors, level-triggered. Confined to its shard.
final class Poller {
    /// Events that arrive while a batch is processed wait for its end, so the batch is small. A
    /// small batch costs one more system call for every sixteen requests.
    static let eventsMax: Int32 = 16
    /// Where callers take turns, all ready connections have to be known. A caller with more ready
    /// connections than this gets more turns than other callers.
    static let manyEventsMax: Int32 = 1_024

    private(set) var descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(ServerError) {
        descriptor = epoll_create1(traitd_EPOLL_CLOEXEC)
        if descriptor < 0 { throw .noDescriptor(errno: errno) }
        events = .allocate(capacity: Int(Self.manyEventsMax))
        events.initialize(repeating: epoll_event(), count: Int(Self.manyEventsMax))
    }

    /// Returns whether the descriptor is watched now.
    func add(_ descriptor: Int32, token: UInt64, _ readiness: Readiness) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, token, readiness)
    }

    func change(_ descriptor: Int32, token: UInt64, _ readiness: Readiness) {
        _ = control(EPOLL_CTL_MOD, descriptor, token, readiness)
    }

    func remove(_ descriptor: Int32) {
        _ = control(EPOLL_CTL_DEL, descriptor, 0, [])
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ token: UInt64, _ readiness: Readiness
    ) -> Bool {
        var event = epoll_event()
        event.events = readiness.rawValue
        event.data.u64 = token
        return epoll_ctl(self.descriptor, operation, descriptor, &event) == 0
    }

    /// Returns how many events there are now, of many.
    func waitForMany() -> Int {
        Int(max(0, epoll_wait(descriptor, events, Self.manyEventsMax, 0)))
    }

    /// Waits at most `milliseconds` and answers how many events there are.
    func wait(milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(descriptor, events, Self.eventsMax, milliseconds)))
    }

    /// An event of the last `wait`.
    @inline(__always)
    func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        (events[index].data.u64, Readiness(rawValue: events[index].events))
    }

    /// Only once no dispatch source watches the descriptor any more. Harmless when repeated.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    deinit {
        close()
        events.deallocate()
    }
}
