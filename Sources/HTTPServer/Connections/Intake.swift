// One request on its way in: head, then body. It sees bytes, owns none but a de-chunked body, and
// calls nobody back.

import HTTPWire

/// What came of looking at the bytes so far.
enum IntakeResult {
    case needMore
    /// The request takes up that many bytes from its first.
    case complete(Int)
    case refused(WireError)
}

/// Recognises whole requests. A shard has one for requests that arrive in one piece; one that does
/// not is moved into the connection until the rest comes.
struct Intake {
    enum Stage {
        case head
        case body
    }

    private var parser: RequestParser
    var head = RequestHead()
    private(set) var stage = Stage.head
    private var decoder: ChunkedDecoder
    /// The payload of a chunked body so far.
    private(set) var decoded: OutputBuffer?
    /// Bytes after the head that were decoded and are not needed again.
    private(set) var chunkedBytes = 0
    private let limits: WireLimits

    init(limits: WireLimits) {
        self.limits = limits
        parser = RequestParser(limits: limits)
        decoder = ChunkedDecoder(limits: limits)
    }

    /// The next bytes are the first of another request.
    mutating func reset() {
        parser.reset()
        stage = .head
        if decoded != nil {
            decoded = nil
            decoder.reset()
        }
        chunkedBytes = 0
    }

    /// Looks at `bytes`, which begin with the request's first; only those that `dropDecoded` took
    /// out may be missing.
    mutating func advance(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        if stage == .head {
            switch parser.parse(bytes, into: &head) {
            case .needMore: return .needMore
            case .malformed(let error): return .refused(error)
            case .done: stage = .body
            }
        }
        switch head.framing {
        case .none:
            return .complete(head.byteCount)
        case .length(let size):
            // The parser bounds `size` by `bodyBytesMax`.
            return bytes.count &- head.byteCount >= size
                ? .complete(head.byteCount &+ size) : .needMore
        case .chunked:
            return decode(bytes)
        }
    }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        let payload = decoded ?? OutputBuffer()
        decoded = payload
        let fresh = UnsafeRawBufferPointer(rebasing: bytes[(head.byteCount &+ chunkedBytes)...])
        let (consumed, state) = decoder.decode(
            fresh, into: payload, bodyBytesMax: limits.bodyBytesMax)
        chunkedBytes &+= consumed
        switch state {
        case .needMore: return .needMore
        case .done: return .complete(head.byteCount &+ chunkedBytes)
        case .malformed(let error): return .refused(error)
        }
    }

    /// The caller took the decoded bytes out from behind the head.
    mutating func dropDecoded() { chunkedBytes = 0 }

    /// Takes over a request that came in pieces, so that there is one place to read it from.
    mutating func adopt(_ other: Intake) {
        head = other.head
        stage = other.stage
        decoded = other.decoded
    }

    /// A request that was taken out comes back: its head is there to be looked at again.
    mutating func stand(in head: RequestHead) {
        self.head = head
        stage = .body
    }

    /// The body, content coding not undone; valid as long as `bytes` are.
    func body(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        switch head.framing {
        case .none: return UnsafeRawBufferPointer(start: nil, count: 0)
        case .length(let size):
            return UnsafeRawBufferPointer(
                rebasing: bytes[head.byteCount..<(head.byteCount &+ size)])
        case .chunked: return decoded?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// How many bytes the request will take in the buffer, as far as that is known.
    var bytesExpected: Int? {
        guard stage == .body, case .length(let size) = head.framing else { return nil }
        return head.byteCount &+ size
    }
}
