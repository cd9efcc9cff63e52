// Giving memory back to the system waits for the other threads whose memory changes, for milliseconds
// when they have lost the processor. So an event loop leaves that to another thread.

import Background
import Glibc

package enum LargeBlock {
    /// From this size on the allocator gets each block from the system, and gives it back when the block
    /// is freed; see `ResidentMemory.configureAllocator`.
    package static let bytesMin = 262_144

    /// Frees what `malloc` or `realloc` gave, of about so many bytes.
    package static func free(_ storage: UnsafeMutableRawPointer?, bytes: Int) {
        guard bytes >= bytesMin, let storage else { return Glibc.free(storage) }
        let address = UInt(bitPattern: storage)
        Disposal.run { Glibc.free(UnsafeMutableRawPointer(bitPattern: address)) }
    }
}
