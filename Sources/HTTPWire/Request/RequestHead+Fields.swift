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
        guard isRepeated(name) else { return try body(value.slice(of: bytes)) }
        let lines = fieldLines.slice(of: bytes)
        guard let base = bytes.baseAddress, lines.count > 0 else { return }
        let wire = WireBytes(base, end: Int(fieldLines.start) &+ lines.count)
        let tables = WireTables.shared
        var start = Int(fieldLines.start)
        while start < wire.end {
            // The lines were parsed before; they fail only in a buffer that was changed since.
            guard let line = try? FieldLine.parse(wire, from: start, tables) else { return }
            if line.name == name.rawValue {
                try body(ByteRange(line.valueStart, line.valueEnd).slice(of: bytes))
            }
            start = line.next
        }
    }
}
