// Trailer fields follow the rules of header fields, and may not change decisions that were made
// before the body (RFC 9110 section 6.5.1).

enum Trailer {
    /// Throws unless `line`, its line end included, is a field line that may follow a body.
    /// `offset` is where it begins.
    static func check(_ line: [UInt8], at offset: Int) throws(WireError) {
        if let error = line.withUnsafeBytes({ fault($0, at: offset) }) { throw error }
    }

    private static func fault(_ line: UnsafeRawBufferPointer, at offset: Int) -> WireError? {
        guard let base = line.baseAddress else { return .trailer(at: offset) }
        do throws(WireError) {
            let bytes = WireBytes(base, end: line.count)
            let found = try FieldLine.parse(bytes, from: 0, WireTables.shared)
            guard let found, found.next == line.count else { return .trailer(at: offset) }
            // Every field that this server understands affects how a request is read, routed, permitted
            // or answered, so none may follow a body. Unknown fields are dropped.
            return found.name == FieldLine.unknownName ? nil : .forbiddenTrailer(at: offset)
        } catch {
            return .trailer(at: offset + (error.offset ?? 0))
        }
    }
}
