// The address space of the process, for arenas, the ledger and the loading of sessions.

import Ledger
import Limits
import TraitEngine

package enum ProcessSpace {
    /// The limits of the process's address space, and its use.
    package static let space = AddressSpace.ofProcess { Reserving.mappings }

    /// Has arenas reserve little where addresses are limited, and as soon as there are many mappings. To be
    /// called before there is a session.
    ///
    /// - Parameter end: called with the bytes that the system refuses when nothing smaller does. It has to end
    ///   the process.
    package static func prepare(whenRefused end: @escaping @Sendable (Int) -> Void) {
        let isLimited = space.bytesMax != nil || AddressSpace.reservationsCount
        Reserving.reserveAmply(below: isLimited ? 0 : space.mappingsMax.map { $0 / 4 } ?? .max)
        MemoryRefusal.whenRefused(end)
    }
}
