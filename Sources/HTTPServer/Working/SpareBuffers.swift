// Storage that a long answer has left, for the next one. New memory costs a page fault for each 4 KiB, and
// a fault waits while another thread maps memory or gives some back.

import HTTPWire
import Synchronization

/// A few empty buffers that all shards and workers of a server share.
///
/// `@unchecked Sendable`: `lock` guards `buffers`, and a buffer that was taken has one owner.
final class SpareBuffers: @unchecked Sendable {
    private static let countMax = 8
    /// Smaller storage is made as fast as it is kept.
    private static let bytesMin = 65_536

    private let lock = Mutex(())
    private var buffers: [OutputBuffer] = []

    /// An empty buffer, with storage if one is kept and no other thread asks now.
    func take() -> OutputBuffer {
        let buffer = lock.withLockIfAvailable { _ in buffers.popLast() }
        return buffer.flatMap(\.self) ?? OutputBuffer()
    }

    /// Keeps a buffer to which the caller has the only reference.
    func give(_ buffer: OutputBuffer) {
        guard buffer.capacity >= Self.bytesMin, buffer.capacity <= OutputBuffer.keptBytesMax
        else { return }
        buffer.removeAll()
        lock.withLockIfAvailable { _ in
            if buffers.count < Self.countMax { buffers.append(buffer) }
        }
    }

    /// Frees what is kept.
    func removeAll() {
        let freed = lock.withLockIfAvailable { _ in
            defer { buffers = [] }
            return buffers
        }
        // Without the lock.
        withExtendedLifetime(freed) {}
    }
}
