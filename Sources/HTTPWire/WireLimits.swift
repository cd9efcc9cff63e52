// Every limit of the wire format in one place. Names say the unit, such as `headerBytesMax`.

import Limits

/// Limits on one request before its meaning is examined.
///
/// A request over a limit is refused with an error that states the limit's name and value.
package struct WireLimits: Hashable, Sendable {
    package var requestLineBytesMax = 8_192
    package var headerBytesMax = 16_384
    package var headerCountMax = 100
    package var bodyBytesMax = 16_777_216
    package var bodyExpansionRatioMax = 100
    package var chunkLineBytesMax = 256
    package var chunkExtensionBytesMax = 4_096
    package var trailerBytesMax = 8_192

    package init() {}
}

extension WireLimits: LimitTable {
    package static let all: [Limit<WireLimits>] = [
        Limit(
            "requestLineBytesMax", \.requestLineBytesMax,
            beyond: .refused(status: 414, code: "request-line-too-long"),
            help: "Bytes of method, target and version together."),
        // With their line ends and the empty line after them.
        Limit(
            "headerBytesMax", \.headerBytesMax,
            beyond: .refused(status: 431, code: "header-too-large"),
            help: "Bytes of all header fields of a request."),
        Limit(
            "headerCountMax", \.headerCountMax,
            beyond: .refused(status: 431, code: "too-many-header-fields"),
            help: "Header fields of a request."),
        // As its sender framed it: `Content-Length`, or the sum of the chunks.
        Limit(
            "bodyBytesMax", \.bodyBytesMax, 1_024...536_870_911,
            beyond: .refused(status: 413, code: "body-too-large"),
            help: "Bytes of a request's body, before and after decompression."),
        // A megabyte of zeros takes a kilobyte of gzip; documents with equal values take a 50th to an 85th.
        Limit(
            "bodyExpansionRatioMax", \.bodyExpansionRatioMax,
            beyond: .refused(status: 413, code: "body-too-large"),
            help: "How many times as long as it came a body may be after decompression; the first "
                + "64 KiB are allowed in any case."),
        Limit(
            "chunkLineBytesMax", \.chunkLineBytesMax,
            beyond: .refused(status: 400, code: "malformed-chunk"),
            help: "Bytes of a chunk's size and extensions."),
        Limit(
            "chunkExtensionBytesMax", \.chunkExtensionBytesMax,
            beyond: .refused(status: 400, code: "malformed-chunk"),
            help: "Bytes of all chunk extensions of a body."),
        Limit(
            "trailerBytesMax", \.trailerBytesMax,
            beyond: .refused(status: 431, code: "trailer-too-large"),
            help: "Bytes of the trailer fields after a body."),
    ]
}

extension WireLimits {
    /// Bytes to which a body of any compressed length may expand.
    package static let expandedBytesMin = 65_536

    /// The bytes to which `received` bytes of gzip may expand by `bodyExpansionRatioMax`.
    package func expandedBytesMax(of received: Int) -> Int {
        let (product, isBeyond) = received.multipliedReportingOverflow(by: bodyExpansionRatioMax)
        return isBeyond ? .max : max(Self.expandedBytesMin, product)
    }

    /// The refusal of a body of `received` bytes that expands beyond `decodedBytesMax(of:)`.
    package func expansionRefusal(of received: Int) -> WireError {
        expandedBytesMax(of: received) < bodyBytesMax
            ? .bodyExpandsTooFar(self) : .decodedBodyTooLarge(max: bodyBytesMax)
    }

    /// The most bytes of a body that was received as `received` bytes of gzip.
    package func decodedBytesMax(of received: Int) -> Int {
        min(bodyBytesMax, expandedBytesMax(of: received))
    }
}
