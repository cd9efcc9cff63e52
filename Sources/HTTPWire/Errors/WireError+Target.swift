// What can be wrong with the percent-encoding of a piece of a target.

extension WireError {
    static func percentEncoding(at offset: Int) -> WireError {
        WireError(
            status: 400, code: "malformed-percent-encoding",
            detail: "A % is followed by two hexadecimal digits, as in %2C; "
                + "a % that is data is sent as %25.", offset: offset)
    }

    static func encodedNul(at offset: Int) -> WireError {
        WireError(
            status: 400, code: "encoded-separator",
            detail: "%00 is not allowed in a target.", offset: offset)
    }

    static func encodedSeparator(at offset: Int) -> WireError {
        WireError(
            status: 400, code: "encoded-separator",
            detail: "An encoded / or \\ (%2F, %5C) is not allowed in a path: identifiers "
                + "do not contain them.", offset: offset)
    }
}
