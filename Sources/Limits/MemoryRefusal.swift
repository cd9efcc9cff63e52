// Ends the process when the system refuses memory that the program cannot go on without.

import Synchronization

/// The end of a process without memory. Where a client chooses how much is taken, the refusal is answered instead.
package enum MemoryRefusal {
    private static let ending = Mutex<(@Sendable (Int) -> Void)?>(nil)

    /// Sets what is called with the size of a block that the system refuses. It has to end the process.
    package static func whenRefused(_ end: @escaping @Sendable (Int) -> Void) {
        ending.withLock { $0 = end }
    }

    package static func end(_ bytes: Int) -> Never {
        let end = ending.withLock { $0 }
        end?(bytes)
        preconditionFailure("out of memory for a block of \(bytes) bytes")
    }
}
