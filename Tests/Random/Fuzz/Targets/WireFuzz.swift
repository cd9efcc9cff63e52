// Requests one after the other, as a connection receives them: what comes of them may not depend on
// where the bytes were cut, which is what request smuggling lives on.

import GuardedBytes
import HTTPWire

enum WireFuzz {
    private static let bytesMax = 16_384

    /// The first byte chooses the limits, the next two the cuts, the rest is what a client sends.
    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        var source = ByteSource(input)
        let limits = source.byte() & 1 == 0 ? WireLimits() : tightLimits
        let (size, variety) = (source.byte(), source.byte())
        // A line is judged when its end is there; so it always comes.
        let bytes = Array(source.rest.prefix(bytesMax)) + Array("\r\n\r\n".utf8)
        let memory = GuardedBytes(capacity: bytes.count)
        let whole = try WireReading.outcomes(of: bytes, [bytes.count], limits, memory)
        let pieces = try WireReading.outcomes(
            of: bytes, cuts(of: bytes.count, size: size, variety: variety), limits, memory)
        try expectSame("whole and in pieces", whole, pieces)
        guard bytes.count <= 256 else { return }
        let crawl = try WireReading.outcomes(of: bytes, Array(1...bytes.count), limits, memory)
        try expectSame("whole and byte by byte", whole, crawl)
    }

    /// Limits that short inputs reach.
    private static let tightLimits: WireLimits = {
        var limits = WireLimits()
        limits.requestLineBytesMax = 48
        limits.headerBytesMax = 128
        limits.headerCountMax = 6
        limits.bodyBytesMax = 64
        limits.chunkLineBytesMax = 24
        limits.chunkExtensionBytesMax = 32
        limits.trailerBytesMax = 48
        return limits
    }()
}

/// Reads requests from bytes that arrive little by little, and says what it saw in words.
private struct WireReading {
    private let bytes: [UInt8]
    private let limits: WireLimits
    private let memory: GuardedBytes
    private var parser: RequestParser
    private var head = RequestHead()
    private var decoder: ChunkedDecoder
    private let body = OutputBuffer()
    /// Where the request at hand begins, and what of its chunked body was taken.
    private var start = 0
    private var chunkedBytes = 0
    private var isInBody = false
    private var seen: [String] = []

    private enum Step { case goOn, needMore, over }

    static func outcomes(
        of bytes: [UInt8], _ cuts: [Int], _ limits: WireLimits, _ memory: GuardedBytes
    ) throws(FuzzFailure) -> [String] {
        var reading = WireReading(bytes, limits, memory)
        for cut in cuts {
            var step = Step.goOn
            while step == .goOn, reading.start < cut { step = try reading.advance(to: cut) }
            if step == .over { return reading.seen }
        }
        reading.seen.append(reading.isInBody ? "in a body" : "in a head")
        return reading.seen
    }

    private init(_ bytes: [UInt8], _ limits: WireLimits, _ memory: GuardedBytes) {
        self.bytes = bytes
        self.limits = limits
        self.memory = memory
        parser = RequestParser(limits: limits)
        decoder = ChunkedDecoder(limits: limits)
    }

    private mutating func advance(to cut: Int) throws(FuzzFailure) -> Step {
        let from = start
        let view = bytes.withUnsafeBytes {
            memory.place(UnsafeRawBufferPointer(rebasing: $0[from..<cut]))
        }
        if !isInBody {
            switch parser.parse(view, into: &head) {
            case .needMore: return .needMore
            case .malformed(let error): return refused(error)
            case .done:
                seen.append(try HeadWords.describe(head, view, limits))
                isInBody = true
            }
        }
        switch head.framing {
        case .none: return finish(head.byteCount)
        case .length(let size):
            guard size <= limits.bodyBytesMax else { throw FuzzFailure("a length over its limit") }
            return view.count - head.byteCount < size ? .needMore : finish(head.byteCount + size)
        case .chunked: return try decode(view)
        }
    }

    private mutating func decode(_ view: UnsafeRawBufferPointer) throws(FuzzFailure) -> Step {
        let fresh = UnsafeRawBufferPointer(rebasing: view[(head.byteCount + chunkedBytes)...])
        let (consumed, state) = decoder.decode(
            fresh, into: body, bodyBytesMax: limits.bodyBytesMax)
        guard consumed <= fresh.count, body.count <= limits.bodyBytesMax else {
            throw FuzzFailure("\(consumed) of \(fresh.count) bytes, a body of \(body.count)")
        }
        chunkedBytes += consumed
        switch state {
        case .needMore: return .needMore
        case .malformed(let error): return refused(error)
        case .done:
            seen.append("body \(body.array())")
            return finish(head.byteCount + chunkedBytes)
        }
    }

    private mutating func refused(_ error: WireError) -> Step {
        seen.append(error.description)
        return .over
    }

    private mutating func finish(_ size: Int) -> Step {
        seen.append("\(size) bytes")
        start += size
        isInBody = false
        chunkedBytes = 0
        decoder.reset()
        body.removeAll()
        return .goOn
    }
}
