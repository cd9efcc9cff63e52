// `?pretty=true`: indented JSON. A short answer is indented on the shard when it is sent, a long one part by
// part on the workers.

import HTTPServer
import HTTPWire
import JSONCodec

enum PrettyAnswer {
    /// The longest body that is indented on the shard, which takes about a hundred microseconds.
    static let inlineBytesMax = 32_768

    /// Whether answers of that type are indented: one JSON value, not NDJSON.
    private static func covers(_ contentType: StaticString?) -> Bool {
        guard let contentType else { return false }
        let type = UnsafeRawBufferPointer(
            start: contentType.utf8Start, count: contentType.utf8CodeUnitCount)
        return type.elementsEqual("application/json".utf8)
            || type.elementsEqual("application/problem+json".utf8)
            || type.elementsEqual("application/design-tokens+json".utf8)
    }

    /// The body as it is to be sent.
    static func laidOut(_ body: LeavingBody, _ contentType: StaticString?) -> LeavingBody {
        guard covers(contentType) else { return body }
        switch body {
        case .stream: return body
        case .produced(let producer): return .produced(.indenting(producer))
        case .borrowed(let bytes): return laidOut(bytes) { OutputBuffer(copying: bytes) }
        case .owned(let buffer): return laidOut(buffer.bytes) { buffer }
        }
    }

    private static func laidOut(
        _ bytes: UnsafeRawBufferPointer, _ kept: () -> OutputBuffer
    ) -> LeavingBody {
        if bytes.count > inlineBytesMax {
            return .produced(.indenting(BodyProducer(kept())))
        }
        let out = OutputBuffer(capacity: bytes.count * 2)
        var indenter = JSONIndenter()
        indenter.lay(bytes) { out.append($0) }
        return .owned(out)
    }

    /// How many bytes of the context's body are sent by the shard; 0 when the workers indent the body,
    /// which is not compressed then. O(bytes).
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

extension BodyProducer {
    /// Indents the JSON of another producer.
    fileprivate static func indenting(_ producer: BodyProducer) -> BodyProducer {
        let plain = OutputBuffer()
        var indenter = JSONIndenter()
        return BodyProducer { out, budget in
            plain.removeAll()
            // Indented JSON takes about twice as many bytes.
            let part = producer.produce(into: plain, budget: max(1, budget / 2))
            indenter.lay(plain.bytes) { out.append($0) }
            return part
        }
    }
}
