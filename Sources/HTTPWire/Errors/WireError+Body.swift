// Faults of a body's framing or coding, and how to correct them.

extension WireError {
    static func bodyTooLarge(max: Int, at offset: Int? = nil) -> WireError {
        WireError(beyond: \WireLimits.bodyBytesMax, value: max, at: offset) {
            "A request's body may have \($0) bytes; split it into several requests."
        }
    }

    package static func decodedBodyTooLarge(max: Int) -> WireError {
        WireError(beyond: \WireLimits.bodyBytesMax, value: max) {
            "A request's body may have \($0) bytes once it is decompressed; "
                + "split it into several requests."
        }
    }

    package static func bodyExpandsTooFar(_ limits: WireLimits) -> WireError {
        WireError(beyond: \.bodyExpansionRatioMax, of: limits) {
            "A request's body may be \($0) times as long once it is decompressed; send it without "
                + "Content-Encoding."
        }
    }

    static func chunk(_ detail: String, at offset: Int) -> WireError {
        bad("malformed-chunk", offset, detail)
    }

    static func chunkSize(_ byte: UInt8, at offset: Int) -> WireError {
        chunk(
            "A chunk begins with its size in hexadecimal digits and CR LF, as in \"1A\\r\\n\"; "
                + "there is \(name(byte)).", at: offset)
    }

    static func chunkSizeOverflow(at offset: Int) -> WireError {
        chunk("A chunk's size has more digits than any body could have.", at: offset)
    }

    static func chunkExtension(_ byte: UInt8, at offset: Int) -> WireError {
        chunk(
            "A chunk's extension is \";name\" or \";name=value\", without white space; "
                + "there is \(name(byte)). None is needed: leave it out.", at: offset)
    }

    static func chunkEnd(_ byte: UInt8, at offset: Int) -> WireError {
        chunk(
            "After a chunk's bytes comes CR LF, but there is \(name(byte)): the chunk is longer "
                + "or shorter than its size says.", at: offset)
    }

    static func chunkLineEnd(at offset: Int) -> WireError {
        chunk("A chunk's line ends with CR LF, and neither may stand alone.", at: offset)
    }

    static func chunkLineTooLong(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.chunkLineBytesMax, of: limits, at: offset) {
            "A chunk's size and extensions may have \($0) bytes."
        }
    }

    static func chunkExtensionsTooLong(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.chunkExtensionBytesMax, of: limits, at: offset) {
            "The chunk extensions of a body may have \($0) bytes together. "
                + "None is needed: leave them out."
        }
    }

    static func trailer(at offset: Int) -> WireError {
        bad(
            "malformed-trailer", offset,
            "After the last chunk come field lines (\"Name: value\", CR LF), usually none, "
                + "and an empty line.")
    }

    static func forbiddenTrailer(at offset: Int) -> WireError {
        bad(
            "malformed-trailer", offset,
            "This field cannot be sent after the body, because it says how to read or "
                + "route the request (RFC 9110 section 6.5.1); send it before the body.")
    }

    static func trailerTooLarge(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.trailerBytesMax, of: limits, at: offset) {
            "The trailer fields after a body may have \($0) bytes."
        }
    }

    package static func gzip(_ detail: String, at offset: Int? = nil) -> WireError {
        bad("malformed-gzip", offset, detail)
    }

    static let noMemoryForBody = WireError(
        status: 503, code: "out-of-memory",
        detail: "There is no memory to receive the body; try again later.")

    package static func outOfMemory() -> WireError {
        WireError(
            status: 503, code: "out-of-memory",
            detail: "There is no memory to decompress the body; try again later.")
    }
}
