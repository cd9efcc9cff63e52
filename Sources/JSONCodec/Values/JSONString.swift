// A string or a member name of the text. Its content is a run of bytes that is there already,
// either in the text itself or, unescaped, in the tape; a Swift String is made only on demand.

import Glibc

/// The content of a JSON string: valid UTF-8, escapes resolved. Lives as long as its document.
@usableFromInline
package struct JSONString {
    @usableFromInline let base: UnsafePointer<UInt8>
    /// The length of the content, in bytes of UTF-8.
    @usableFromInline package let count: Int
    /// Whether the text had escapes in it.
    @usableFromInline package let isEscaped: Bool

    @inlinable
    init(storage: UnsafeMutablePointer<TapeStorage>, index: Int) {
        let entry = storage.pointee.entries.base[index]
        isEscaped = entry.kind == TapeKind.escapedString
        count = Int(entry.payload)
        base =
            (isEscaped ? UnsafePointer(storage.pointee.unescaped.base) : storage.pointee.text)
            + Int(entry.link)
    }

    /// The content, unescaped.
    @inlinable
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }

    /// A copy as a Swift string.
    package var string: String {
        String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Compares bytes; strings that are only canonically equivalent in Unicode differ.
    @inlinable
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == count else { return false }
        guard let start = other.baseAddress else { return true }
        return memcmp(base, start, count) == 0
    }

    @inlinable
    package static func == (left: JSONString, right: StaticString) -> Bool {
        right.withUTF8Buffer { left.equals(UnsafeRawBufferPointer($0)) }
    }

    @inlinable
    package static func == (left: JSONString, right: JSONString) -> Bool {
        left.equals(right.bytes)
    }

    /// Lets a `switch` over a name or a value list literals as its cases.
    @inlinable
    package static func ~= (pattern: StaticString, value: JSONString) -> Bool {
        value == pattern
    }

    /// The longest prefix of whole scalars that fits in `bytesMax` bytes.
    package func prefix(bytesMax: Int) -> String {
        var cut = min(count, max(0, bytesMax))
        if cut < count {
            while cut > 0, base[cut] & 0xC0 == 0x80 { cut &-= 1 }
        }
        return String(decoding: UnsafeBufferPointer(start: base, count: cut), as: UTF8.self)
    }
}
