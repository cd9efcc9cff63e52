// Faults of a request line, and how to correct them.

extension WireError {
    /// How a byte is named to a person.
    static func name(_ byte: UInt8) -> String {
        switch byte {
        case 0: return "a NUL"
        case 0x09: return "a tab"
        case 0x0A: return "a line feed"
        case 0x0D: return "a carriage return"
        case 0x20: return "a space"
        case 0x21...0x7E: return "\"\(Character(UnicodeScalar(byte)))\""
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            return "the byte 0x\(digits.count < 2 ? "0" : "")\(digits)"
        }
    }

    static func tlsOnPlainPort() -> WireError {
        bad(
            "tls-on-plain-port", 0,
            "This looks like the start of TLS, but the port speaks plain HTTP: "
                + "use http:// instead of https://.")
    }

    static func emptyRequestLine(at offset: Int) -> WireError {
        bad(
            "malformed-request-line", offset,
            "A request line was expected, such as \"GET /v1/sessions HTTP/1.1\", "
                + "but there are empty lines; at most one is tolerated before a request.")
    }

    static func method(_ byte: UInt8, at offset: Int) -> WireError {
        bad(
            "malformed-method", offset,
            "A request begins with a method such as GET, followed by one space; "
                + "\(name(byte)) cannot be part of a method.")
    }

    static func target(_ byte: UInt8, at offset: Int) -> WireError {
        switch byte {
        case UInt8(ascii: "#"):
            bad(
                "malformed-target", offset,
                "A fragment (from # on) is never sent to a server; "
                    + "send a # that is data as %23.")
        case 0x80...:
            bad(
                "malformed-target", offset,
                "The target holds \(name(byte)): bytes outside ASCII are sent percent-encoded, "
                    + "as UTF-8 (é is %C3%A9).")
        case Ascii.cr, Ascii.lf:
            bad(
                "malformed-request-line", offset,
                "The request line ends after its target: it needs a version, as in "
                    + "\"GET /v1/sessions HTTP/1.1\". HTTP/0.9 is not spoken here.")
        default:
            bad(
                "malformed-target", offset,
                "The target holds \(name(byte)): control characters are sent percent-encoded.")
        }
    }

    static func emptyTarget(at offset: Int) -> WireError {
        bad(
            "malformed-request-line", offset,
            "Exactly one space stands between the method and the target, and a target is "
                + "never empty: \"GET / HTTP/1.1\".")
    }

    static func targetForm(at offset: Int) -> WireError {
        bad(
            "malformed-target", offset,
            "The target must be a path that begins with / (or http://host/path; "
                + "* with OPTIONS only).")
    }

    static func authorityForm(at offset: Int) -> WireError {
        bad(
            "malformed-target", offset,
            "The target of CONNECT is a host and a port, as in \"example.com:443\".")
    }

    static func targetAuthority(at offset: Int) -> WireError {
        bad(
            "malformed-target", offset,
            "After http:// the target needs a host, perhaps with a port, "
                + "and neither a user name nor a password.")
    }

    static func afterTarget(_ byte: UInt8, at offset: Int) -> WireError {
        bad(
            "malformed-request-line", offset,
            "After the target come one space, HTTP/1.1 and CR LF, but there is \(name(byte)). "
                + "A space that belongs to the target is sent as %20.")
    }

    static func version(at offset: Int) -> WireError {
        bad(
            "unsupported-version", offset,
            "Only HTTP/1.1 and HTTP/1.0 are spoken here (with curl: --http1.1).", status: 505)
    }

    static func http2(at offset: Int) -> WireError {
        bad(
            "unsupported-version", offset,
            "This is the preface of HTTP/2, but only HTTP/1.1 and HTTP/1.0 are spoken here "
                + "(with curl: --http1.1 instead of --http2-prior-knowledge).", status: 505)
    }

    static func requestLineTooLong(_ limits: WireLimits, at offset: Int) -> WireError {
        WireError(beyond: \.requestLineBytesMax, of: limits, at: offset) {
            "Method, target and version together may have \($0) bytes; "
                + "put long lists into a request's body."
        }
    }
}
