// A body on its way to its sink. The connection collects a piece, a worker hands it to the sink, and nothing
// is received until the sink has it: so a sink that is slow holds back its client, and a body of any length
// takes the memory of one piece.

import HTTPWire

/// The state of a body on its way to a sink.
///
/// `@unchecked Sendable`: it belongs to the shard, or to the worker that has the present piece; neither uses it
/// after passing it on.
final class BodyFeed: @unchecked Sendable {
    let sink: any BodySink
    private let decoder: GzipDecoder?
    private let limits: WireLimits
    /// Bytes that came out of the decoder.
    private var plainBytes = 0
    /// Bytes of the body that were handed to workers, without chunk framing and before decompression.
    var handedBytes = 0
    /// When the worker got the piece at hand.
    var handedAt: UInt64 = 0
    /// Why decoding failed: damaged gzip, too large an expansion, or no memory.
    private(set) var error: WireError?
    /// The sink wants no more.
    private(set) var isRefused = false

    init(_ sink: any BodySink, isPacked: Bool, _ limits: WireLimits) {
        self.sink = sink
        self.limits = limits
        decoder = isPacked ? GzipDecoder() : nil
    }

    private enum Stop: Error {
        case refused, damaged, tooLong, noMemory
    }

    /// How much of a body goes to the sink in one slice of work. A kilobyte of gzip can hold a megabyte.
    var sliceBytes: Int { decoder == nil ? 65_536 : 1_024 }

    var isOver: Bool { isRefused || error != nil }

    func take(_ bytes: UnsafeRawBufferPointer) {
        guard let decoder else {
            if !bytes.isEmpty { isRefused = !sink.take(bytes) }
            return
        }
        let allowed = limits.expandedBytesMax(of: handedBytes)
        do throws(Stop) {
            try decoder.feed(
                bytes, failure: { $0 == .noMemory ? .noMemory : .damaged },
                { plain throws(Stop) in
                    self.plainBytes += plain.count
                    if self.plainBytes > allowed { throw .tooLong }
                    if !self.sink.take(plain) { throw .refused }
                })
        } catch {
            switch error {
            case .refused: isRefused = true
            case .tooLong: self.error = .bodyExpandsTooFar(limits)
            case .noMemory: self.error = .outOfMemory()
            case .damaged:
                self.error = .gzip(
                    "The body is not what Content-Encoding: gzip says: it is no gzip, or damaged.")
            }
        }
    }

    /// The body has no more bytes.
    func end() {
        guard !isOver, let decoder, !decoder.isAtEnd else { return }
        error = .gzip("The gzip body ends too early; send all of it.")
    }
}

/// Hands a piece to the sink.
private final class FeedWork: Work, @unchecked Sendable {
    // Used by one slice at a time, and by the shard after the last.
    private let feed: BodyFeed
    private let piece: RequestBody
    private let isLast: Bool
    private var position = 0

    init(_ feed: BodyFeed, _ piece: RequestBody, isLast: Bool) {
        self.feed = feed
        self.piece = piece
        self.isLast = isLast
    }

    func slice() -> Bool {
        let end = min(position + feed.sliceBytes, piece.bytes.count)
        feed.take(UnsafeRawBufferPointer(rebasing: piece.bytes[position..<end]))
        position = end
        guard feed.isOver || position == piece.bytes.count else { return false }
        if isLast { feed.end() }
        return true
    }

    func finish(_ connection: Connection) { connection.fed(feed, isLast: isLast) }
}

extension Connection {
    /// Pieces have at least this many bytes, except the last.
    private static let pieceBytesMin = 65_536

    /// From within `expectBody`, where the request's head can be read.
    func feedBody(to sink: any BodySink) {
        var isPacked = false
        if intake.first(.contentEncoding) != nil {
            guard let coding = intake.head.contentCoding(in: shard.request.bytes) else { return }
            isPacked = coding == .gzip
        }
        feed = BodyFeed(sink, isPacked: isPacked, shard.wireLimits)
    }

    /// Hands the received bytes to a worker if they are a whole piece, else waits for more.
    func advance(_ feed: BodyFeed, _ inbound: InboundBuffer) {
        let headBytes = inbound.intake.head.byteCount
        var isLast = true
        var piece: OutputBuffer?
        switch inbound.intake.head.framing {
        case .none: piece = OutputBuffer()
        case .length(let size):
            let left = size - feed.handedBytes
            let available = min(left, inbound.count - headBytes)
            isLast = available == left
            guard isLast || available >= Self.pieceBytesMin else { break }
            let copy = OutputBuffer()
            guard copy.tryToReserve(available) else {
                self.feed = nil
                intake.adopt(inbound.intake)
                return refuse(.noMemoryToReceive, inbound.bytes)
            }
            copy.append(
                UnsafeRawBufferPointer(
                    rebasing: inbound.bytes[headBytes..<(headBytes + available)]))
            inbound.remove(available, at: headBytes)
            piece = copy
        case .chunked:
            switch inbound.intake.decodeAny(inbound.bytes) {
            case .needMore: isLast = false
            case .complete: break
            case .refused(let error):
                self.feed = nil
                intake.adopt(inbound.intake)
                return refuse(error, inbound.bytes)
            }
            inbound.remove(inbound.intake.chunkedBytes, at: headBytes)
            inbound.intake.dropDecoded()
            guard isLast || inbound.intake.decodedCount >= Self.pieceBytesMin else { break }
            piece = inbound.intake.takeDecoded()
        }
        if !inbound.account() { shard.found.needsRoom = true }
        guard let piece else { return expectPiece(feed, inbound) }
        feed.handedBytes += piece.count
        feed.handedAt = shard.now
        awaiting = .nothing
        begin(FeedWork(feed, RequestBody(piece, shard.collected), isLast: isLast))
    }

    private func expectPiece(_ feed: BodyFeed, _ inbound: InboundBuffer) {
        awaiting = .body
        let pending = inbound.count - inbound.intake.head.byteCount + inbound.intake.decodedCount
        extendBodyDeadline(feed.handedBytes + pending)
        setDeadline(bodyDeadline)
    }

    /// The sink has the piece.
    fileprivate func fed(_ feed: BodyFeed, isLast: Bool) {
        endWait()
        phase = .reading
        guard let inbound else { return close() }
        // The time for which the workers had the piece does not count against the client.
        bodyDeadline = bodyDeadline.advanced(by: shard.now &- min(feed.handedAt, shard.now))
        if let error = feed.error {
            self.feed = nil
            intake.adopt(inbound.intake)
            refuse(error, inbound.bytes)
        } else if isLast || feed.isRefused {
            deliverFed(inbound, isWhole: isLast && !feed.isRefused)
        } else {
            advance(feed, inbound)
        }
        settle()
    }

    /// Hands the request to the handler, which finds its body in the sink.
    private func deliverFed(_ inbound: InboundBuffer, isWhole: Bool) {
        intake.adopt(inbound.intake)
        beginDelivery()
        if !isWhole {
            keepsAlive = false
            mustLinger = true
        }
        let bytes = inbound.bytes
        hand(bytes, body: UnsafeRawBufferPointer(start: nil, count: 0))
        feed = nil
        let size = intake.head.byteCount
        intake.reset()
        guard isWhole, phase != .closed else {
            self.inbound = nil
            return
        }
        inbound.intake.reset()
        serve(bytes, from: inbound, startingAt: size)
    }
}
