// Empties the caches, to measure reads of data not used recently.

/// Memory larger than any cache level, written through to push everything else out.
final class Caches {
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: several times the last level.
    init(byteCount: Int = 128 << 20) {
        bytes = .allocate(byteCount: byteCount, alignment: 4_096)
        bytes.initializeMemory(as: UInt8.self, repeating: 1)
    }

    deinit { bytes.deallocate() }

    /// Writes one byte of every cache line. About 20 ms.
    func empty() {
        var position = 0
        while position < bytes.count {
            bytes[position] &+= 1
            position += 64
        }
    }
}
