// JSON for people: the same text with line breaks and indentation, made of bytes that come in parts.

/// Lays out JSON text that is valid already: two spaces a level, one member or element a line, empty
/// objects and arrays on one line. Keeps its place between parts, so that a long text needs no memory.
package struct JSONIndenter: Sendable {
    private var level = 0
    private var isInString = false
    private var isEscaped = false
    /// The last byte was an opening bracket, whose line break waits until it is known to hold something.
    private var hasOpened = false

    package init() {}

    /// Writes the layout of the next part. O(bytes + indentation).
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
                // White space of the text says nothing, but for the line feed behind its last value.
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

    /// How many bytes the layout of the whole text has. O(bytes).
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
