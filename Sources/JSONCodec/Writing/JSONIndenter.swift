// Indented JSON for people. The text comes in parts, so that a long text needs no memory.

/// Indents valid JSON text: two spaces a level, one member or element a line, empty objects and
/// arrays on one line. The state between two parts is a few words.
package struct JSONIndenter: Sendable {
    private var level = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether the last byte was an opening bracket. Its line break is written with its first
    /// content, as an empty container has none.
    private var hasOpened = false

    package init() {}

    /// Writes the next part, indented. O(bytes + indentation).
    package mutating func lay(
        _ part: UnsafeRawBufferPointer, out: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        var position = 0
        func flush() {
            if start < position {
                out(UnsafeRawBufferPointer(rebasing: part[start..<position]))
            }
        }
        while position < part.count {
            let byte = part[position]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == Byte.backslash {
                    isEscaped = true
                } else if byte == Byte.quote {
                    isInString = false
                }
                position &+= 1
                continue
            }
            switch byte {
            case Byte.closeBrace, Byte.closeBracket:
                flush()
                level = max(0, level &- 1)
                if hasOpened { hasOpened = false } else { Self.breakLine(level, out) }
                start = position
                position &+= 1
            case Byte.lineFeed, Byte.space, Byte.tab, Byte.carriageReturn:
                // White space is dropped, except for the line feed behind the last value.
                flush()
                if byte == Byte.lineFeed, level == 0 { Self.breakLine(0, out) }
                position &+= 1
                start = position
            default:
                if hasOpened {
                    flush()
                    start = position
                    hasOpened = false
                    Self.breakLine(level, out)
                }
                position &+= 1
                switch byte {
                case Byte.quote: isInString = true
                case Byte.openBrace, Byte.openBracket:
                    level &+= 1
                    hasOpened = true
                case Byte.comma:
                    flush()
                    start = position
                    Self.breakLine(level, out)
                case Byte.colon:
                    flush()
                    start = position
                    Self.blank(1, out)
                default: break
                }
            }
        }
        flush()
    }

    /// The number of bytes of a whole text when it is indented. O(bytes).
    package static func count(of text: UnsafeRawBufferPointer) -> Int {
        var indenter = JSONIndenter()
        var count = 0
        indenter.lay(text) { count &+= $0.count }
        return count
    }

    private static func breakLine(_ level: Int, _ out: (UnsafeRawBufferPointer) -> Void) {
        let feed: StaticString = "\n"
        out(UnsafeRawBufferPointer(start: feed.utf8Start, count: 1))
        blank(level &* 2, out)
    }

    private static func blank(_ count: Int, _ out: (UnsafeRawBufferPointer) -> Void) {
        let blanks: StaticString = "                                "
        var left = count
        while left > 0 {
            let some = min(left, blanks.utf8CodeUnitCount)
            out(UnsafeRawBufferPointer(start: blanks.utf8Start, count: some))
            left &-= some
        }
    }
}
