// Strings: only what RFC 8259 (section 7) demands is escaped, that is quotes, backslashes and
// control characters. Bytes are copied while they are examined, eight at a time.

extension JSONWriter {
    /// Writes a string, escaped as needed. Literals are left to the overload below, which has less
    /// to do.
    @_disfavoredOverload
    @usableFromInline
    package mutating func value(_ value: String) {
        let isDone: Void? = value.utf8.withContiguousStorageIfAvailable {
            string(UnsafeRawBufferPointer($0))
        }
        if isDone == nil {
            var copy = value
            copy.withUTF8 { string(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Writes a string. A literal must need no escape; debug builds trap on one that does.
    @inlinable
    package mutating func value(_ value: StaticString) {
        assert(JSONWriter.isPlain(value), "a literal value needs escapes")
        reserve(value.utf8CodeUnitCount &+ 3)
        comma()
        put(Byte.quote)
        value.withUTF8Buffer { put(UnsafeRawBufferPointer($0)) }
        put(Byte.quote)
        needsComma = true
    }

    /// Writes a string whose content is `bytes`, which must be valid UTF-8.
    @inlinable
    package mutating func value(bytes: UnsafeRawBufferPointer) {
        string(bytes)
    }

    /// Whether a literal can be written as it is.
    @usableFromInline
    static func isPlain(_ literal: StaticString) -> Bool {
        literal.withUTF8Buffer { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 != Byte.quote && $0 != Byte.backslash }
        }
    }

    @usableFromInline
    mutating func string(_ content: UnsafeRawBufferPointer) {
        // Two quotes, a comma and the rest of a word. `content.count` is the size of memory that
        // exists, so the sum does not overflow.
        reserve(content.count &+ 10)
        comma()
        put(Byte.quote)
        if let start = content.baseAddress {
            escaped(start.assumingMemoryBound(to: UInt8.self), content.count)
        }
        put(Byte.quote)
        needsComma = true
    }

    /// Copies `count` bytes and escapes them. There must be room for all bytes, for one quote, and
    /// for the seven bytes that the last word may have beyond them. Every escape reserves that room
    /// again.
    private mutating func escaped(_ source: UnsafePointer<UInt8>, _ count: Int) {
        var at = 0
        // A register: `written` would be read again after each store, which might have changed it.
        var end = base + written
        while at < count {
            let left = count &- at
            let word = left >= 8 ? ByteScan.load(source, at) : ByteScan.load(source, at, left)
            UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
            let lanes = ByteScan.lanesToEscape(word)
            if lanes == 0 {
                at &+= 8
                end += min(8, left)
                continue
            }
            let clean = ByteScan.firstLane(lanes)
            at &+= clean
            written = (end - base) &+ clean
            let byte = source[at]
            at &+= 1
            reserve(6 &+ (count &- at) &+ 8)
            escape(byte)
            end = base + written
        }
        written = end - base
    }

    /// Writes the escape of one byte, for which there must be room.
    private mutating func escape(_ byte: UInt8) {
        let short: UInt8
        switch byte {
        case Byte.quote, Byte.backslash: short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x0C: short = UInt8(ascii: "f")
        case Byte.lineFeed: short = UInt8(ascii: "n")
        case Byte.carriageReturn: short = UInt8(ascii: "r")
        case Byte.tab: short = UInt8(ascii: "t")
        default:
            put(Byte.backslash)
            put(Byte.letterU)
            put(Byte.zero)
            put(Byte.zero)
            put(Byte.zero &+ (byte &>> 4))
            let low = byte & 0xF
            put(low < 10 ? Byte.zero &+ low : UInt8(ascii: "a") &+ low &- 10)
            return
        }
        put(Byte.backslash)
        put(short)
    }
}
