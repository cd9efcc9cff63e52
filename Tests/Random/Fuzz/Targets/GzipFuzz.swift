// Compressed bodies: never more than was allowed, and the same at once as in slices.

import GuardedBytes
import HTTPWire

enum GzipFuzz {
    /// The first byte says what the input is (a compressed body, or what to compress first), the next
    /// two how much may come of it and how long a slice is, a fourth what to damage.
    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        var source = ByteSource(input)
        let mode = source.byte()
        let allowed = mode & 4 == 0 ? 1 << 20 : Int(source.byte()) * 16
        let budget = 1 << (Int(source.byte()) % 18)
        let damage = Int(source.byte())
        guard mode & 1 == 1 else {
            return try compare(Array(source.rest), allowed, budget, of: nil)
        }
        let content = Array(source.rest)
        var body = try compressed(content)
        if mode & 2 == 2 { body += try compressed(content) }
        let expected = mode & 2 == 2 ? content + content : content
        if damage > 0 { body[damage % body.count] ^= UInt8(truncatingIfNeeded: damage) }
        try compare(body, allowed, budget, of: damage == 0 ? expected : nil)
    }

    private static func compressed(_ content: [UInt8]) throws(FuzzFailure) -> [UInt8] {
        let out = OutputBuffer()
        let isDone = content.withUnsafeBytes { GzipEncoder().encode($0, into: out) }
        guard isDone else { throw FuzzFailure("\(content.count) bytes were not compressed") }
        return out.array()
    }

    private static func compare(
        _ body: [UInt8], _ allowed: Int, _ budget: Int, of content: [UInt8]?
    ) throws(FuzzFailure) {
        let memory = GuardedBytes(capacity: body.count)
        let bytes = body.withUnsafeBytes { memory.place($0) }
        let whole = try outcome(allowed) { (decoder, out) throws(WireError) in
            try decoder.decode(bytes, into: out, decodedBytesMax: allowed)
        }
        let slices = try outcome(allowed) { (decoder, out) throws(WireError) in
            try decoder.start(bytes, decodedBytesMax: allowed)
            while try !decoder.resume(into: out, budget: budget) {}
        }
        try expectSame("at once and in slices", whole, slices)
        guard let content else { return }
        if content.count <= allowed {
            try expectSame("the content and what comes back", "\(content)", whole)
        } else if !whole.contains("413") {
            throw FuzzFailure("\(content.count) bytes, \(allowed) allowed: \(whole)")
        }
    }

    private static func outcome(
        _ allowed: Int, _ decode: (GzipDecoder, OutputBuffer) throws(WireError) -> Void
    ) throws(FuzzFailure) -> String {
        let out = OutputBuffer()
        var error: WireError?
        do throws(WireError) {
            try decode(GzipDecoder(), out)
        } catch let refusal {
            error = refusal
        }
        if let error { return error.description }
        guard out.count <= allowed else { throw FuzzFailure("\(out.count) of \(allowed) bytes") }
        return "\(out.array())"
    }
}
