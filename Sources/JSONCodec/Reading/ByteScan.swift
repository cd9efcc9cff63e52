// Finds the bytes that end a run of plain text, eight at a time. Each test marks the high bit of a
// matching lane. A borrow can mark a lane wrongly only above one that matches, so the *lowest*
// mark is always right, and the lowest is the only one that is used.

/// Word-wide tests for the bytes that matter inside a JSON string.
@usableFromInline
enum ByteScan {
    @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let highBits: UInt64 = 0x8080_8080_8080_8080
    @usableFromInline static let spaces: UInt64 = 0x2020_2020_2020_2020
    @usableFromInline static let quotes: UInt64 = 0x2222_2222_2222_2222
    @usableFromInline static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C

    /// Marks `"`, `\` and control characters: what a writer has to escape.
    @inlinable @inline(__always)
    static func lanesToEscape(_ word: UInt64) -> UInt64 {
        let quote = word ^ quotes
        let backslash = word ^ backslashes
        let hits =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
            | ((word &- spaces) & ~word)
        return hits & highBits
    }

    /// Marks the same and every byte outside ASCII: where a reader has to look closer.
    @inlinable @inline(__always)
    static func lanesToInspect(_ word: UInt64) -> UInt64 {
        lanesToEscape(word) | (word & highBits)
    }

    /// The lane, counted from the first byte, of the lowest mark.
    @inlinable @inline(__always)
    static func firstLane(_ lanes: UInt64) -> Int {
        lanes.trailingZeroBitCount &>> 3
    }

    /// Eight bytes, the first in the lowest lane whatever the machine's byte order.
    @inlinable @inline(__always)
    static func load(_ bytes: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawPointer(bytes).loadUnaligned(
                fromByteOffset: offset, as: UInt64.self))
    }

    /// One to seven bytes, filled up with spaces. Reads no byte beyond `count`.
    @inlinable @inline(__always)
    static func load(_ bytes: UnsafePointer<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
        let start = UnsafeRawPointer(bytes) + offset
        let padding = spaces &<< UInt64(count &<< 3)
        // The reads may overlap: they put the same bytes into the same lanes.
        if count >= 4 {
            let first = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
            let last = UInt32(
                littleEndian: start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return padding | UInt64(first) | UInt64(last) &<< UInt64((count &- 4) &<< 3)
        }
        let middle = count &>> 1
        return padding | UInt64(bytes[offset])
            | UInt64(bytes[offset &+ middle]) &<< UInt64(middle &<< 3)
            | UInt64(bytes[offset &+ count &- 1]) &<< UInt64((count &- 1) &<< 3)
    }
}

/// The bytes with a meaning of their own in the grammar of RFC 8259.
@usableFromInline
enum Byte {
    @usableFromInline static let tab: UInt8 = 0x09
    @usableFromInline static let lineFeed: UInt8 = 0x0A
    @usableFromInline static let carriageReturn: UInt8 = 0x0D
    @usableFromInline static let space: UInt8 = 0x20
    @usableFromInline static let quote: UInt8 = 0x22
    @usableFromInline static let plus: UInt8 = 0x2B
    @usableFromInline static let comma: UInt8 = 0x2C
    @usableFromInline static let minus: UInt8 = 0x2D
    @usableFromInline static let point: UInt8 = 0x2E
    @usableFromInline static let slash: UInt8 = 0x2F
    @usableFromInline static let zero: UInt8 = 0x30
    @usableFromInline static let nine: UInt8 = 0x39
    @usableFromInline static let colon: UInt8 = 0x3A
    @usableFromInline static let openBracket: UInt8 = 0x5B
    @usableFromInline static let backslash: UInt8 = 0x5C
    @usableFromInline static let closeBracket: UInt8 = 0x5D
    @usableFromInline static let letterE: UInt8 = 0x65
    @usableFromInline static let letterU: UInt8 = 0x75
    @usableFromInline static let openBrace: UInt8 = 0x7B
    @usableFromInline static let closeBrace: UInt8 = 0x7D

    @inlinable @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }
}
