// Picks what to answer with from what the client says it can read (RFC 9110 section 12.5).

extension RequestHead {
    /// Whether the answer to this request may be compressed: gzip is acceptable, and not less
    /// welcome than the plain body.
    package func acceptsGzip(in bytes: UnsafeRawBufferPointer) -> Bool { false }

    /// The index of the media type to answer with; the first of equals. Without an `Accept`
    /// field, the first. `nil` when the client accepts none of them.
    package func bestMediaType(
        in bytes: UnsafeRawBufferPointer, offered: [StaticString]
    ) -> Int? { 0 }
}
