// A head is a dozen small pieces. Their room is made once, and then each piece is one copy.

import Glibc

/// Writes the pieces of a head one behind the other into room that was made for them.
struct HeadWriter {
    /// More than all pieces of a head together but the content type and the given fields: the
    /// status line 52 at most, the date 37, type 16, coding 47, framing 38, connection 26.
    static let fixedBytesMax = 256

    private(set) var position: UnsafeMutableRawPointer

    @inline(__always)
    init(_ start: UnsafeMutableRawPointer) { position = start }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        memcpy(position, text.utf8Start, text.utf8CodeUnitCount)
        position += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        memcpy(position, base, bytes.count)
        position += bytes.count
    }

    @inline(__always)
    mutating func put(decimal value: Int) {
        position += Digits.writeDecimal(value, to: position)
    }
}
