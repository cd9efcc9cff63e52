// Cases by which one program was made to see other requests than its neighbour: each has worked
// somewhere. None is repaired here.

extension HeadCase {
    static let smuggling: [HeadCase] = [
        // Lengths that are read in two ways.
        .post(
            "a length with a plus and zero", "Content-Length: +0",
            "400 malformed-content-length @42"),
        .post("a length of minus zero", "Content-Length: -0", "400 malformed-content-length @42"),
        .post("a length of 0x0", "Content-Length: 0x0", "400 malformed-content-length @43"),
        .post(
            "a length in octal notation", "Content-Length: 0o7", "400 malformed-content-length @43"),
        .post(
            "a length with an exponent", "Content-Length: 5e0", "400 malformed-content-length @43"),
        .post(
            "a length with an underscore", "Content-Length: 1_000",
            "400 malformed-content-length @43"),
        .post(
            "a length with an apostrophe", "Content-Length: 1'000",
            "400 malformed-content-length @43"),
        .post(
            "a length with a semicolon", "Content-Length: 5;", "400 malformed-content-length @43"),
        .post(
            "a length with a comma behind it", "Content-Length: 5,",
            "400 malformed-content-length @43"),
        .post(
            "a length with a comma before it", "Content-Length: ,5",
            "400 malformed-content-length @42"),
        .post("a length that is a letter", "Content-Length: a", "400 malformed-content-length @42"),
        .post(
            "a length in full-width digits", "Content-Length: ５", "400 malformed-content-length @42"
        ),
        .post("a length with a NUL", "Content-Length: 5\0", "400 control-character @43"),
        .post(
            "a length after a vertical tab", "Content-Length: \u{0B}5", "400 control-character @42"),
        .post("a length after a tab", "Content-Length:\t5", "POST / - h 1.1 length(5) 47"),
        .post(
            "a length with white space behind it", "Content-Length: 5 \t",
            "POST / - h 1.1 length(5) 49"),
        .post(
            "a length with many leading zeros",
            "Content-Length: 0000000000000000000000000000000005", "POST / - h 1.1 length(5) 80"),
        .post(
            "a length of 2 to the 32nd and 5", "Content-Length: 4294967301",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length of 2 to the 63rd less one", "Content-Length: 9223372036854775807",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length of 2 to the 63rd", "Content-Length: 9223372036854775808",
            "413 body-too-large bodyBytesMax=16777216"),
        .post(
            "a length of 2 to the 64th and 5", "Content-Length: 18446744073709551621",
            "413 body-too-large bodyBytesMax=16777216"),
        .post("a folded length", "Content-Length: 1\r\n 2", "400 obsolete-line-folding @45"),
        .post(
            "a length, and one with a space before its colon",
            "Content-Length: 5\r\nContent-Length : 6", "400 white-space-before-colon @59"),
        .post(
            "two lengths that are both malformed",
            "Content-Length: x\r\nContent-Length: y", "400 malformed-content-length @42"),

        // Codings that only one of two sees.
        .post(
            "a form feed before chunked", "Transfer-Encoding: \u{0C}chunked",
            "400 control-character @45"),
        .post("a NUL before chunked", "Transfer-Encoding: \0chunked", "400 control-character @45"),
        .post("a NUL behind chunked", "Transfer-Encoding: chunked\0", "400 control-character @52"),
        .post(
            "a vertical tab behind chunked", "Transfer-Encoding: chunked\u{0B}",
            "400 control-character @52"),
        .post(
            "a bare LF before chunked", "Transfer-Encoding:\nchunked", "400 malformed-line-end @44"),
        .post(
            "a bare CR before chunked", "Transfer-Encoding:\rchunked", "400 malformed-line-end @44"),
        .post(
            "a line end in the coding's name", "Transfer-Encoding\n: chunked",
            "400 malformed-header @43"),
        .post(
            "a bare LF that hides a coding", "X: y\nTransfer-Encoding: chunked",
            "400 malformed-line-end @30"),
        .post(
            "a bare CR that hides a coding", "X: y\rTransfer-Encoding: chunked",
            "400 malformed-line-end @30"),
        HeadCase(
            "a coding as the first line, folded",
            "POST / HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: h\r\n\r\n",
            "400 obsolete-line-folding @17"),
        .post(
            "chunked, then identity",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "400 malformed-transfer-encoding @73"),
        .post(
            "identity, then chunked",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "501 unknown-transfer-coding @45"),
        .post(
            "identity and chunked in a list", "Transfer-Encoding: identity, chunked",
            "501 unknown-transfer-coding @45"),
        .post("half of chunked", "Transfer-Encoding: chunk", "501 unknown-transfer-coding @45"),
        .post(
            "chunked with a letter more", "Transfer-Encoding: chunkeds",
            "501 unknown-transfer-coding @45"),
        .post(
            "chunked with a dot", "Transfer-Encoding: chunked.", "501 unknown-transfer-coding @45"),
        .post(
            "chunked with a semicolon", "Transfer-Encoding: chunked;",
            "400 malformed-transfer-encoding @52"),
        .post(
            "chunked with a weight", "Transfer-Encoding: chunked;q=1",
            "400 malformed-transfer-encoding @52"),
        .post(
            "chunked in single quotes", "Transfer-Encoding: 'chunked'",
            "501 unknown-transfer-coding @45"),
        .post(
            "chunked in words", "Transfer-Encoding: chunked please",
            "400 malformed-transfer-encoding @52"),
        .post(
            "a Cyrillic letter in chunked", "Transfer-Encoding: сhunked",
            "400 malformed-transfer-encoding @45"),
        .post(
            "a length and a coding that is none",
            "Content-Length: 5\r\nTransfer-Encoding: x", "501 unknown-transfer-coding @64"),
        .post(
            "both, the length twice",
            "Content-Length: 5\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
            "400 repeated-content-length @61"),
        .post(
            "an underscore for the hyphen", "Transfer_Encoding: chunked", "POST / - h 1.1 none 56"),
        .post("TE is no Transfer-Encoding", "TE: chunked", "POST / - h 1.1 none 41"),
        HeadCase(
            "HTTP/1.0 with both",
            "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 transfer-encoding-in-http-1-0"),
        HeadCase(
            "HTTP/1.0 with a coding and keep-alive",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400 transfer-encoding-in-http-1-0"),

        // Two requests in one, or none.
        .line(
            "a request line in a target", "GET /\r\nGET /admin HTTP/1.1",
            "400 malformed-request-line @5"),
        .line(
            "an encoded line end stays encoded", "GET /%0d%0aX: HTTP/1.1",
            "GET /%0d%0aX: - h 1.1 none 35"),
        HeadCase(
            "an answer instead of a request", "HTTP/1.1 200 OK\r\nHost: h\r\n\r\n",
            "400 malformed-method @4"),
        HeadCase("a field instead of a request line", "Host: h\r\n\r\n", "400 malformed-method @4"),
        HeadCase(
            "a chunk instead of a request", "0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "400 malformed-method @1"),
        HeadCase("JSON instead of a request", "{\"a\": 1}\r\n\r\n", "400 malformed-method @0"),
        HeadCase(
            "a PROXY line", "PROXY TCP4 1.2.3.4 1.2.3.4 5 80\r\n\r\n", "400 malformed-target @6"),
        HeadCase("an SSH greeting", "SSH-2.0-OpenSSH_9.6\r\n\r\n", "400 malformed-method @19"),
        HeadCase(
            "a byte order mark", "\u{FEFF}GET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "400 malformed-method @0"),
        HeadCase("a NUL first", [0, 0x47, 0x45, 0x54], "400 malformed-method @0"),
    ]
}
