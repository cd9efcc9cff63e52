// Numbers: RFC 8259, section 6. Only the grammar is checked here. The value is computed when it is
// read, because most numbers are read once and many never.

extension JSONParser {
    /// Reads a number into an entry. The cursor stands at its sign or first digit.
    mutating func number() throws(Fault) {
        let start = cursor
        var at = start
        if text[at] == Byte.minus { at &+= 1 }
        guard at < end else { throw Fault(.unexpectedEnd, at: end) }
        if text[at] == Byte.zero {
            at &+= 1
            if at < end, Byte.isDigit(text[at]) { throw Fault(.leadingZero, at: at) }
        } else {
            try digits(&at)
        }
        var hasMore: UInt32 = 0
        if at < end, text[at] == Byte.point {
            hasMore = 1
            at &+= 1
            try digits(&at)
        }
        if at < end, text[at] | 0x20 == Byte.letterE {
            hasMore = 1
            at &+= 1
            if at < end, text[at] == Byte.plus || text[at] == Byte.minus { at &+= 1 }
            try digits(&at)
        }
        try append(
            start: start, length: at &- start, link: 0, tag: TapeKind.number | hasMore &<< 3)
        cursor = at
    }

    /// Moves over one digit or more.
    @inline(__always)
    private func digits(_ at: inout Int) throws(Fault) {
        guard at < end else { throw Fault(.unexpectedEnd, at: end) }
        guard Byte.isDigit(text[at]) else { throw Fault(.invalidNumber, at: at) }
        repeat { at &+= 1 } while at < end && Byte.isDigit(text[at])
    }
}
