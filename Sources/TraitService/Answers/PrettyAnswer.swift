// `?pretty=true`: JSON laid out for people. A short answer is laid out when it leaves, a long one part
// after part beside the shard.

import HTTPServer
import HTTPWire
import JSONCodec

/// Lays out what another producer makes.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
private final class IndentingProducer: BodyProducer, @unchecked Sendable {
    private let producer: any BodyProducer
    private let plain = OutputBuffer()
    private var indenter = JSONIndenter()

    init(_ producer: any BodyProducer) { self.producer = producer }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        plain.removeAll()
        // Laid out it takes about twice as much.
        let isLast = producer.produce(into: plain, budget: max(1, budget / 2))
        indenter.lay(plain.bytes) { out.append($0) }
        return isLast
    }
}

/// Makes a body of bytes that are there.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
private final class BytesProducer: BodyProducer, @unchecked Sendable {
    private let bytes: OutputBuffer
    private var position = 0

    init(_ bytes: OutputBuffer) { self.bytes = bytes }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        let end = min(bytes.count, position + max(1, budget))
        out.append(UnsafeRawBufferPointer(rebasing: bytes.bytes[position..<end]))
        position = end
        return position == bytes.count
    }
}

enum PrettyAnswer {
    /// Longer bodies are laid out beside the shard: a hundred microseconds.
    static let inlineBytesMax = 32_768

    /// Whether answers of that type are laid out: one JSON value, not lines of them.
    private static func covers(_ contentType: StaticString?) -> Bool {
        guard let contentType else { return false }
        let type = UnsafeRawBufferPointer(
            start: contentType.utf8Start, count: contentType.utf8CodeUnitCount)
        return type.elementsEqual("application/json".utf8)
            || type.elementsEqual("application/problem+json".utf8)
    }

    /// The body as it is to leave.
    static func laidOut(_ body: LeavingBody, _ contentType: StaticString?) -> LeavingBody {
        guard covers(contentType) else { return body }
        switch body {
        case .stream: return body
        case .produced(let producer): return .produced(IndentingProducer(producer))
        case .borrowed(let bytes): return laidOut(bytes) { OutputBuffer(copying: bytes) }
        case .owned(let buffer): return laidOut(buffer.bytes) { buffer }
        }
    }

    private static func laidOut(
        _ bytes: UnsafeRawBufferPointer, _ kept: () -> OutputBuffer
    ) -> LeavingBody {
        if bytes.count > inlineBytesMax {
            return .produced(IndentingProducer(BytesProducer(kept())))
        }
        let out = OutputBuffer(capacity: bytes.count * 2)
        var indenter = JSONIndenter()
        indenter.lay(bytes) { out.append($0) }
        return .owned(out)
    }

    /// How many bytes of a body in the context a client gets at once: what is made beside the shard is
    /// not compressed. O(bytes).
    static func sentBytes(of body: UnsafeRawBufferPointer) -> Int {
        body.count > inlineBytesMax ? 0 : JSONIndenter.count(of: body)
    }
}

extension OutputBuffer {
    fileprivate convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count)
        append(bytes)
    }
}
