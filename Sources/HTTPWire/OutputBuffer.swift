// One growable run of bytes, written at its end and consumed at its front, without ever
// being zeroed, copied on write or shared. Answers are built in it and sent from it.

import Background
import Glibc
import Limits

/// A growable byte queue over `malloc`ed storage. Confined to one thread at a time by its owner.
package final class OutputBuffer {
    private var storage: UnsafeMutableRawPointer?
    private var capacityBytes = 0
    /// The contents are `storage[head..<tail]`.
    private var head = 0
    private var tail = 0

    /// Room for the end of a chunk behind bytes of which the exact number was reserved. Without it two
    /// more bytes move all.
    private static let slackBytes = 16

    package init(capacity: Int = 0) {
        if capacity > 0 { reserve(capacity) }
    }

    deinit { LargeBlock.free(storage, bytes: capacityBytes) }

    /// The number of bytes in it.
    package var count: Int { tail &- head }
    package var isEmpty: Bool { tail == head }
    /// Bytes of storage held, used or not.
    package var capacity: Int { capacityBytes }

    /// The contents. Valid until the next call that changes the buffer.
    package var bytes: UnsafeRawBufferPointer {
        guard let storage, tail > head else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: storage + head, count: tail &- head)
    }

    /// The contents, valid inside `body`, which must not change the buffer.
    package func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(bytes)
    }

    /// Makes room for `size` more bytes. Amortised O(1) for each byte appended.
    package func reserve(_ size: Int) {
        if capacityBytes &- tail < size { mustMakeRoom(size) }
    }

    /// Makes room for `size` more bytes, where the size is the client's choice. Answers false where the system
    /// refuses the memory; the contents are as they were then.
    package func tryToReserve(_ size: Int) -> Bool {
        capacityBytes &- tail >= size || makeRoom(size)
    }

    @inline(never)
    private func mustMakeRoom(_ size: Int) {
        guard makeRoom(size) else { MemoryRefusal.end(size) }
    }

    private func makeRoom(_ size: Int) -> Bool {
        let used = count
        if head > 0 {
            if let storage, used > 0 { memmove(storage, storage + head, used) }
            head = 0
            tail = used
            if capacityBytes &- tail >= size { return true }
        }
        let wanted = max(used + size + Self.slackBytes, capacityBytes * 2, 256)
        guard let grown = realloc(storage, wanted) else { return false }
        storage = grown
        capacityBytes = wanted
        return true
    }

    /// Lets `body` write into at least `size` bytes of room; it answers how many it has written.
    package func withRoom(_ size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        reserve(size)
        guard let storage else { return }
        let room = UnsafeMutableRawBufferPointer(
            start: storage + tail, count: capacityBytes &- tail)
        let written = body(room)
        precondition(written >= 0 && written <= room.count, "wrote past the room it was given")
        tail &+= written
    }

    /// Takes over storage of `malloc` with `count` bytes at its start, in place of its own, when the
    /// buffer is empty. O(1).
    package func adopt(_ bytes: UnsafeMutableRawPointer, count: Int, capacity: Int) {
        precondition(
            isEmpty && count >= 0 && count <= capacity, "storage replaces what was written")
        LargeBlock.free(storage, bytes: capacityBytes)
        storage = bytes
        capacityBytes = capacity
        head = 0
        tail = count
    }

    /// Exchanges contents and storage. O(1).
    package func exchangeStorage(with other: OutputBuffer) {
        // `swap(&storage, &other.storage)` would have each access to these properties checked for
        // exclusivity at run time, a third of the instructions of a read.
        (storage, other.storage) = (other.storage, storage)
        (capacityBytes, other.capacityBytes) = (other.capacityBytes, capacityBytes)
        (head, other.head) = (other.head, head)
        (tail, other.tail) = (other.tail, tail)
    }

    /// Puts bytes before the contents. O(contents).
    package func prepend(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        guard let storage else { return }
        memmove(storage + head + bytes.count, storage + head, count)
        memcpy(storage + head, source, bytes.count)
        tail &+= bytes.count
    }

    /// Takes `size` bytes off the front; at most as many as there are. O(1).
    package func consume(_ size: Int) {
        head = min(tail, head &+ max(0, size))
        if head == tail {
            head = 0
            tail = 0
        }
    }

    /// Drops what was appended after the buffer held `size` bytes. O(1).
    package func truncate(to size: Int) {
        guard size >= 0, size < count else { return }
        tail = head &+ size
    }

    /// Empties it. Without `keepingCapacity` the storage is given back too.
    package func removeAll(keepingCapacity: Bool = true) {
        head = 0
        tail = 0
        if !keepingCapacity { releaseStorage() }
    }

    /// Gives the storage back when nothing is in it, so that an idle owner holds no memory.
    package func releaseStorage() {
        guard isEmpty else { return }
        LargeBlock.free(storage, bytes: capacityBytes)
        storage = nil
        capacityBytes = 0
        head = 0
        tail = 0
    }

    /// A copy of the contents.
    package func array() -> [UInt8] { [UInt8](bytes) }
}
