// Wakes a parked request or a stream of a shard from any thread.

import Synchronization

/// Why a parked request is resumed.
package enum WakeReason: Hashable, Sendable {
    case woken
    /// The deadline of the parked request has come.
    case deadline
    /// The client closed its sending side, or all of the connection, or the server closes it. If the
    /// client only half-closed (RFC 9112 section 9.6 allows that after the last request), an answer
    /// still reaches it, so that `.keepWaiting` is respected. If the connection is gone, this is the
    /// last call: its step is ignored and its answer dropped. So it may come twice.
    case disconnected
    /// The server drains: answer now if that makes sense, or keep waiting until the server stops.
    case draining
}

/// The next step of a parked request.
package enum ParkedStep: Hashable, Sendable {
    /// `send` or `stream` was called on the exchange.
    case answered
    /// Wait on, for a wake or until this monotonic time in nanoseconds. After `.disconnected`,
    /// `.answered` without an answer is fine too: the connection is then closed.
    case keepWaiting(until: UInt64?)
}

/// Wakes one parked request or stream, from any thread; without effect once that is over.
///
/// Several wakes before its shard reads them resume the target once.
package struct WakeHandle: Sendable {
    /// The wait to resume. Lists of thousands of waits hold targets.
    package let target: WakeTarget

    package init(_ target: WakeTarget) { self.target = target }

    /// O(1): one short lock, and one system call if the shard has nothing else waiting.
    package func wake() {
        if target.claim() { target.mailbox.post(.wake(target)) }
    }

    /// Wakes all of them, taking each shard's lock once. O(handles × shards), without system calls
    /// but one for each shard.
    package static func wake(_ handles: [WakeHandle]) {
        var rest = ContiguousArray<Message>()
        rest.reserveCapacity(handles.count)
        var first: Mailbox?
        var others = [WakeTarget]()
        for handle in handles where handle.target.claim() {
            let mailbox = handle.target.mailbox
            if first == nil { first = mailbox }
            if mailbox === first {
                rest.append(.wake(handle.target))
            } else {
                others.append(handle.target)
            }
        }
        first?.post(contentsOf: rest)
        while let mailbox = others.first?.mailbox {
            mailbox.post(
                contentsOf: ContiguousArray(
                    others.lazy.filter { $0.mailbox === mailbox }.map { .wake($0) }))
            others.removeAll { $0.mailbox === mailbox }
        }
    }
}

extension WakeHandle: Hashable {
    package static func == (left: WakeHandle, right: WakeHandle) -> Bool {
        left.target === right.target
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(target))
    }
}

/// The address of one wait: it stays valid, and harmless, when the connection is gone.
package final class WakeTarget: Sendable {
    let mailbox: Mailbox
    let slot: Int32
    /// Never used twice in a shard, so that a late wake reaches no other request.
    let serial: UInt64
    private let isPosted = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)

    init(mailbox: Mailbox, slot: Int32, serial: UInt64) {
        self.mailbox = mailbox
        self.slot = slot
        self.serial = serial
    }

    /// Whether the caller has to post the target: a mailbox holds each target at most once.
    func claim() -> Bool { !isPosted.exchange(true, ordering: .acquiringAndReleasing) }

    /// Marks the target: no request or stream waits any more.
    func end() { hasEnded.store(true, ordering: .relaxed) }

    package var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    /// From here on a wake is posted again. Called before the work that a wake asks for, so that no
    /// wake is lost.
    func release() { isPosted.store(false, ordering: .sequentiallyConsistent) }
}
