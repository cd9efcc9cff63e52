// Cases of what says where a body ends, of expectations and of limits.

@testable import HTTPWire

extension HeadCase {
    static let framing: [HeadCase] = [
        .post("a length", "Content-Length: 12", "POST / - h 1.1 length(12) 48"),
        .post("a length of zero", "Content-Length: 0", "POST / - h 1.1 none 47"),
        .post(
            "a length with leading zeros", "Content-Length: 0012", "POST / - h 1.1 length(12) 50"),
        .post("a length in any case", "content-LENGTH:12", "POST / - h 1.1 length(12) 47"),
        .fields("a GET with a body", "Content-Length: 5", "GET / - h 1.1 length(5) 46"),
        .post("a length with a plus", "Content-Length: +5", "400 malformed-content-length @42"),
        .post("a length with a minus", "Content-Length: -5", "400 malformed-content-length @42"),
        .post("a length in hexadecimal", "Content-Length: 0x5", "400 malformed-content-length @43"),
        .post("a fraction", "Content-Length: 5.0", "400 malformed-content-length @43"),
        .post("a length with a space", "Content-Length: 1 2", "400 malformed-content-length @43"),
        .post(
            "a list of equal lengths", "Content-Length: 5, 5",
            "400 malformed-content-length @43"),
        .post("a list of lengths", "Content-Length: 5,6", "400 malformed-content-length @43"),
        .post("an empty length", "Content-Length:", "400 malformed-content-length @41"),
        .post("a length in other digits", "Content-Length: ٣", "400 malformed-content-length @42"),
        .post("a length in quotes", "Content-Length: \"5\"", "400 malformed-content-length @42"),
        .post(
            "a length that overflows", "Content-Length: 18446744073709551617",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length that overflows often", "Content-Length: 99999999999999999999999999999999",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length over the limit", "Content-Length: 16777217",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length at the limit", "Content-Length: 16777216",
            "POST / - h 1.1 length(16777216) 54"),
        .post(
            "two lengths", "Content-Length: 5\r\nContent-Length: 6",
            "400 repeated-content-length @61"),
        .post(
            "two equal lengths", "Content-Length: 5\r\nContent-Length: 5",
            "400 repeated-content-length @61"),
        .post(
            "a name with an underscore is another", "Content_Length: 5",
            "POST / - h 1.1 none 47"),

        .post("chunked", "Transfer-Encoding: chunked", "POST / - h 1.1 chunked 56"),
        .post("chunked in any case", "transfer-encoding: CHUNKED", "POST / - h 1.1 chunked 56"),
        .post(
            "chunked with white space around", "Transfer-Encoding:\t chunked \t",
            "POST / - h 1.1 chunked 59"),
        .post(
            "both, length first", "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "400 ambiguous-length"),
        .post(
            "both, coding first", "Transfer-Encoding: chunked\r\nContent-Length: 5",
            "400 ambiguous-length"),
        .post(
            "both, length of zero", "Transfer-Encoding: chunked\r\nContent-Length: 0",
            "400 ambiguous-length"),
        .post("an empty coding", "Transfer-Encoding:", "400 malformed-transfer-encoding @44"),
        .post(
            "chunked twice", "Transfer-Encoding: chunked, chunked",
            "400 malformed-transfer-encoding @52"),
        .post(
            "chunked on two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "400 malformed-transfer-encoding @73"),
        .post(
            "chunked is not last", "Transfer-Encoding: chunked, gzip",
            "400 malformed-transfer-encoding @52"),
        .post(
            "chunked with a parameter", "Transfer-Encoding: chunked;a=b",
            "400 malformed-transfer-encoding @52"),
        .post(
            "chunked with a comma", "Transfer-Encoding: chunked,",
            "400 malformed-transfer-encoding @52"),
        .post(
            "a comma first", "Transfer-Encoding: ,chunked",
            "400 malformed-transfer-encoding @45"),
        .post(
            "chunked in quotes", "Transfer-Encoding: \"chunked\"",
            "400 malformed-transfer-encoding @45"),
        .post(
            "gzip, chunked", "Transfer-Encoding: gzip, chunked",
            "501 unknown-transfer-coding @45"),
        .post("identity", "Transfer-Encoding: identity", "501 unknown-transfer-coding @45"),
        .post("almost chunked", "Transfer-Encoding: xchunked", "501 unknown-transfer-coding @45"),
        .post(
            "a control before chunked", "Transfer-Encoding: \u{0B}chunked",
            "400 control-character @45"),
        .post(
            "chunked with a non-breaking space", "Transfer-Encoding: chunked\u{A0}",
            "400 malformed-transfer-encoding @52"),
        .post(
            "a coding folded away", "Transfer-Encoding:\r\n chunked",
            "400 malformed-transfer-encoding @44"),
        .post(
            "a space before the coding's colon", "Transfer-Encoding : chunked",
            "400 white-space-before-colon @43"),
        .post(
            "a control in the coding's name", "Transfer-\u{0B}Encoding: chunked",
            "400 malformed-header @35"),
        HeadCase(
            "chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 transfer-encoding-in-http-1-0"),

        .post(
            "an expectation", "Expect: 100-continue\r\nContent-Length: 1",
            "POST / - h 1.1 length(1) continue 69"),
        .post(
            "an expectation in any case", "Expect: 100-Continue\r\nContent-Length: 1",
            "POST / - h 1.1 length(1) continue 69"),
        .post("an expectation without a body", "Expect: 100-continue", "POST / - h 1.1 none 50"),
        .post("another expectation", "Expect: 200-ok", "417 unknown-expectation @34"),
        .post("an empty expectation", "Expect:", "417 unknown-expectation @33"),
        .post("two expectations", "Expect: 100-continue, x", "417 unknown-expectation @34"),
        HeadCase(
            "HTTP/1.0 has no expectations", "POST / HTTP/1.0\r\nExpect: x\r\n\r\n",
            "POST / - - 1.0 none close 30"),
    ]

    static let limits: [HeadCase] = [
        .limited(
            "a request line at the limit", "GET /2345678 HTTP/1.1", "GET /2345678 - h 1.1 none 34"),
        .limited(
            "a request line over the limit", "GET /23456789 HTTP/1.1",
            "414 request-line-too-long @21 requestLineBytesMax=21"),
        .limited(
            "a request line far over the limit", "GET /\(pad(99)) HTTP/1.1",
            "414 request-line-too-long @21 requestLineBytesMax=21"),
        .limited(
            "a method without end", pad(50),
            "414 request-line-too-long @21 requestLineBytesMax=21"),
        .limited(
            "what is wrong before the limit comes first", "GET /#\(pad(50))",
            "400 malformed-target @5"),
        .limited(
            "fields at the limit", "GET / HTTP/1.1", lines: "A: \(pad(46))\r\n",
            "GET / - h 1.1 none 78"),
        .limited(
            "fields over the limit", "GET / HTTP/1.1", lines: "A: \(pad(47))\r\n",
            "431 header-too-large @78 headerBytesMax=62"),
        .limited(
            "a field far over the limit", "GET / HTTP/1.1", lines: "A: \(pad(999))\r\n",
            "431 header-too-large @78 headerBytesMax=62"),
        .limited(
            "as many fields as allowed", "GET / HTTP/1.1", lines: "A:\r\nB:\r\nC:\r\n",
            "GET / - h 1.1 none 39"),
        .limited(
            "a field too many", "GET / HTTP/1.1", lines: "A:\r\nB:\r\nC:\r\nD:\r\n",
            "431 too-many-header-fields @37 headerCountMax=4"),
    ]

    private static func pad(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func limited(
        _ name: String, _ line: String, lines: String = "", _ outcome: String
    ) -> HeadCase {
        var made = HeadCase(name, "\(line)\r\nHost: h\r\n\(lines)\r\n", outcome)
        made.limits.requestLineBytesMax = 21
        made.limits.headerBytesMax = 62
        made.limits.headerCountMax = 4
        return made
    }
}
