// Why there is no room: which limit, and how far it is used.

/// A refusal of the ledger.
package struct MemoryShortage: Error, Hashable, Sendable {
    package enum Limit: Hashable, Sendable {
        /// All memory that the process may take.
        case process
        /// The part of that memory that one session may hold.
        case session
        /// The part of that memory that may be held for one caller.
        case caller
        /// The process's address space.
        case space(AddressSpace.Limit.Kind)
    }

    package let limit: Limit
    /// Bytes allowed, or mappings.
    package let bytesMax: Int
    /// Bytes held, or mappings, when the request for more was refused.
    package let bytes: Int

    package init(_ limit: Limit, bytesMax: Int, bytes: Int) {
        self.limit = limit
        self.bytesMax = bytesMax
        self.bytes = bytes
    }
}
