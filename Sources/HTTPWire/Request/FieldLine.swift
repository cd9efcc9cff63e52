// One field line: a token, a colon, and a value without controls (RFC 9112 section 5).

/// Where the parts of a field line are.
struct FieldLine {
    static let unknownName: UInt8 = 0xFF

    /// A `HeaderName`'s raw value, or `unknownName`.
    let name: UInt8
    let nameEnd: Int
    /// The value, without the white space around it.
    let valueStart: Int
    let valueEnd: Int
    /// The first byte of the next line.
    let next: Int

    /// Returns `nil` when the line is not complete.
    @inline(__always)
    static func parse(
        _ bytes: WireBytes, from start: Int, _ tables: WireTables
    ) throws(WireError) -> FieldLine? {
        let colon = bytes.first(from: start) {
            WireBytes.below(0x21, $0) | WireBytes.equal(UInt8(ascii: ":"), $0)
        }
        if colon == bytes.end {
            return nil
        }
        guard bytes[colon] == UInt8(ascii: ":"), colon > start else {
            throw misplaced(bytes[colon], at: colon, lineStart: start, bytes, tables)
        }
        var name = unknownName
        if let known = tables.names.find(bytes, from: start, to: colon) {
            name = known
        } else if !isPlainName(bytes, from: start, to: colon) {
            let wrong = tables.first(not: .token, in: bytes, from: start, to: colon)
            if wrong < colon { throw .fieldName(bytes[wrong], at: wrong) }
        }
        let valueStart = bytes.skipBlanks(from: colon &+ 1)
        let lineEnd = bytes.firstControl(from: valueStart)
        guard lineEnd < bytes.end else { return nil }
        guard bytes[lineEnd] == Ascii.cr else { throw .control(bytes[lineEnd], at: lineEnd) }
        guard lineEnd &+ 1 < bytes.end else { return nil }
        guard bytes[lineEnd &+ 1] == Ascii.lf else { throw .control(Ascii.cr, at: lineEnd) }
        return FieldLine(
            name: name, nameEnd: colon, valueStart: valueStart,
            valueEnd: bytes.trimBlanks(from: valueStart, to: lineEnd), next: lineEnd &+ 2)
    }

    /// Whether a name has nothing but letters, digits and hyphens, as nearly all have.
    @inline(__always)
    private static func isPlainName(_ bytes: WireBytes, from start: Int, to stop: Int) -> Bool {
        var index = start
        while index < stop {
            guard WireBytes.isPlainName(bytes.word(at: index), count: stop &- index) else {
                return false
            }
            index &+= 8
        }
        return true
    }

    /// Why something other than a colon ended the name.
    @inline(never)
    private static func misplaced(
        _ byte: UInt8, at index: Int, lineStart: Int, _ bytes: WireBytes, _ tables: WireTables
    ) -> WireError {
        let wrong = tables.first(not: .token, in: bytes, from: lineStart, to: index)
        if wrong < index { return .fieldName(bytes[wrong], at: wrong) }
        if index == lineStart, Ascii.isBlank(byte) { return .lineFolding(at: index) }
        return .fieldName(byte, at: index)
    }
}

extension RequestHead {
    /// Remembers the first value of a known field, and that there was another.
    @inline(__always)
    mutating func record(_ line: FieldLine, _ present: inout UInt64) {
        let bit = (1 as UInt64) &<< UInt64(line.name)
        if present & bit == 0 {
            present |= bit
            values[Int(line.name)] = ByteRange(line.valueStart, line.valueEnd)
        } else {
            repeated |= bit
        }
    }
}
