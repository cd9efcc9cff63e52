// Percent-decoding happens after a target is split, never before: an encoded separator is data.

/// What a piece of a target is, which decides what may be encoded in it.
package enum PercentContext: Sendable {
    /// One segment of a path. An encoded `/`, `\` or NUL is refused: some other program on the way
    /// might take it for structure.
    case pathSegment
    /// A name or value in a query. `+` is a space, as forms and browsers write it; an encoded NUL
    /// is refused.
    case query
}

/// Appends the decoded piece to `out`; on an error nothing is appended. O(piece).
///
/// The offset of an error counts from the piece's first byte. The result need not be UTF-8.
package func percentDecode(
    _ piece: UnsafeRawBufferPointer, _ context: PercentContext, into out: OutputBuffer
) throws(WireError) {
    let start = out.count
    do throws(WireError) {
        var plainStart = 0
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            if byte == UInt8(ascii: "%") {
                out.append(UnsafeRawBufferPointer(rebasing: piece[plainStart..<index]))
                out.append(byte: try escaped(piece, at: index, context))
                index += 3
                plainStart = index
            } else if byte == UInt8(ascii: "+"), context == .query {
                out.append(UnsafeRawBufferPointer(rebasing: piece[plainStart..<index]))
                out.append(byte: Ascii.space)
                index += 1
                plainStart = index
            } else {
                index += 1
            }
        }
        out.append(UnsafeRawBufferPointer(rebasing: piece[plainStart...]))
    } catch {
        out.truncate(to: start)
        throw error
    }
}

/// The byte that an escape stands for.
private func escaped(
    _ piece: UnsafeRawBufferPointer, at index: Int, _ context: PercentContext
) throws(WireError) -> UInt8 {
    guard piece.count - index >= 3, let high = Ascii.hexValue(piece[index + 1]),
        let low = Ascii.hexValue(piece[index + 2])
    else { throw .percentEncoding(at: index) }
    let byte = high << 4 | low
    if byte == 0 { throw .encodedNul(at: index) }
    if context == .pathSegment, byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") {
        throw .encodedSeparator(at: index)
    }
    return byte
}
