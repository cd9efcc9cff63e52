// Cases of request lines.

extension HeadCase {
    static let requestLines: [HeadCase] = [
        .line("GET", "GET / HTTP/1.1", "GET / - h 1.1 none 27"),
        .line("HEAD", "HEAD /a HTTP/1.1", "HEAD /a - h 1.1 none 29"),
        .line("POST without a body", "POST /a HTTP/1.1", "POST /a - h 1.1 none 29"),
        .line("PUT", "PUT /a HTTP/1.1", "PUT /a - h 1.1 none 28"),
        .line("PATCH", "PATCH /a HTTP/1.1", "PATCH /a - h 1.1 none 30"),
        .line("DELETE", "DELETE /a HTTP/1.1", "DELETE /a - h 1.1 none 31"),
        .line("OPTIONS", "OPTIONS /a HTTP/1.1", "OPTIONS /a - h 1.1 none 32"),
        .line("TRACE", "TRACE /a HTTP/1.1", "TRACE /a - h 1.1 none 30"),
        .line("another token", "BREW /pot HTTP/1.1", "BREW /pot - h 1.1 none 31"),
        .line("a long method", "VERSION-CONTROL /a HTTP/1.1", "VERSION-CONTROL /a - h 1.1 none 40"),
        .line(
            "every token character", "!#$%&'*+-.^_`|~ / HTTP/1.1",
            "!#$%&'*+-.^_`|~ / - h 1.1 none 39"),
        .line("a lower-case method is another one", "get / HTTP/1.1", "get / - h 1.1 none 27"),
        .line("a query", "GET /a?b=c HTTP/1.1", "GET /a b=c h 1.1 none 32"),
        .line("an empty query", "GET /a? HTTP/1.1", "GET /a  h 1.1 none 29"),
        .line("a question mark in a query", "GET /a?b?c HTTP/1.1", "GET /a b?c h 1.1 none 32"),
        .line(
            "escapes stay as they are", "GET /%2F%00?%zz HTTP/1.1",
            "GET /%2F%00 %zz h 1.1 none 37"),
        .line("two slashes", "GET //a//b HTTP/1.1", "GET //a//b - h 1.1 none 32"),
        .line("dot segments stay as they are", "GET /../a HTTP/1.1", "GET /../a - h 1.1 none 31"),
        .line(
            "characters browsers leave alone", "GET /|{}\\^`\" HTTP/1.1",
            "GET /|{}\\^`\" - h 1.1 none 34"),
        .line("a target of eight bytes", "GET /1234567 HTTP/1.1", "GET /1234567 - h 1.1 none 34"),
        .line(
            "absolute form", "GET http://a.b:80/c?d HTTP/1.1",
            "GET /c d a.b:80 1.1 none absolute 43"),
        .line(
            "absolute form without a path", "GET http://a.b HTTP/1.1",
            "GET / - a.b 1.1 none absolute 36"),
        .line(
            "absolute form with a query only", "GET http://a.b?c/d HTTP/1.1",
            "GET / c/d a.b 1.1 none absolute 40"),
        .line(
            "absolute form, https, capitals", "GET HTTPS://A/ HTTP/1.1",
            "GET / - A 1.1 none absolute 36"),
        .line(
            "absolute form with an address", "GET http://[::1]:8080/ HTTP/1.1",
            "GET / - [::1]:8080 1.1 none absolute 44"),
        .line(
            "absolute form without a host", "GET http:///a HTTP/1.1",
            "400 malformed-target @11"),
        .line("absolute form with a user", "GET http://u@h/ HTTP/1.1", "400 malformed-target @11"),
        .line(
            "absolute form with a bad port", "GET http://h:8x/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form of another scheme", "GET ftp://h/ HTTP/1.1",
            "400 malformed-target @4"),
        .line("asterisk form", "OPTIONS * HTTP/1.1", "OPTIONS * - h 1.1 none asterisk 31"),
        .line("asterisk for GET", "GET * HTTP/1.1", "400 malformed-target @4"),
        .line("asterisk with a query", "OPTIONS *?a HTTP/1.1", "400 malformed-target @8"),
        .line(
            "authority form", "CONNECT h:443 HTTP/1.1",
            "CONNECT h:443 - h:443 1.1 none authority 35"),
        .line("authority form without a port", "CONNECT h HTTP/1.1", "400 malformed-target @8"),
        .line(
            "authority form with an empty port", "CONNECT h: HTTP/1.1",
            "400 malformed-target @8"),
        .line("authority form with a path", "CONNECT h:1/a HTTP/1.1", "400 malformed-target @8"),
        .line("CONNECT with a path", "CONNECT /a HTTP/1.1", "400 malformed-target @8"),
        .line("authority for GET", "GET h:443 HTTP/1.1", "400 malformed-target @4"),
        .line("a target without a slash", "GET a/b HTTP/1.1", "400 malformed-target @4"),
        .line("a fragment", "GET /a#b HTTP/1.1", "400 malformed-target @6"),
        .line("a fragment in a query", "GET /a?b#c HTTP/1.1", "400 malformed-target @8"),
        .line("raw UTF-8 in the target", "GET /é HTTP/1.1", "400 malformed-target @5"),
        .line("raw UTF-8 in the query", "GET /?é HTTP/1.1", "400 malformed-target @6"),
        .line("a tab in the target", "GET /a\tb HTTP/1.1", "400 malformed-target @6"),
        .line("a NUL in the target", "GET /a\0b HTTP/1.1", "400 malformed-target @6"),
        .line("a DEL in the target", "GET /a\u{7F} HTTP/1.1", "400 malformed-target @6"),
        .line("a space in the target", "GET /a b HTTP/1.1", "400 malformed-request-line @8"),
        .line("two spaces after the method", "GET  / HTTP/1.1", "400 malformed-request-line @4"),
        .line("two spaces after the target", "GET /  HTTP/1.1", "400 malformed-request-line @6"),
        .line("a space after the version", "GET / HTTP/1.1 ", "400 malformed-request-line @14"),
        .line("a tab after the method", "GET\t/ HTTP/1.1", "400 malformed-method @3"),
        .line("a leading space", " GET / HTTP/1.1", "400 malformed-method @0"),
        .line("a colon in the method", "GE:T / HTTP/1.1", "400 malformed-method @2"),
        .line("a NUL in the method", "GE\0T / HTTP/1.1", "400 malformed-method @2"),
        .line("UTF-8 in the method", "GÉT / HTTP/1.1", "400 malformed-method @1"),
        .line("a method alone", "GET", "400 malformed-method @3"),
        .line("no version", "GET /", "400 malformed-request-line @5"),
        .line("no version but its space", "GET / ", "400 malformed-request-line @6"),
        .line("HTTP/2.0", "GET / HTTP/2.0", "505 unsupported-version @6"),
        .line("HTTP/0.9", "GET / HTTP/0.9", "505 unsupported-version @6"),
        .line("HTTP/1.10", "GET / HTTP/1.10", "505 unsupported-version @6"),
        .line("HTTP/11", "GET / HTTP/11", "505 unsupported-version @6"),
        .line("HTTP/ without a number", "GET / HTTP/", "505 unsupported-version @6"),
        .line("http/1.1 in lower case", "GET / http/1.1", "505 unsupported-version @6"),
        .line("another protocol", "GET / RTSP/1.0", "400 malformed-request-line @6"),
        .line("a NUL in the version", "GET / HTTP/1.\0", "400 malformed-request-line @13"),
        HeadCase(
            "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "505 unsupported-version @6"),
        .line("PRI with HTTP/1.1", "PRI * HTTP/1.1", "400 malformed-target @4"),
        HeadCase("TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], "400 tls-on-plain-port @0"),
        HeadCase(
            "one empty line first", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / - h 1.1 none 29"),
        HeadCase(
            "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "400 malformed-request-line @2"),
        HeadCase(
            "a bare LF first", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "400 malformed-method @0"),
        HeadCase(
            "a bare CR first", "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n",
            "400 malformed-line-end @0"),
        HeadCase(
            "a bare LF after the line", "GET / HTTP/1.1\nHost: h\r\n\r\n",
            "400 malformed-request-line @14"),
        HeadCase(
            "a bare CR after the line", "GET / HTTP/1.1\rHost: h\r\n\r\n",
            "400 malformed-line-end @14"),
        HeadCase(
            "two CRs after the line", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n",
            "400 malformed-line-end @14"),
        HeadCase("nothing", "", "needMore"),
        HeadCase("half a line", "GET /abc", "needMore"),
        HeadCase("an empty line alone", "\r\n", "needMore"),
        HeadCase("a line alone", "GET / HTTP/1.1\r\n", "needMore"),
        HeadCase("no empty line at the end", "GET / HTTP/1.1\r\nHost: h\r\n", "needMore"),
        HeadCase("half an empty line at the end", "GET / HTTP/1.1\r\nHost: h\r\n\r", "needMore"),
        HeadCase(
            "what follows is left alone", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /\n\0",
            "GET / - h 1.1 none 27"),
    ]
}
