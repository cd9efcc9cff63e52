// Decompresses a request's body of gzip, up to a limit: a kilobyte can hold a megabyte.

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

    // What is left to do of the body at hand.
    private var input = ZlibInput(UnsafeRawBufferPointer(start: nil, count: 0))
    private var inputBytes = 0
    private var decodedBytesMax = 0
    private var decodedBytesLeft = 0
    private var refusal = WireError.decodedBodyTooLarge(max: 0)

    /// Input is handed over in such pieces: with nothing coming out, a lot can go in.
    private static let inputPieceBytes = 65_536
    /// What a step costs beside the bytes it moves: a body can consist of empty members alone.
    private static let stepCost = 64

    /// Appends what `bytes` decodes to. On an error nothing is appended.
    ///
    /// The body is one or more complete gzip members and nothing else (RFC 1952 section 2.2).
    /// Memory is bounded by `decodedBytesMax`, whatever the bytes claim; time by that and the input.
    ///
    /// - Parameter refusal: the error of a longer body; by default one that states `decodedBytesMax`.
    package func decode(
        _ bytes: UnsafeRawBufferPointer, into out: OutputBuffer, decodedBytesMax: Int,
        refusal: WireError? = nil
    ) throws(WireError) {
        let start = out.count
        do throws(WireError) {
            try self.start(bytes, decodedBytesMax: decodedBytesMax, refusal: refusal)
            while try !resume(into: out, budget: .max) {}
        } catch {
            out.truncate(to: start)
            throw error
        }
    }

    /// Begins with a body, to be decoded bit by bit by `resume`; `bytes` stay valid until that is over.
    package func start(
        _ bytes: UnsafeRawBufferPointer, decodedBytesMax: Int, refusal: WireError? = nil
    ) throws(WireError) {
        if !isReady {
            guard traitd_inflateInit(stream) == Z_OK else { throw .outOfMemory() }
            isReady = true
        }
        guard !bytes.isEmpty else {
            throw .gzip("The body is empty, but Content-Encoding says that it is gzip.")
        }
        inflateReset(stream)
        stream.pointee.avail_in = 0
        input = ZlibInput(bytes)
        inputBytes = bytes.count
        self.decodedBytesMax = max(0, decodedBytesMax)
        decodedBytesLeft = self.decodedBytesMax
        self.refusal = refusal ?? .decodedBodyTooLarge(max: self.decodedBytesMax)
    }

    /// Goes on until about `budget` bytes went in or came out. Answers whether that was the body's end.
    package func resume(into out: OutputBuffer, budget: Int) throws(WireError) -> Bool {
        var left = budget
        repeat {
            let before = decodedBytesLeft &+ bytesToCome
            if try step(into: out) { return true }
            left &-= before &- (decodedBytesLeft &+ bytesToCome) &+ Self.stepCost
        } while left > 0
        return false
    }

    /// Input that was not decoded yet.
    private var bytesToCome: Int { input.count &+ Int(stream.pointee.avail_in) }

    /// Decodes as much as fits some room. Answers whether the body is at its end.
    private func step(into out: OutputBuffer) throws(WireError) -> Bool {
        if stream.pointee.avail_in == 0 { input.refill(stream, bytesMax: Self.inputPieceBytes) }
        var status = Z_OK
        var made = 0
        // Room for one byte more than is allowed is how an excess shows.
        let allowed = decodedBytesLeft == .max ? decodedBytesLeft : decodedBytesLeft &+ 1
        let roomBytes = min(allowed, max(1_024, 4 &* min(inputBytes, 65_536)), 65_536)
        out.withRoom(roomBytes) { room in
            stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(roomBytes)
            status = inflate(stream, Z_NO_FLUSH)
            made = roomBytes &- Int(stream.pointee.avail_out)
            return made
        }
        guard made <= decodedBytesLeft else { throw refusal }
        decodedBytesLeft &-= made
        return try isEnd(status)
    }

    /// What zlib's answer means.
    private func isEnd(_ status: Int32) throws(WireError) -> Bool {
        let offset = inputBytes &- bytesToCome
        switch status {
        case Z_STREAM_END:
            if bytesToCome == 0 { return true }
            // Another member.
            inflateReset(stream)
        case Z_OK, Z_BUF_ERROR:
            if bytesToCome == 0, stream.pointee.avail_out > 0 {
                throw .gzip("The gzip body ends too early; send all of it.", at: offset)
            }
        case Z_MEM_ERROR: throw .outOfMemory()
        default:
            throw .gzip(
                "The body is not what Content-Encoding: gzip says: it is no gzip, is "
                    + "damaged, or has something after its end.", at: offset)
        }
        return false
    }
}
