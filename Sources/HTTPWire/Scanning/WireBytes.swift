// Reads a request eight bytes at a time and never past its end. A byte loop over a browser's
// request costs more than the whole budget of its parsing.

/// A view of the bytes that are there, with the two searches that parsing consists of.
///
/// The word tricks are the classic ones for "has a byte less than n": the lowest byte that they
/// flag is exact, those above it may be false, so only the lowest is ever used.
struct WireBytes {
    let base: UnsafeRawPointer
    let end: Int

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    init(_ base: UnsafeRawPointer, end: Int) {
        self.base = base
        self.end = end
    }

    /// The byte at `index`, which is in `0..<end`.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        base.load(fromByteOffset: index, as: UInt8.self)
    }

    /// Eight bytes from `index` on, the first of them lowest; zero for those past the end.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        if index &+ 8 <= end {
            return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        return lastWord(at: index)
    }

    @inline(never)
    private func lastWord(at index: Int) -> UInt64 {
        if end >= 8, index < end {
            let word = base.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
            return UInt64(littleEndian: word) &>> UInt64((index &+ 8 &- end) &* 8)
        }
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var position = index
        while position < end, shift < 64 {
            word |= UInt64(self[position]) << shift
            shift &+= 8
            position &+= 1
        }
        return word
    }

    /// High bits where a byte is below `limit`, which is at most 128.
    @inline(__always)
    static func below(_ limit: UInt64, _ word: UInt64) -> UInt64 {
        (word &- ones &* limit) & ~word & highs
    }

    /// High bits where a byte is `byte`.
    @inline(__always)
    static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 {
        below(1, word ^ (ones &* UInt64(byte)))
    }

    /// The first index from `start` on whose byte `flags` marks, or `end`. A zero byte must be
    /// among those marked: that is how the search ends.
    @inline(__always)
    func first(from start: Int, _ flags: (UInt64) -> UInt64) -> Int {
        var index = start
        while index &+ 8 <= end {
            let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let found = flags(UInt64(littleEndian: word))
            if found != 0 { return index &+ (found.trailingZeroBitCount &>> 3) }
            index &+= 8
        }
        if index < end {
            let found = flags(lastWord(at: index))
            return min(end, index &+ (found.trailingZeroBitCount &>> 3))
        }
        return end
    }

    /// The first control character from `start` on, tabs excepted, or `end`.
    @inline(__always)
    func firstControl(from start: Int) -> Int {
        var index = start
        while true {
            // A byte 0xFF can flag the byte after it wrongly, so what is found is looked at again.
            index = first(from: index) {
                (($0 &+ Self.ones) | ($0 &- Self.ones &* 0x20)) & ~$0 & Self.highs
            }
            guard index < end, !Ascii.isControl(self[index]) else { return index }
            index &+= 1
        }
    }

    /// Whether the first `count` bytes of a word, at most eight, are letters, digits and hyphens.
    @inline(__always)
    static func isPlainName(_ word: UInt64, count: Int) -> Bool {
        // Adding to a byte below 0x80 does not carry into the next one; the high bit then means "at
        // least".
        let folded = (word | ones &* 0x20) & ~highs
        let ascii = word & ~highs
        let letters = (folded &+ ones &* 0x1F) & ~(folded &+ ones &* 0x05)
        let digits = (ascii &+ ones &* 0x50) & ~(ascii &+ ones &* 0x46)
        let hyphens = (ascii &+ ones &* 0x53) & ~(ascii &+ ones &* 0x52)
        let wanted = count >= 8 ? highs : highs & ((1 as UInt64) &<< UInt64(count &* 8) &- 1)
        return (letters | digits | hyphens) & ~word & wanted == wanted
    }

    /// High bits where a byte cannot be part of a target: a control, a space, `#`, not ASCII.
    @inline(__always)
    static func notInTarget(_ word: UInt64) -> UInt64 {
        // Only a byte that is flagged itself carries or borrows, so the lowest flag is exact.
        ((word &+ ones) | (word &- ones &* 0x21) | word) & highs
            | equal(UInt8(ascii: "#"), word)
    }

    /// The first index from `start` on that holds neither a space nor a tab, or `end`.
    @inline(__always)
    func skipBlanks(from start: Int) -> Int {
        var index = start
        while index < end, Ascii.isBlank(self[index]) { index &+= 1 }
        return index
    }

    /// Where `start..<stop` ends when spaces and tabs at its end are left off.
    @inline(__always)
    func trimBlanks(from start: Int, to stop: Int) -> Int {
        var index = stop
        while index > start, Ascii.isBlank(self[index &- 1]) { index &-= 1 }
        return index
    }

    /// Whether `range` holds `text`, letters compared without regard to case. `text` is lower case.
    func matches(_ text: StaticString, from start: Int, to stop: Int) -> Bool {
        guard stop &- start == text.utf8CodeUnitCount else { return false }
        var index = 0
        while index < text.utf8CodeUnitCount {
            guard Ascii.lowercased(self[start &+ index]) == text.utf8Start[index] else {
                return false
            }
            index &+= 1
        }
        return true
    }
}

package enum Ascii {
    static let tab: UInt8 = 0x09
    static let lf: UInt8 = 0x0A
    static let cr: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// A control character that no value may hold; tabs are none.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != tab || byte == 0x7F
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// 0 to 15, or `nil`.
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- 0x30 < 10 { return byte &- 0x30 }
        let letter = byte | 0x20
        return letter &- 0x61 < 6 ? letter &- 0x57 : nil
    }
}
