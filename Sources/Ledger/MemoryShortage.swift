// Why there is no room: which limit, and how far it is used.

/// A refusal of the ledger.
package struct MemoryShortage: Error, Hashable, Sendable {
    package enum Limit: Sendable {
        /// All memory that the process may take.
        case process
        /// What one session may hold of it.
        case session
        /// What is held for one caller.
        case caller
    }

    package let limit: Limit
    /// Bytes allowed.
    package let bytesMax: Int
    /// Bytes held when it was asked for more.
    package let bytes: Int

    package init(_ limit: Limit, bytesMax: Int, bytes: Int) {
        self.limit = limit
        self.bytesMax = bytesMax
        self.bytes = bytes
    }
}
