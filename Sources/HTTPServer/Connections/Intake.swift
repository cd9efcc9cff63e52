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

/// Recognises whole requests. A shard has one for requests that arrive in one piece; one that does
/// not is copied into the connection until the rest comes. Confined to its shard.
final class Intake {
    enum Stage {
        case head
        case body
    }

    // No access overlaps another: nothing that is called here comes back.
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) private(set) var head = RequestHead()
    @exclusivity(unchecked) private(set) var stage = Stage.head
    @exclusivity(unchecked) private var decoder: ChunkedDecoder
    /// The payload of a chunked body so far.
    @exclusivity(unchecked) private(set) var decoded: OutputBuffer?
    /// Bytes after the head that were decoded and are not needed again.
    @exclusivity(unchecked) private(set) var chunkedBytes = 0
    /// Why the body is too long, unless a sink takes it.
    @exclusivity(unchecked) private(set) var excess: WireError?
    private let limits: WireLimits

    init(limits: WireLimits) {
        self.limits = limits
        parser = RequestParser(limits: limits)
        decoder = ChunkedDecoder(limits: limits)
    }

    /// Where another one is; it lets go of what it has collected when it is reset.
    init(copying other: Intake) {
        limits = other.limits
        parser = other.parser
        head = other.head
        stage = other.stage
        decoder = other.decoder
        decoded = other.decoded
        chunkedBytes = other.chunkedBytes
        excess = other.excess
    }

    /// The next bytes are the first of another request.
    func reset() {
        parser.reset()
        stage = .head
        if decoded != nil {
            decoded = nil
            decoder.reset()
        }
        chunkedBytes = 0
        if excess != nil { excess = nil }
    }

    /// Looks at `bytes`, which begin with the request's first; only those that `dropDecoded` took
    /// out may be missing.
    func advance(_ bytes: UnsafeRawBufferPointer) -> IntakeResult {
        if stage == .head {
            switch parser.parse(bytes, into: &head) {
            case .needMore: return .needMore
            case .malformed(let error):
                if error.isHeadComplete { stage = .body }
                guard error.isExcess, case .length = head.framing else { return .refused(error) }
                // The handler is asked first: it may take the body as it comes.
                excess = error
                return .needMore
            case .done: stage = .body
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

    var decodedCount: Int { decoded?.count ?? 0 }

    /// The payload of a chunked body since the last call.
    func takeDecoded() -> OutputBuffer? {
        defer { decoded = OutputBuffer() }
        return decoded
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, bodyBytesMax: Int
    ) -> IntakeResult {
        let isFirst = decoded == nil
        let payload = decoded ?? OutputBuffer()
        decoded = payload
        let fresh = UnsafeRawBufferPointer(rebasing: bytes[(head.byteCount &+ chunkedBytes)...])
        let (consumed, state) = decoder.decode(
            fresh, into: payload, bodyBytesMax: bodyBytesMax)
        chunkedBytes &+= consumed
        switch state {
        case .needMore: return .needMore
        case .done: return .complete(head.byteCount &+ chunkedBytes)
        case .malformed(let error):
            guard isFirst, error.isExcess else { return .refused(error) }
            // The handler is asked first: it may take the body as it comes, from its first byte.
            decoded = nil
            decoder.reset()
            chunkedBytes = 0
            excess = error
            return .needMore
        }
    }

    /// The caller took the decoded bytes out from behind the head.
    func dropDecoded() { chunkedBytes = 0 }

    /// Takes over a request that came in pieces, so that there is one place to read it from.
    func adopt(_ other: Intake) {
        head = other.head
        stage = other.stage
        decoded = other.decoded
    }

    /// A request that was taken out comes back: its head is there to be looked at again.
    func stand(in head: RequestHead) {
        self.head = head
        stage = .body
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
        case .chunked: return decoded?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// How many bytes the request will take in the buffer, as far as that is known.
    var bytesExpected: Int? {
        guard stage == .body, case .length(let size) = head.framing else { return nil }
        return head.byteCount &+ size
    }
}
