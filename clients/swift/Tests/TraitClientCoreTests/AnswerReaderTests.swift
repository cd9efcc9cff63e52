// Answers as bytes: the same however they are cut, and bounded.

import Testing

@testable import TraitClientCore

@Suite struct AnswerReaderTests {
    /// What an answer says: its head and its whole body, or why it is none.
    struct Outcome: Hashable {
        var status: Int?
        var mediaType: String?
        var retryAfter: String?
        var body = ""
        var isWhole = false
        var isReusable = false
        var reason: String?
    }

    /// - Parameter closes: whether the server closes the connection after the text.
    static func read(
        _ text: String, method: String = "GET", pieces: Int = .max, closes: Bool = false
    ) -> Outcome {
        var (reader, outcome, body) = (AnswerReader(method: method), Outcome(), [UInt8]())
        func take(_ event: AnswerReader.Event) {
            switch event {
            case .head(let head):
                #expect(outcome.status == nil)
                (outcome.status, outcome.mediaType) = (head.status, head.mediaType)
                outcome.retryAfter = head.retryAfter
            case .data(let bytes): body += bytes
            case .end: outcome.isWhole = true
            }
        }
        var rest = Array(text.utf8)[...]
        do throws(MalformedAnswer) {
            while !rest.isEmpty {
                let piece = rest.prefix(pieces)
                rest = rest[piece.endIndex...]
                try reader.read(piece, take)
            }
            if closes { try reader.close(take) }
        } catch {
            outcome.reason = error.reason
        }
        (outcome.body, outcome.isReusable) = (
            String(decoding: body, as: UTF8.self), reader.isReusable
        )
        return outcome
    }

    static let chunked =
        "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: Chunked\r\nretry-after:  7 \r\n\r\n"
        + "3;x=\"y\"\r\nabc\r\n0A \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"

    @Test("an answer is the same however its bytes are cut", arguments: 1...40)
    func pieces(_ pieces: Int) {
        let texts = [
            Self.chunked, "HTTP/1.1 100 Continue\r\n\r\n" + Self.chunked,
            Self.chunked.replacing("\r\n", with: "\n"),
        ]
        for text in texts {
            let outcome = Self.read(text, pieces: pieces)
            #expect(
                outcome
                    == Outcome(
                        status: 200, mediaType: "a/b", retryAfter: "7", body: "abc0123456789",
                        isWhole: true, isReusable: true))
        }
    }

    @Test("the body ends where its framing says")
    func framing() {
        func of(_ fields: String, _ rest: String, method: String = "GET", closes: Bool = false)
            -> Outcome
        {
            Self.read(
                "HTTP/1.1 200 OK\r\n\(fields)\r\n\(rest)", method: method, closes: closes)
        }
        for outcome in [
            of("Content-Length: 3\r\n", "abc"), of("Content-Length: 3, 3\r\n", "abc"),
            of("Content-Length:\r\n 3\r\n", "abc"),
        ] {
            #expect(outcome.body == "abc" && outcome.isWhole && outcome.isReusable)
        }
        #expect(of("Content-Length: 0\r\n", "").isWhole)
        // What comes after the answer is not read, and the connection is of no more use.
        let more = of("Content-Length: 3\r\n", "abcHTTP/1.1 200 OK\r\n\r\n")
        #expect(more.body == "abc" && more.isWhole && !more.isReusable)
        let closing = of("Content-Length: 3\r\nConnection: x, Close\r\n", "abc")
        #expect(closing.isWhole && !closing.isReusable)
        // A length beside chunks does not count.
        let both = of(
            "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")
        #expect(both.body == "abc" && both.isWhole && !both.isReusable)
        let open = of("", "abc", closes: true)
        #expect(open.body == "abc" && open.isWhole && !open.isReusable)
        #expect(!of("", "abc").isWhole)
        #expect(of("Content-Length: 3\r\n", "", method: "HEAD").isWhole)
        for status in [204, 304] {
            #expect(Self.read("HTTP/1.1 \(status) X\r\nContent-Length: 3\r\n\r\n").isWhole)
        }
        let old = Self.read("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(old.isWhole && !old.isReusable)
        for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"] {
            #expect(Self.read(text, closes: true).reason != nil)
        }
        #expect(Self.read(String(Self.chunked.dropLast(2)), closes: true).reason != nil)
    }

    @Test(
        "bytes that are no answer are refused",
        arguments: [
            "HTTP/2 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 +20 OK\r\n", "SSH-2.0-x\r\n",
            "\r\n",
            "HTTP/1.1 101 Switching\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n１\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n",
        ])
    func malformed(_ text: String) {
        #expect(Self.read(text).reason != nil)
        #expect(Self.read(text, pieces: 1).reason != nil)
    }

    @Test("what a server can send without end is refused at its limit")
    func bounds() {
        func repeated(_ start: String, _ part: String) -> String? {
            var reader = AnswerReader(method: "GET")
            let (start, part) = (Array(start.utf8), Array(part.utf8))
            do throws(MalformedAnswer) {
                try reader.read(start[...]) { _ in }
                for _ in 0...(AnswerReader.headBytesMax / part.count) {
                    try reader.read(part[...]) { _ in }
                }
            } catch {
                return error.reason
            }
            return nil
        }
        let head = "HTTP/1.1 200 OK\r\n"
        let chunks = head + "Transfer-Encoding: chunked\r\n\r\n"
        for (start, part) in [
            ("", "x"), (head, "X: y\r\n"), (head, "x"), ("", "HTTP/1.1 103 Hints\r\nA: b\r\n\r\n"),
            (chunks + "0\r\n", "X: y\r\n"), (chunks + "0\r\n", "x"), (chunks + "1", ";x=y"),
            (chunks + "1\r\nx", " "),
        ] {
            #expect(repeated(start, part) != nil, "\(start)\(part)")
        }
        #expect(repeated(chunks, "1\r\nx\r\n") == nil)
    }

    @Test("random bytes never trap the reader")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("the seed is \(seed)")
        var dice = Dice(seed: seed)
        let bytes = Array(Self.chunked.utf8)
        for _ in 0..<20_000 {
            var text = bytes
            for _ in 0...Int(dice.next() % 4) {
                text[Int(dice.next() % UInt64(text.count))] = UInt8(truncatingIfNeeded: dice.next())
            }
            var reader = AnswerReader(method: "GET")
            do throws(MalformedAnswer) {
                let middle = Int(dice.next() % UInt64(text.count))
                try reader.read(text[..<middle]) { _ in }
                try reader.read(text[middle...]) { _ in }
                try reader.close { _ in }
            } catch {}
        }
    }

    @Test("a path is one of the server, or refused")
    func paths() {
        for path in [
            "", "/a", "/a/b?x=/../y", "/a%2Fb", "?x=1", "/...", "/.a", "/a:b@c",
        ] {
            #expect(path.pathFault == nil, "\(path)")
        }
        for path in [
            "a", ".evil.example", ":80", "@x", "/", "//", "//evil.example/", "/a//b", "/a/", "/.",
            "/..",
            "/a/../b", "/%2e%2E", "/.%2e/x", "/a/.?x", "/%", "/%2", "/%zz", "/a#b", "/a\\b",
            "/a\nb",
            "/a?%g0",
        ] {
            #expect(path.pathFault != nil, "\(path)")
        }
    }
}
