// The harness itself: what every other test leans on.

import Testing

@testable import TestSupport

@Suite("Test support")
struct SupportTests {
    @Test("A child's output and exit status are seen")
    func child() throws {
        let child = try ChildProcess("/bin/sh", ["-c", "echo one; echo two >&2; exit 3"])
        #expect(try child.waitForExit() == .code(3))
        #expect(child.standardOutput == "one\n")
        #expect(child.standardError == "two\n")
    }

    @Test("A child that is told to end ends by that signal")
    func signalled() throws {
        let child = try ChildProcess("/bin/sh", ["-c", "echo up; exec cat /dev/zero >/dev/null"])
        _ = try child.nextLine(before: Deadline(within: .seconds(10)))
        child.stop()
        #expect(try child.waitForExit() == .signal(15))
    }

    @Test("Records are the same wherever the bytes are split", arguments: [false, true])
    func framing(events: Bool) throws {
        let one = #"{"type":"begin","revision":1,"token":"a.1"}"#
        let two = #"{"type":"change","revision":2,"token":"a.2"}"#
        let text =
            events
            ? "retry: 5\nid: a.1\nevent: begin\ndata: \(one)\n\n:\n\nid:a.2\ndata:\(two)\n\n"
            : "\(one)\n\(two)\n"
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var framer = RecordFramer(events ? .serverSentEvents : .lines)
            var records: [StreamRecord] = []
            for piece in [bytes[..<split], bytes[split...]] {
                records += try piece.withUnsafeBytes { try framer.take($0) }
            }
            #expect(records.map(\.text) == [one, two])
            #expect(records.map(\.event?.id) == (events ? ["a.1", "a.2"] : [nil, nil]))
            #expect(!framer.hasRemainder)
        }
    }

    @Test("Interim answers are told apart from the final one")
    func interim() {
        var collector = HeadCollector()
        for line in ["HTTP/1.1 100 Continue", "", "HTTP/1.1 200 OK", "A: 1", "a: 2", "", "T: 3"] {
            collector.take(line + "\r\n")
        }
        #expect(collector.head.interim == [100])
        #expect(collector.head.values("A") == ["1", "2"])
        #expect(collector.head["a"] == nil)
        #expect(collector.head["T"] == nil)
    }

    @Test("Re-indenting keeps every token and its order")
    func reindenting() {
        let text = #"{"z":[1,{"b":"x\"]y, \\"},[]],"a":{"long":"12345678901234567890"},"n":null}"#
        let spread = JSON.reindented(text, width: 30)
        #expect(
            spread == """
                {
                  "z": [1, {"b": "x\\"]y, \\\\"}, []],
                  "a": {
                    "long": "12345678901234567890"
                  },
                  "n": null
                }
                """)
        #expect(JSON.reindented(#"{"a": [ 1 , 2 ]}"#) == #"{"a": [1, 2]}"#)
    }

    @Test("Uids, times and request ids are redacted, each uid by its own name")
    func redaction() {
        var redaction = Redaction()
        redaction.replace("node-17", with: "<node>")
        let text = """
            ETag: "abcdefghijk1.4"
            Traitd-Request-Id: 77
            {"uid":"zzzzzzzzzzzz","time":"2026-01-01T00:00:00Z","token":"abcdefghijk1.4.0-ff"}
            {"instance": "77", "node": "node-17", "lagMs": 12}
            """
        #expect(
            redaction.apply(to: text) == """
                ETag: "<uid-1>.4"
                Traitd-Request-Id: <request-id>
                {"uid":"<uid-2>","time": "<time>","token":"<uid-1>.4.0-ff"}
                {"instance": "<request-id>", "node": "<node>", "lagMs": <number>}
                """)
    }

    @Test("A golden difference shows the line")
    func difference() {
        #expect(GoldenFile.difference("a\nb\nc", "a\nb\nc") == nil)
        #expect(GoldenFile.difference("a\nb", "a\nc")?.contains("line 2") == true)
        #expect(GoldenFile.difference("a", "a\nb")?.contains("+ b") == true)
    }

    @Test("JSON compares objects without order and numbers by value")
    func json() throws {
        let parsed = try JSON(parsing: #"{"a":1,"b":[true,null,1.5]}"#)
        #expect(parsed == ["b": [true, nil, 1.5], "a": 1])
        #expect(try JSON(parsing: "9223372036854775807") == .int(.max))
        let text: JSON = ["k": "\"\\\n\u{1}é"]
        #expect(try JSON(parsing: text.bytes) == text)
    }
}
