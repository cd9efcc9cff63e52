// Room in the memory of the process for a state that is loaded.

import Ledger
import Limits
import TraitEngine

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
