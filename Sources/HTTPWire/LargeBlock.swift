// Giving back many megabytes takes the system a millisecond or more, in which an event loop answers a
// thousand requests: a large block is given back by another thread.

import Background
import Glibc

package enum LargeBlock {
    /// What a thread gives back by itself: some tens of microseconds.
    private static let sharedBytesMax = 1_048_576

    /// Frees what `malloc` or `realloc` gave, of about so many bytes.
    package static func free(_ storage: UnsafeMutableRawPointer?, bytes: Int) {
        guard bytes > sharedBytesMax, let storage else { return Glibc.free(storage) }
        let address = UInt(bitPattern: storage)
        Disposal.run { Glibc.free(UnsafeMutableRawPointer(bitPattern: address)) }
    }
}
