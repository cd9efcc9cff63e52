// Cases of field lines, of Host and of the connection.

extension HeadCase {
    static let fieldLines: [HeadCase] = [
        .fields("an unknown field", "X-Any: thing", "GET / - h 1.1 none 41"),
        .fields("no space after the colon", "A:b", "GET / - h 1.1 none 32"),
        .fields("an empty value", "A:", "GET / - h 1.1 none 31"),
        .fields("a value of white space", "A: \t ", "GET / - h 1.1 none 34"),
        .fields("white space around a value", "A: \t b \t", "GET / - h 1.1 none 37"),
        .fields("a tab inside a value", "A: b\tc", "GET / - h 1.1 none 35"),
        .fields("UTF-8 in a value", "A: é", "GET / - h 1.1 none 34"),
        .fields("colons in a value", "A: b:c:d", "GET / - h 1.1 none 37"),
        .fields(
            "every token character in a name", "!#$%&'*+-.^_`|~: a",
            "GET / - h 1.1 none 47"),
        .fields("a space before the colon", "A : b", "400 white-space-before-colon @26"),
        .fields("a tab before the colon", "A\t: b", "400 white-space-before-colon @26"),
        .fields(
            "a space before a known name's colon", "Content-Length : 1",
            "400 white-space-before-colon @39"),
        .fields("a space inside a name", "A B: c", "400 white-space-before-colon @26"),
        .fields("a folded line", "A: b\r\n c", "400 obsolete-line-folding @31"),
        .fields("a line folded with a tab", "A: b\r\n\tc", "400 obsolete-line-folding @31"),
        HeadCase(
            "white space before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
            "400 obsolete-line-folding @16"),
        .fields("no colon", "Abc", "400 malformed-header @28"),
        .fields("no name", ": b", "400 malformed-header @25"),
        .fields("a slash in a name", "A/B: c", "400 malformed-header @26"),
        .fields("UTF-8 in a name", "Á: c", "400 malformed-header @25"),
        .fields("a NUL in a name", "A\0: c", "400 malformed-header @26"),
        .fields("a DEL in a name", "A\u{7F}: c", "400 malformed-header @26"),
        .fields(
            "a CR for the hyphen of a name", "Content\rLength: 5",
            "400 malformed-header @32"),
        .fields("a NUL in a value", "A: b\0", "400 control-character @29"),
        .fields("an escape in a value", "A: \u{1B}[0m", "400 control-character @28"),
        .fields("a DEL in a value", "A: b\u{7F}c", "400 control-character @29"),
        .fields("a bare LF in a value", "A: b\nC: d", "400 malformed-line-end @29"),
        .fields("a bare CR in a value", "A: b\rC: d", "400 malformed-line-end @29"),
        .fields("CR CR LF", "A: b\r", "400 malformed-line-end @29"),
        HeadCase(
            "a bare LF for the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\nA: b\r\n\r\n",
            "400 malformed-header @25"),
        HeadCase(
            "a bare CR for the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\rA: b\r\n\r\n",
            "400 malformed-line-end @25"),

        .host("Host with a port", "Host: h:80", "GET / - h:80 1.1 none 30"),
        .host("Host with an empty port", "Host: h:", "GET / - h: 1.1 none 28"),
        .host(
            "Host with an address", "Host: [2001:db8::1]:80",
            "GET / - [2001:db8::1]:80 1.1 none 42"),
        .host("Host with escapes", "Host: %41.b_c~", "GET / - %41.b_c~ 1.1 none 34"),
        .host("an empty Host", "Host:", "GET / -  1.1 none 25"),
        .host("Host in any case", "hOST: h", "GET / - h 1.1 none 27"),
        .host("no Host", "A: b", "400 missing-host"),
        HeadCase("no fields at all", "GET / HTTP/1.1\r\n\r\n", "400 missing-host"),
        .host("two Hosts", "Host: a\r\nHost: b", "400 repeated-host @31"),
        .host("two equal Hosts", "Host: a\r\nhost: a", "400 repeated-host @31"),
        .host("a list of hosts", "Host: a, b", "400 malformed-host @22"),
        .host("Host with a space", "Host: a b", "400 malformed-host @22"),
        .host("Host with a path", "Host: a/b", "400 malformed-host @22"),
        .host("Host with a user", "Host: a@b", "400 malformed-host @22"),
        .host("Host with a bad port", "Host: a:b", "400 malformed-host @22"),
        .host("Host with a signed port", "Host: a:+80", "400 malformed-host @22"),
        .host("Host with a port too large", "Host: a:65536", "400 malformed-host @22"),
        .host("Host with a port too long", "Host: a:000080", "400 malformed-host @22"),
        .host("Host with two ports", "Host: a:80:80", "400 malformed-host @22"),
        .host("Host with an open bracket", "Host: [::1", "400 malformed-host @22"),
        .host("Host with empty brackets", "Host: []", "400 malformed-host @22"),
        .host("Host with something after the bracket", "Host: [::1]a", "400 malformed-host @22"),
        .host("Host with raw UTF-8", "Host: é", "400 malformed-host @22"),
        .line(
            "absolute form does not spare Host's check", "GET http://a/ HTTP/1.1",
            "GET / - a 1.1 none absolute 35"),
        HeadCase(
            "absolute form without Host", "GET http://a/ HTTP/1.1\r\n\r\n",
            "400 missing-host"),

        .fields("keep-alive", "Connection: keep-alive", "GET / - h 1.1 none 51"),
        .fields("close", "Connection: close", "GET / - h 1.1 none close 46"),
        .fields("close in any case", "Connection: CLOSE", "GET / - h 1.1 none close 46"),
        .fields("close in a list", "Connection: a ,\tclose , b", "GET / - h 1.1 none close 54"),
        .fields(
            "close on a second line", "Connection: a\r\nConnection: close",
            "GET / - h 1.1 none close 61"),
        .fields("close wins", "Connection: keep-alive, close", "GET / - h 1.1 none close 58"),
        .fields("closed is not close", "Connection: closed", "GET / - h 1.1 none 47"),
        .fields("an empty connection list", "Connection: ,, ,", "GET / - h 1.1 none 45"),
        HeadCase("HTTP/1.0 closes", "GET / HTTP/1.0\r\n\r\n", "GET / - - 1.0 none close 18"),
        HeadCase(
            "HTTP/1.0 keeps alive when asked",
            "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / - - 1.0 none 42"),
        HeadCase(
            "HTTP/1.0 with both closes",
            "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
            "GET / - - 1.0 none close 49"),
        HeadCase(
            "HTTP/1.0 with a Host", "GET / HTTP/1.0\r\nHost: h\r\n\r\n",
            "GET / - h 1.0 none close 27"),
        HeadCase(
            "HTTP/1.0 with a bad Host", "GET / HTTP/1.0\r\nHost: /\r\n\r\n",
            "400 malformed-host @22"),
        HeadCase(
            "HTTP/1.0 with two Hosts", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
            "400 repeated-host @31"),
    ]
}
