// Cases of targets, versions and authorities beyond the usual ones.

extension HeadCase {
    static let targets: [HeadCase] = [
        .line(
            "dots and slashes stay as they are", "GET /a/./b/../c//d HTTP/1.1",
            "GET /a/./b/../c//d - h 1.1 none 40"),
        .line(
            "encoded dots stay as they are", "GET /%2e%2E/a HTTP/1.1",
            "GET /%2e%2E/a - h 1.1 none 35"),
        .line("a semicolon in a path", "GET /a;b/..;/c HTTP/1.1", "GET /a;b/..;/c - h 1.1 none 36"),
        .line("a colon in the first segment", "GET /a:b HTTP/1.1", "GET /a:b - h 1.1 none 30"),
        .line("an at sign in a path", "GET /a@b HTTP/1.1", "GET /a@b - h 1.1 none 30"),
        .line(
            "a path that looks like an authority", "GET //h/a HTTP/1.1", "GET //h/a - h 1.1 none 31"
        ),
        .line(
            "a path that looks like a URL", "GET /http://h/ HTTP/1.1",
            "GET /http://h/ - h 1.1 none 36"),
        .line("a half escape stays as it is", "GET /%4 HTTP/1.1", "GET /%4 - h 1.1 none 29"),
        .line("a target that is a question mark", "GET ? HTTP/1.1", "400 malformed-target @4"),
        .line("a relative target", "GET ../a HTTP/1.1", "400 malformed-target @4"),
        .line("a backslash for the slash", "GET \\a HTTP/1.1", "400 malformed-target @4"),
        .line("an encoded slash for the slash", "GET %2Fa HTTP/1.1", "400 malformed-target @4"),
        .line("a fragment alone", "GET # HTTP/1.1", "400 malformed-target @4"),
        .line("a vertical tab for a space", "GET\u{0B}/ HTTP/1.1", "400 malformed-method @3"),
        .line("a form feed before the version", "GET /\u{0C}HTTP/1.1", "400 malformed-target @5"),
        .line("a tab before the version", "GET /\tHTTP/1.1", "400 malformed-target @5"),
        .line(
            "a non-breaking space before the version", "GET /\u{A0}HTTP/1.1",
            "400 malformed-target @5"),
        .line(
            "a query with everything in it", "GET /?a=b&c[]=/?:@!$'()*+,;d HTTP/1.1",
            "GET / a=b&c[]=/?:@!$'()*+,;d h 1.1 none 50"),
        .line("asterisk and more", "OPTIONS ** HTTP/1.1", "400 malformed-target @8"),
        .line("asterisk with a path", "OPTIONS */a HTTP/1.1", "400 malformed-target @8"),
        .line("asterisk for another method", "PUT * HTTP/1.1", "400 malformed-target @4"),
        .line("an escaped asterisk", "OPTIONS %2A HTTP/1.1", "400 malformed-target @8"),

        .line(
            "absolute form with an empty port", "GET http://h:/ HTTP/1.1",
            "GET / - h: 1.1 none absolute 36"),
        .line(
            "absolute form with a port too large", "GET http://h:65536/ HTTP/1.1",
            "400 malformed-target @11"),
        .line("absolute form without anything", "GET http:// HTTP/1.1", "400 malformed-target @11"),
        .line("absolute form with one slash", "GET http:/h/ HTTP/1.1", "400 malformed-target @4"),
        .line("absolute form without slashes", "GET http:h HTTP/1.1", "400 malformed-target @4"),
        .line(
            "absolute form with a fragment", "GET http://h/#f HTTP/1.1", "400 malformed-target @13"),
        .line(
            "absolute form with a password", "GET http://u:p@h/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form with a backslash", "GET http://h\\@x/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form with a bad escape", "GET http://%zz/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form with an escape", "GET http://%41/ HTTP/1.1",
            "GET / - %41 1.1 none absolute 37"),
        .line(
            "absolute form with a bad address", "GET http://[::g]/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form with an open bracket", "GET http://[::1/ HTTP/1.1",
            "400 malformed-target @11"),
        .line(
            "absolute form for OPTIONS", "OPTIONS http://a HTTP/1.1",
            "OPTIONS / - a 1.1 none absolute 38"),
        .line(
            "absolute form with dots", "GET http://a/../b HTTP/1.1",
            "GET /../b - a 1.1 none absolute 39"),
        .line(
            "absolute form in HTTP/1.0", "GET http://a/ HTTP/1.0",
            "GET / - a 1.0 none close absolute 35"),
        .line(
            "absolute form for CONNECT", "CONNECT http://h:80 HTTP/1.1", "400 malformed-target @8"),
        .line(
            "authority form with an address", "CONNECT [::1]:443 HTTP/1.1",
            "CONNECT [::1]:443 - [::1]:443 1.1 none authority 39"),
        .line(
            "authority form with port 0", "CONNECT h:0 HTTP/1.1",
            "CONNECT h:0 - h:0 1.1 none authority 33"),
        .line(
            "authority form with a large port", "CONNECT h:65536 HTTP/1.1",
            "400 malformed-target @8"),
        .line("authority form without a host", "CONNECT :443 HTTP/1.1", "400 malformed-target @8"),
        .line("authority form with a query", "CONNECT h:443?a HTTP/1.1", "400 malformed-target @8"),
        .line("CONNECT with an asterisk", "CONNECT * HTTP/1.1", "400 malformed-target @8"),

        .line("HTTP/1.2 is read like HTTP/1.1", "GET / HTTP/1.2", "GET / - h 1.1 none 27"),
        .line("HTTP/1.9 is read like HTTP/1.1", "GET / HTTP/1.9", "GET / - h 1.1 none 27"),
        .line("a letter for the minor version", "GET / HTTP/1.a", "505 unsupported-version @6"),
        .line("a colon for the minor version", "GET / HTTP/1.:", "505 unsupported-version @6"),
        .line("a slash for the minor version", "GET / HTTP/1./", "505 unsupported-version @6"),
        .line("no minor version", "GET / HTTP/1.", "505 unsupported-version @6"),
        .line("no dot in the version", "GET / HTTP/1", "505 unsupported-version @6"),
        .line("HTTP/3", "GET / HTTP/3", "505 unsupported-version @6"),
        .line("a leading zero in the version", "GET / HTTP/01.1", "505 unsupported-version @6"),
        .line("a long minor version", "GET / HTTP/1.01", "505 unsupported-version @6"),
        .line("a sign in the version", "GET / HTTP/+1.1", "505 unsupported-version @6"),
        .line("a comma in the version", "GET / HTTP/1,1", "505 unsupported-version @6"),
        .line("a space in the version", "GET / HTTP /1.1", "400 malformed-request-line @10"),
        .line("a space in the number", "GET / HTTP/1 .1", "400 malformed-request-line @12"),
        .line("HTTPS for HTTP", "GET / HTTPS/1.1", "400 malformed-request-line @6"),
        .line(
            "a control behind the version", "GET / HTTP/1.1\u{01}", "400 malformed-request-line @14"
        ),
        .line("a DEL behind the version", "GET / HTTP/1.1\u{7F}", "400 malformed-request-line @14"),
        .line("UTF-8 behind the version", "GET / HTTP/1.1é", "400 malformed-request-line @14"),
        .line("a word behind the version", "GET / HTTP/1.1 x", "400 malformed-request-line @14"),
        .line("HTTP/2.0 with a path", "GET /a HTTP/2.0", "505 unsupported-version @7"),

        .host("Host with an address and no port", "Host: [::1]", "GET / - [::1] 1.1 none 31"),
        .host(
            "Host with an IPv4 address", "Host: 127.0.0.1:8080",
            "GET / - 127.0.0.1:8080 1.1 none 40"),
        .host(
            "Host with a mapped address", "Host: [::ffff:1.2.3.4]",
            "GET / - [::ffff:1.2.3.4] 1.1 none 42"),
        .host(
            "Host with an address of nine groups", "Host: [1:2:3:4:5:6:7:8:9]",
            "400 malformed-host @22"),
        .host("Host with two gaps in its address", "Host: [1::2::3]", "400 malformed-host @22"),
        .host("Host with half an address", "Host: [1]", "400 malformed-host @22"),
        .host("Host with a long group", "Host: [::12345]", "400 malformed-host @22"),
        .host("Host with a zone", "Host: [fe80::1%25eth0]", "400 malformed-host @22"),
        .host("Host with an address of the future", "Host: [v1.a]", "400 malformed-host @22"),
        .host("Host with a very long address", "Host: [\(zeros(60))]", "400 malformed-host @22"),
        .host("Host with an address without brackets", "Host: ::1", "400 malformed-host @22"),
        .host("Host with a bad escape", "Host: a%4", "400 malformed-host @22"),
        .host("Host with an escape that is none", "Host: %zz", "400 malformed-host @22"),
        .host("Host with a percent sign alone", "Host: %", "400 malformed-host @22"),
        .host("Host with a scheme", "Host: http://h", "400 malformed-host @22"),
        .host("Host with a query", "Host: h?a", "400 malformed-host @22"),
        .host("Host with a fragment", "Host: h#a", "400 malformed-host @22"),
        .host("Host with a backslash", "Host: h\\a", "400 malformed-host @22"),
        .host("Host in quotes", "Host: \"h\"", "400 malformed-host @22"),
        .host("Host with a tab inside", "Host: a\tb", "400 malformed-host @22"),
        .host("Host with a NUL", "Host: a\0", "400 control-character @23"),
        .host("Host with a port of blanks", "Host: h: ", "GET / - h: 1.1 none 29"),
        .host("Host, and an empty one", "Host: a\r\nHost:", "400 repeated-host @30"),
        .host("Host folded", "Host: a\r\n b", "400 obsolete-line-folding @25"),
        .host("Host with a trailing dot", "Host: h.example.", "GET / - h.example. 1.1 none 36"),
        .host("a port alone", "Host: :80", "GET / - :80 1.1 none 29"),
    ]

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
