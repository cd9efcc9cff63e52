// Decompresses gzip: a whole body of a request up to a limit, since a kilobyte can hold a megabyte, or a text of
// any length piece by piece.

import CZlib

/// A gzip decompressor, reused from body to body. Confined to one thread at a time by its owner. Holds 40 KiB
/// once it was used.
///
/// A text is one or more complete gzip members and nothing else (RFC 1952 section 2.2).
package final class GzipDecoder {
    /// The first bytes of a gzip member.
    package static let magic: [UInt8] = [0x1F, 0x8B]

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

    /// Whether a member has begun and not ended.
    private var isInMember = false
    // The remaining input and the limits of the present body or piece.
    private var input = ZlibInput(UnsafeRawBufferPointer(start: nil, count: 0))
    private var inputBytes = 0
    /// Whether more of the text may follow the input.
    private var isPiece = false
    private var roomBytesMax = 0
    private var decodedBytesLeft = 0
    private var refusal = WireError.decodedBodyTooLarge(max: 0)

    /// Input is handed over in such pieces: with nothing coming out, a lot can go in.
    private static let inputPieceBytes = 65_536
    private static let roomBytes = 65_536
    /// The cost of a step in bytes, beside the bytes it moves: a body may have empty members alone.
    private static let stepCost = 64

    /// Appends what `bytes` decodes to. On an error nothing is appended.
    ///
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
        guard !bytes.isEmpty else {
            throw .gzip("The body is empty, but Content-Encoding says that it is gzip.")
        }
        isInMember = false
        decodedBytesLeft = max(0, decodedBytesMax)
        self.refusal = refusal ?? .decodedBodyTooLarge(max: decodedBytesLeft)
        try begin(bytes, isPiece: false, roomBytesMax: max(1_024, 4 &* min(bytes.count, 65_536)))
    }

    private func begin(
        _ bytes: UnsafeRawBufferPointer, isPiece: Bool, roomBytesMax: Int
    ) throws(WireError) {
        if !isReady {
            guard traitd_inflateInit(stream) == Z_OK else { throw .outOfMemory() }
            isReady = true
        }
        if !isInMember { inflateReset(stream) }
        isInMember = true
        stream.pointee.avail_in = 0
        input = ZlibInput(bytes)
        inputBytes = bytes.count
        self.isPiece = isPiece
        self.roomBytesMax = min(roomBytesMax, Self.roomBytes)
    }

    /// Why the next bytes of a text cannot be decoded.
    package enum Failure: Sendable {
        case damaged, noMemory

        package var reason: String {
            switch self {
            case .damaged: "it begins as gzip, and is damaged"
            case .noMemory: "there is no memory to decompress it"
            }
        }
    }

    /// Decodes the next bytes of a text that comes in pieces. `isAtEnd` says whether it may end with them.
    ///
    /// - Parameters:
    ///   - failure: makes the error to throw.
    ///   - body: gets what the bytes decode to, at most 64 KiB at a time.
    package func feed<E: Error>(
        _ bytes: UnsafeRawBufferPointer, failure: (Failure) -> E,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        if bytes.isEmpty { return }
        func attempt<R>(_ body: () throws(WireError) -> R) throws(E) -> R {
            do throws(WireError) { return try body() } catch {
                throw failure(error.status == 503 ? .noMemory : .damaged)
            }
        }
        let out = OutputBuffer()
        decodedBytesLeft = .max
        try attempt { () throws(WireError) in
            try begin(bytes, isPiece: true, roomBytesMax: .max)
        }
        var isOver = false
        while !isOver {
            isOver = try attempt { () throws(WireError) in try step(into: out) }
            if !out.isEmpty { try body(out.bytes) }
            out.removeAll(keepingCapacity: true)
        }
    }

    /// Whether all pieces so far are complete members.
    package var isAtEnd: Bool { !isInMember }

    /// Decodes until about `budget` bytes went in or came out. Returns whether the body has ended.
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

    /// Decodes as much as fits some room. Answers whether the body, or the piece, is at its end.
    private func step(into out: OutputBuffer) throws(WireError) -> Bool {
        if stream.pointee.avail_in == 0 { input.refill(stream, bytesMax: Self.inputPieceBytes) }
        var status = Z_OK
        var made = 0
        // Room for one byte more than is allowed is how an excess shows.
        let allowed = decodedBytesLeft == .max ? decodedBytesLeft : decodedBytesLeft &+ 1
        let roomBytes = min(allowed, roomBytesMax)
        guard out.tryToReserve(roomBytes) else { throw .outOfMemory() }
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

    /// Whether `status`, the result of zlib's `inflate`, ends the body or piece.
    private func isEnd(_ status: Int32) throws(WireError) -> Bool {
        let offset = inputBytes &- bytesToCome
        switch status {
        case Z_STREAM_END:
            isInMember = bytesToCome > 0
            if !isInMember { return true }
            // Another member.
            inflateReset(stream)
        case Z_OK, Z_BUF_ERROR:
            if bytesToCome == 0, stream.pointee.avail_out > 0 {
                if isPiece { return true }
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
