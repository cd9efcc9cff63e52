// Strings: RFC 8259, section 7. A string without escapes is never copied, its content is where the
// text has it; one with escapes is written, unescaped, into a buffer of the tape.

extension JSONParser {
    /// Reads a string into an entry. The cursor stands at its opening quote.
    mutating func string() throws(Fault) {
        let start = cursor
        var at = start &+ 1
        while true {
            at = plainRun(from: at)
            guard at < end else { throw Fault(.unexpectedEnd, at: end) }
            let byte = text[at]
            if byte == Byte.quote { break }
            if byte >= 0x80 {
                try checkUTF8(&at)
            } else if byte == Byte.backslash {
                return try escapedString(start: start, firstEscape: at)
            } else {
                throw Fault(.controlCharacter, at: at)
            }
        }
        let content = UInt32(truncatingIfNeeded: at &- start &- 1)
        try append(
            start: start, length: at &+ 1 &- start,
            link: UInt32(truncatingIfNeeded: start &+ 1), tag: TapeKind.string | content &<< 3)
        cursor = at &+ 1
    }

    /// The first byte from `from` on that is a quote, a backslash, a control or outside ASCII.
    @inline(__always)
    private func plainRun(from: Int) -> Int {
        var at = from
        while end &- at >= 8 {
            let lanes = ByteScan.lanesToInspect(ByteScan.load(text, at))
            if lanes != 0 { return at &+ ByteScan.firstLane(lanes) }
            at &+= 8
        }
        while at < end {
            let byte = text[at]
            if byte < 0x20 || byte >= 0x80 || byte == Byte.quote || byte == Byte.backslash {
                return at
            }
            at &+= 1
        }
        return at
    }

    /// Moves over a run of bytes outside ASCII.
    private func checkUTF8(_ at: inout Int) throws(Fault) {
        repeat {
            switch UTF8Sequence.read(text, at: at, end: end) {
            case .wellFormed(let length): at &+= length
            case .malformed: throw Fault(.invalidUTF8, at: at)
            case .truncated: throw Fault(.unexpectedEnd, at: end)
            }
        } while at < end && text[at] >= 0x80
    }

    /// Reads a string that has escapes; `firstEscape` is where the first stands.
    ///
    /// Every escape is longer than what it stands for (2 bytes for 1, 6 for at most 3, 12 for 4),
    /// so all unescaped content together is shorter than the text, and room for the whole text,
    /// made once, is room enough.
    private mutating func escapedString(start: Int, firstEscape: Int) throws(Fault) {
        guard storage.pointee.unescaped.grow(to: end) else {
            throw Fault(.outOfMemory, at: start)
        }
        let output = storage.pointee.unescaped.base
        let first = unescapedCount
        var out = first
        var runStart = start &+ 1
        var at = firstEscape
        while true {
            guard at < end else { throw Fault(.unexpectedEnd, at: end) }
            let byte = text[at]
            if byte >= 0x80 {
                try checkUTF8(&at)
                at = plainRun(from: at)
                continue
            }
            guard byte == Byte.quote || byte == Byte.backslash else {
                throw Fault(.controlCharacter, at: at)
            }
            let run = at &- runStart
            (output + out).update(from: text + runStart, count: run)
            out &+= run
            if byte == Byte.quote { break }
            try escape(&at, output, &out)
            runStart = at
            at = plainRun(from: at)
        }
        let content = UInt32(truncatingIfNeeded: out &- first)
        try append(
            start: start, length: at &+ 1 &- start, link: UInt32(truncatingIfNeeded: first),
            tag: TapeKind.escapedString | content &<< 3)
        unescapedCount = out
        cursor = at &+ 1
    }

    /// Writes what the escape at `at` stands for and moves behind it.
    private func escape(
        _ at: inout Int, _ output: UnsafeMutablePointer<UInt8>, _ out: inout Int
    ) throws(Fault) {
        guard at &+ 1 < end else { throw Fault(.unexpectedEnd, at: end) }
        let byte: UInt8
        switch text[at &+ 1] {
        case Byte.quote: byte = Byte.quote
        case Byte.backslash: byte = Byte.backslash
        case Byte.slash: byte = Byte.slash
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "n"): byte = Byte.lineFeed
        case UInt8(ascii: "r"): byte = Byte.carriageReturn
        case UInt8(ascii: "t"): byte = Byte.tab
        case Byte.letterU:
            let scalar = try unicodeEscape(&at)
            write(scalar, output, &out)
            return
        default:
            throw Fault(.invalidEscape, at: at &+ 1)
        }
        output[out] = byte
        out &+= 1
        at &+= 2
    }

    /// Reads `\uXXXX`, and the second half when the first is a high surrogate. The result is never
    /// a surrogate: half a pair is refused, for it has no UTF-8.
    private func unicodeEscape(_ at: inout Int) throws(Fault) -> UInt32 {
        let start = at
        let first = try hexDigits(at: at &+ 2)
        at &+= 6
        if first & 0xF800 != 0xD800 { return first }
        guard first < 0xDC00 else { throw Fault(.loneSurrogate, at: start) }
        for expected in [Byte.backslash, Byte.letterU] {
            guard at < end else { throw Fault(.unexpectedEnd, at: end) }
            guard text[at] == expected else { throw Fault(.loneSurrogate, at: start) }
            at &+= 1
        }
        let second = try hexDigits(at: at)
        guard second & 0xFC00 == 0xDC00 else { throw Fault(.loneSurrogate, at: start) }
        at &+= 4
        return 0x10000 &+ ((first & 0x3FF) &<< 10 | (second & 0x3FF))
    }

    private func hexDigits(at: Int) throws(Fault) -> UInt32 {
        var result: UInt32 = 0
        for index in at..<(at &+ 4) {
            guard index < end else { throw Fault(.unexpectedEnd, at: end) }
            let digit: UInt8
            switch text[index] {
            case Byte.zero...Byte.nine: digit = text[index] &- Byte.zero
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = text[index] &- 87
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = text[index] &- 55
            default: throw Fault(.invalidEscape, at: index)
            }
            result = result &<< 4 | UInt32(digit)
        }
        return result
    }

    /// Writes a scalar, which is no surrogate and at most U+10FFFF, as UTF-8.
    private func write(
        _ scalar: UInt32, _ output: UnsafeMutablePointer<UInt8>, _ out: inout Int
    ) {
        func put(_ bits: UInt32) {
            output[out] = UInt8(truncatingIfNeeded: bits)
            out &+= 1
        }
        if scalar < 0x80 {
            put(scalar)
        } else if scalar < 0x800 {
            put(0xC0 | scalar &>> 6)
            put(0x80 | scalar & 0x3F)
        } else if scalar < 0x10000 {
            put(0xE0 | scalar &>> 12)
            put(0x80 | (scalar &>> 6) & 0x3F)
            put(0x80 | scalar & 0x3F)
        } else {
            put(0xF0 | scalar &>> 18)
            put(0x80 | (scalar &>> 12) & 0x3F)
            put(0x80 | (scalar &>> 6) & 0x3F)
            put(0x80 | scalar & 0x3F)
        }
    }
}
