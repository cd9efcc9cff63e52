// Takes the gzip coding off a request's body, and never makes more bytes than it was allowed to.

import CZlib

/// A gzip decompressor for whole bodies. Confined to one thread at a time by its owner.
package final class GzipDecoder {
    package init() {}

    /// Appends what `bytes` decodes to. On an error nothing is appended.
    ///
    /// The body is one or more complete gzip members and nothing else (RFC 1952 section 2.2).
    package func decode(
        _ bytes: UnsafeRawBufferPointer, into out: OutputBuffer, decodedBytesMax: Int
    ) throws(WireError) {}
}
