// The reading of one request: head, then body. It owns no bytes except a de-chunked body, and has no
// callbacks.

import HTTPWire

/// The result of reading the bytes so far.
enum IntakeResult {
    case needMore
    /// The request takes up that many bytes from its first.
    case complete(Int)
    case refused(WireError)
}

/// Recognises whole requests. A shard has one intake for requests that arrive in one piece; a request in
/// several pieces is copied into its connection until the rest comes. Confined to its shard.
final class Intake {
    private struct Progress {
        var stage = Stage.head
        /// Why the body is too long, unless a sink takes it.
        var excess: WireError?
    }

    /// The progress of reading a chunked body.
    private struct ChunkedBody {
        var decoder: ChunkedDecoder
        /// The payload so far.
        var decoded: OutputBuffer?
        /// Bytes after the head that were decoded and are not needed again.
        var bytes = 0
    }

    enum Stage {
        case head
        case body
    }

    // No access overlaps another: nothing that is called here comes back.
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) private(set) var head = RequestHead()
    @exclusivity(unchecked) private var progress = Progress()
    @exclusivity(unchecked) private var chunked: ChunkedBody
    private let limits: WireLimits

    var stage: Stage { progress.stage }
    /// Why the body is too long, unless a sink takes it.
    var excess: WireError? { progress.excess }
    /// The payload of a chunked body so far.
    var decoded: OutputBuffer? { chunked.decoded }
    /// Bytes after the head that were decoded and are not needed again.
    var chunkedBytes: Int { chunked.bytes }

    init(limits: WireLimits) {
        self.limits = limits
        parser = RequestParser(limits: limits)
        chunked = ChunkedBody(decoder: ChunkedDecoder(limits: limits))
    }

    /// Copies the state of another intake, which releases its collected bytes when it is reset.
    init(copying other: Intake) {
        limits = other.limits
        parser = other.parser
        head = other.head
        progress = other.progress
        chunked = other.chunked
    }

    /// The next bytes are the first of another request.
    func reset() {
        parser.reset()
        progress.stage = .head
        if chunked.decoded != nil {
            chunked.decoded = nil
            chunked.decoder.reset()
        }
        chunked.bytes = 0
        if excess != nil { progress.excess = nil }
    }

    /// Looks at `bytes`, which begin with the request's first; only those that `dropDecoded` took
    /// out may be missing.
    func advance(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        if stage == .head {
            switch parser.parse(bytes, into: &head) {
            case .needMore: return .needMore
            case .malformed(let error):
                if error.isHeadComplete { progress.stage = .body }
                guard error.isExcess, case .length = head.framing else { return .refused(error) }
                // The handler is asked first: it may take the body as it comes.
                progress.excess = error
                return .needMore
            case .done: progress.stage = .body
            }
        }
        switch head.framing {
        case .none:
            return .complete(head.byteCount)
        case .length(let size):
            // The parser bounds `size` by `bodyBytesMax`, or there is an `excess`.
            return bytes.count &- head.byteCount >= size
                ? .complete(head.byteCount &+ size) : .needMore
        case .chunked:
            return decode(bytes)
        }
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        decode(bytes, bodyBytesMax: limits.bodyBytesMax)
    }

    /// Goes on with a chunked body of any length, which a sink takes.
    func decodeAny(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        decode(bytes, bodyBytesMax: .max)
    }

    var decodedCount: Int { chunked.decoded?.count ?? 0 }

    /// The payload of a chunked body since the last call.
    func takeDecoded() -> OutputBuffer? {
        defer { chunked.decoded = OutputBuffer() }
        return chunked.decoded
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, bodyBytesMax: Int
    ) -> IntakeResult {
        let isFirst = chunked.decoded == nil
        let payload = chunked.decoded ?? OutputBuffer()
        chunked.decoded = payload
        let fresh = UnsafeRawBufferPointer(rebasing: bytes[(head.byteCount &+ chunked.bytes)...])
        let (consumed, state) = chunked.decoder.decode(
            fresh, into: payload, bodyBytesMax: bodyBytesMax)
        chunked.bytes &+= consumed
        switch state {
        case .needMore: return .needMore
        case .done: return .complete(head.byteCount &+ chunked.bytes)
        case .malformed(let error):
            guard isFirst, error.isExcess else { return .refused(error) }
            // The handler is asked first: it may take the body as it comes, from its first byte.
            chunked.decoded = nil
            chunked.decoder.reset()
            chunked.bytes = 0
            progress.excess = error
            return .needMore
        }
    }

    /// The caller took the chunked.decoded bytes out from behind the head.
    func dropDecoded() { chunked.bytes = 0 }

    /// Takes over a request that came in pieces, so that there is one place to read it from.
    func adopt(_ other: Intake) {
        head = other.head
        progress.stage = other.stage
        chunked.decoded = other.chunked.decoded
    }

    /// Restores the head of a retained request, so that its handler can read it again.
    func stand(in head: RequestHead) {
        self.head = head
        progress.stage = .body
    }

    /// The value of the first field line of that name. Read in place: a method of the head's would be
    /// called with a copy of all of it.
    @inline(__always)
    func first(_ name: HeaderName) -> ByteRange? {
        let index = name.index
        guard head.present & (1 << UInt64(index)) != 0 else { return nil }
        return head.values[index]
    }

    @inline(__always)
    func isRepeated(_ name: HeaderName) -> Bool {
        head.repeated & (1 << UInt64(name.index)) != 0
    }

    /// The body, content coding not undone; valid as long as `bytes` are.
    func body(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        switch head.framing {
        case .none: return UnsafeRawBufferPointer(start: nil, count: 0)
        case .length(let size):
            return UnsafeRawBufferPointer(
                rebasing: bytes[head.byteCount..<(head.byteCount &+ size)])
        case .chunked: return chunked.decoded?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// How many bytes the request will take in the buffer, as far as that is known.
    var bytesExpected: Int? {
        guard stage == .body, case .length(let size) = head.framing else { return nil }
        return head.byteCount &+ size
    }
}
