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

extension SessionEnvironment {
    /// Makes sure that the address space has room for reading a stored state or entries of so many bytes.
    /// The budget does not count: all of it was admitted once.
    ///
    /// - Throws: `outOfMemory` with the limit of the space. It says nothing about the stored data.
    func checkSpace(
        toLoad bytes: Int, of session: String, revision: Int64
    ) throws(ReplayError) {
        // Parsed JSON takes about as much again as its text, and a state four times as much.
        let estimate = bytes &* 8 &+ Self.loadingBytes
        guard let shortage = memory.space?.shortage(for: estimate, keepsReserve: false),
            let text = shortage.spaceText
        else { return }
        throw ReplayError(
            session: session, revision: revision, reason: "there is no room for it. \(text)",
            cause: .outOfMemory)
    }

    /// Reserved for threads and the allocator while sessions are loaded.
    private static let loadingBytes = 16_777_216
}
