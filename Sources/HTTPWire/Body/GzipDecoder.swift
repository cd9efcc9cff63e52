// Takes the gzip coding off a request's body, and never makes more bytes than it was allowed to:
// a kilobyte can claim to be a megabyte.

import CZlib

/// A gzip decompressor for whole bodies, reused from body to body. Confined to one thread at a time
/// by its owner. Holds 40 KiB once it was used.
package final class GzipDecoder {
    // zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isReady = false

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Appends what `bytes` decodes to. On an error nothing is appended.
    ///
    /// The body is one or more complete gzip members and nothing else (RFC 1952 section 2.2).
    /// Memory and time are bounded by `decodedBytesMax`, whatever the bytes claim.
    package func decode(
        _ bytes: UnsafeRawBufferPointer, into out: OutputBuffer, decodedBytesMax: Int
    ) throws(WireError) {
        if !isReady {
            guard traitd_inflateInit(stream) == Z_OK else { throw .outOfMemory() }
            isReady = true
        }
        let start = out.count
        do throws(WireError) {
            try decodeMembers(bytes, into: out, bytesMax: max(0, decodedBytesMax))
        } catch {
            out.truncate(to: start)
            throw error
        }
    }

    private func decodeMembers(
        _ bytes: UnsafeRawBufferPointer, into out: OutputBuffer, bytesMax: Int
    ) throws(WireError) {
        guard !bytes.isEmpty else {
            throw .gzip("The body is empty, but Content-Encoding says that it is gzip.")
        }
        guard bytes.count <= Int(Int32.max) else { throw .decodedBodyTooLarge(max: bytesMax) }
        var input = ZlibInput(bytes)
        input.refill(stream)
        var left = bytesMax
        while stream.pointee.avail_in > 0 {
            inflateReset(stream)
            try decodeMember(bytes.count, into: out, &left, bytesMax)
        }
    }

    /// Decodes one member. `left` is how many bytes may still come out.
    private func decodeMember(
        _ inputBytes: Int, into out: OutputBuffer, _ left: inout Int, _ bytesMax: Int
    ) throws(WireError) {
        while true {
            var status = Z_OK
            var made = 0
            // Room for one byte more than is allowed is how an excess shows.
            let roomBytes = min(left &+ 1, max(1_024, 4 &* inputBytes), 65_536)
            out.withRoom(roomBytes) { room in
                stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
                stream.pointee.avail_out = uInt(roomBytes)
                status = inflate(stream, Z_NO_FLUSH)
                made = roomBytes &- Int(stream.pointee.avail_out)
                return made
            }
            guard made <= left else { throw .decodedBodyTooLarge(max: bytesMax) }
            left &-= made
            let offset = inputBytes &- Int(stream.pointee.avail_in)
            switch status {
            case Z_STREAM_END: return
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 {
                    throw .gzip("The gzip body ends too early; send all of it.", at: offset)
                }
            case Z_MEM_ERROR: throw .outOfMemory()
            default:
                throw .gzip(
                    "The body is not what Content-Encoding: gzip says: it is no gzip, is "
                        + "damaged, or has something after its end.", at: offset)
            }
        }
    }
}
