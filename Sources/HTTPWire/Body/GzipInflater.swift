// Decompresses gzip piece by piece, from a file or a pipe. `GzipDecoder` is for complete bodies.

import CZlib

/// A gzip decompressor for one text of any length: one or more members, and nothing else (RFC 1952
/// section 2.2). Confined to one thread at a time by its owner.
package final class GzipInflater {
    package struct Failure: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The first bytes of a gzip member.
    package static let magic: [UInt8] = [0x1F, 0x8B]

    // zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    /// Whether a member has begun and not ended.
    private var isInMember = false
    private static let roomBytes = 65_536

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = traitd_inflateInit(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Decompresses the next bytes.
    ///
    /// - Parameter body: gets the decompressed bytes, at most 64 KiB at a time.
    package func feed<E: Error>(
        _ bytes: UnsafeRawBufferPointer, failure: (Failure) -> E,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        guard isReady else { throw failure(Failure(reason: "there is no memory to decompress it")) }
        let out = OutputBuffer(capacity: Self.roomBytes)
        var input = ZlibInput(bytes)
        input.refill(stream)
        while true {
            if stream.pointee.avail_in == 0 {
                if input.isLast { return }
                input.refill(stream)
            }
            if !isInMember {
                inflateReset(stream)
                isInMember = true
            }
            var status = Z_OK
            out.withRoom(Self.roomBytes) { room in
                stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.pointee.avail_out = uInt(Self.roomBytes)
                status = inflate(stream, Z_NO_FLUSH)
                return Self.roomBytes - Int(stream.pointee.avail_out)
            }
            if !out.isEmpty { try body(out.bytes) }
            out.removeAll(keepingCapacity: true)
            switch status {
            case Z_STREAM_END: isInMember = false
            case Z_OK: break
            case Z_BUF_ERROR: if stream.pointee.avail_in == 0, input.isLast { return }
            default: throw failure(Failure(reason: "it begins as gzip, and is damaged"))
            }
        }
    }

    /// Whether all bytes so far are complete members.
    package var isAtEnd: Bool { !isInMember }
}
