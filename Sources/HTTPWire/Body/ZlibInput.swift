// zlib counts its input in 32 bits; longer input is handed over in slices.

import CZlib

/// Hands a run of bytes to a zlib stream, slice by slice.
struct ZlibInput {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// Whether the stream has been given everything.
    var isLast: Bool { rest.isEmpty }

    var count: Int { rest.count }

    /// Gives the stream its next slice.
    mutating func refill(
        _ stream: UnsafeMutablePointer<z_stream>, bytesMax: Int = Int(Int32.max)
    ) {
        let size = min(rest.count, bytesMax)
        let start = UnsafeMutableRawPointer(mutating: rest.baseAddress)
        // zlib reads through this pointer and never writes; its type predates `const`.
        stream.pointee.next_in = start?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(size)
        rest = UnsafeRawBufferPointer(rebasing: rest[size...])
    }
}
