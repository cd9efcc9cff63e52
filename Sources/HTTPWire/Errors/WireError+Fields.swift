// Faults of field lines and their values, and how to correct them.

extension WireError {
    static func headerTooLarge(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.headerBytesMax, of: limits, at: offset) {
            "All header fields together may have \($0) bytes; "
                + "cookies are often the reason, and none is needed here."
        }
    }

    static func tooManyFields(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.headerCountMax, of: limits, at: offset) {
            "A request may have \($0) header fields."
        }
    }

    static func lineFolding(at offset: Int) -> WireError {
        bad(
            "obsolete-line-folding", offset,
            "A header line begins with white space. Values cannot go on on the next line "
                + "any more (RFC 9112 section 5.2): write each field on one line.")
    }

    static func fieldName(_ byte: UInt8, at offset: Int) -> WireError {
        switch byte {
        case Ascii.space, Ascii.tab:
            bad(
                "white-space-before-colon", offset,
                "There is \(name(byte)) in a header field's name or before its colon; "
                    + "write \"Name: value\".")
        case Ascii.cr, Ascii.lf:
            bad(
                "malformed-header", offset,
                "A header line has no colon; write \"Name: value\".")
        case UInt8(ascii: ":"):
            bad("malformed-header", offset, "A header line has no name before its colon.")
        default:
            bad(
                "malformed-header", offset,
                "A header field's name holds \(name(byte)); it consists of letters, digits "
                    + "and hyphens.")
        }
    }

    /// A control character where only text or CR LF may stand.
    static func control(_ byte: UInt8, at offset: Int) -> WireError {
        switch byte {
        case Ascii.cr:
            bad(
                "malformed-line-end", offset,
                "A carriage return stands alone: lines end with CR LF, and neither of the two "
                    + "may stand anywhere else.")
        case Ascii.lf:
            bad(
                "malformed-line-end", offset,
                "A line feed without a carriage return before it: lines end with CR LF "
                    + "(printf '…\\r\\n').")
        default:
            bad(
                "control-character", offset,
                "A header field's value holds \(name(byte)); control characters other than tabs "
                    + "are not allowed there.")
        }
    }

    static func missingHost() -> WireError {
        WireError(
            status: 400, code: "missing-host",
            detail: "An HTTP/1.1 request needs a Host field, as in \"Host: localhost:8080\".")
    }

    static func repeatedHost(at offset: Int) -> WireError {
        bad("repeated-host", offset, "There is more than one Host field; send exactly one.")
    }

    static func host(at offset: Int) -> WireError {
        bad(
            "malformed-host", offset,
            "Host holds a name or an address and perhaps a port, as in \"localhost:8080\" or "
                + "\"[::1]:8080\", and nothing else.")
    }

    static func contentLength(at offset: Int) -> WireError {
        bad(
            "malformed-content-length", offset,
            "Content-Length is a number of bytes in decimal digits, as in "
                + "\"Content-Length: 12\", without sign, list or space inside.")
    }

    static func repeatedContentLength(at offset: Int) -> WireError {
        bad(
            "repeated-content-length", offset,
            "There is more than one Content-Length; send exactly one.")
    }

    static func ambiguousLength() -> WireError {
        WireError(
            status: 400, code: "ambiguous-length",
            detail: "There are both Content-Length and Transfer-Encoding, so that two readers may "
                + "see two different bodies (RFC 9112 section 6.1); send only one of them.")
    }

    static func transferEncoding(at offset: Int) -> WireError {
        bad(
            "malformed-transfer-encoding", offset,
            "Transfer-Encoding must be \"chunked\", once and without parameters.")
    }

    static func transferCoding(at offset: Int) -> WireError {
        bad(
            "unknown-transfer-coding", offset,
            "The only transfer coding understood here is \"chunked\". To send a compressed body "
                + "use \"Content-Encoding: gzip\".", status: 501)
    }

    static func transferEncodingInHTTP10() -> WireError {
        WireError(
            status: 400, code: "transfer-encoding-in-http-1-0",
            detail: "HTTP/1.0 knows no Transfer-Encoding; send Content-Length or use HTTP/1.1.")
    }

    static func expectation(at offset: Int) -> WireError {
        bad(
            "unknown-expectation", offset,
            "The only expectation understood here is \"Expect: 100-continue\".", status: 417)
    }
}
