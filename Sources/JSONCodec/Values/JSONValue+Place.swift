// Where in its text a value stands, in lines and columns, for errors about a value that is proper JSON. Worked
// out when an error is shown; nothing is kept for it while reading.

/// A line and a column, both from 1. Lines end with LF; columns count Unicode scalars.
package struct JSONPlace: Equatable, Sendable {
    package var line = 1
    package var column = 1

    /// The place behind some text. O(bytes).
    init(behind text: UnsafeBufferPointer<UInt8>.SubSequence) {
        for byte in text {
            if byte == Byte.lineFeed {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
        }
    }
}

extension JSONValue {
    /// O(offset).
    package var place: JSONPlace {
        let text = UnsafeBufferPointer(
            start: storage.pointee.text, count: storage.pointee.textCount)
        return JSONPlace(behind: text.prefix(offset))
    }

    /// The value that an RFC 6901 pointer leads to, from this value; the last one on the way where a part of
    /// the pointer is not there. Linear in the siblings along the way.
    package func nearest(to pointer: some Sequence<String>) -> JSONValue {
        var value = self
        for token in pointer {
            let next: JSONValue? =
                switch value.kind {
                case .object: value.members.first { $0.key.string == token }?.value
                case .array: Int(token).flatMap { value.element(at: $0) }
                default: nil
                }
            guard let next else { break }
            value = next
        }
        return value
    }

    /// O(index).
    package func element(at index: Int) -> JSONValue? {
        guard index >= 0, index < count else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }
}

extension JSONValue {
    /// The whole text that this object is the root of; spaces stand in the place of a member of that name, so
    /// that the others keep their places.
    package func text(without name: StaticString) -> [UInt8] {
        var text = Array(
            UnsafeBufferPointer(start: storage.pointee.text, count: storage.pointee.textCount))
        guard let value = member(name) else { return text }
        let isSpace = { (byte: UInt8) in
            byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        }
        // Back over the colon to the quotes around the name. None is inside: the name has no escape, or its
        // escapes are of letters.
        var start = value.offset - 1
        while start > 0, text[start] != UInt8(ascii: "\"") { start -= 1 }
        start -= 1
        while start > 0, text[start] != UInt8(ascii: "\"") { start -= 1 }
        var end = value.offset + value.rawBytes.count
        var next = end
        while next < text.count, isSpace(text[next]) { next += 1 }
        if next < text.count, text[next] == UInt8(ascii: ",") {
            end = next + 1
        } else {
            // The last member takes the comma before it along.
            var before = start - 1
            while before > 0, isSpace(text[before]) { before -= 1 }
            if before > 0, text[before] == UInt8(ascii: ",") { start = before }
        }
        for index in start..<end where !isSpace(text[index]) { text[index] = 0x20 }
        return text
    }
}
