// Whatever bytes a client sends, a log line stays one line, and its quotes stay around them.

import Foundation
import HTTPServer
import HTTPWire
import SeededRandom
import SessionViews
import Synchronization
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Bytes of clients in logs")
struct SafeTextTests {
    private static func quoted(_ bytes: [UInt8], _ form: SafeText.Form) -> String {
        let out = OutputBuffer()
        bytes.withUnsafeBytes { SafeText.quote($0, form, into: out) }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("Line ends, escapes, quotes and bytes that are no UTF-8 are escaped in both forms")
    func escapes() {
        let cases: [([UInt8], String, String)] = [
            (Array("plain/path-1".utf8), "\"plain/path-1\"", "\"plain/path-1\""),
            ([0x0d, 0x0a], #""\x0d\x0a""#, #""\u000d\u000a""#),
            ([0x1b, 0x5b, 0x33, 0x31, 0x6d], #""\x1b[31m""#, #""\u001b[31m""#),
            (Array("a\"b\\c".utf8), #""a\"b\\c""#, #""a\"b\\c""#),
            ([0xff, 0x41], #""\xffA""#, #""\ufffdA""#),
            (Array("é".utf8), #""\xc3\xa9""#, #""\u00e9""#),
            ([0x00, 0x7f], #""\x00\x7f""#, #""\u0000\u007f""#),
            // Line ends of Unicode, and what turns the direction of text around.
            (Array("\u{2028}\u{202e}".utf8), #""\xe2\x80\xa8\xe2\x80\xae""#, #""\u2028\u202e""#),
        ]
        for (bytes, text, json) in cases {
            #expect(Self.quoted(bytes, .text) == text)
            #expect(Self.quoted(bytes, .json) == json)
        }
    }

    @Test("Random bytes give one line of printable ASCII, which as JSON means the same text")
    func random() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed of random log bytes: \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            for form in [SafeText.Form.text, .json, .plain] {
                let line = Self.quoted(bytes, form)
                #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(bytes)")
            }
            let json = Self.quoted(bytes, .json)
            let data = Data("[\(json)]".utf8)
            let read = try JSONSerialization.jsonObject(with: data) as? [String]
            #expect(read == [String(decoding: bytes, as: UTF8.self)], "\(bytes)")
        }
    }

    @Test("A token is hidden wherever it stands, and short names stay")
    func tokens() {
        let secret = "Zk3vQ0m2x7abPq9LmN4"
        for text in [
            "traitd_ci_\(secret)", "/v1?token=traitd_ci_\(secret)&x=1", "traitd_a-b_\(secret)_x",
        ] {
            let shown = Self.quoted(Array(text.utf8), .json)
            #expect(!shown.contains(secret), "\(shown)")
            #expect(shown.contains("_***"), "\(shown)")
            #expect(!SafeText.hidingTokens(text).contains(secret))
        }
        for text in [
            "traitd_", "traitd_ci", "traitd_ci_short", "a_traitd_demo_theme", "under_score",
        ] {
            #expect(Self.quoted(Array(text.utf8), .text) == "\"\(text)\"")
        }
    }

    @Test("Users and passwords of addresses are hidden, and paths stay")
    func users() {
        for (text, shown) in [
            ("etcd=http://user:secret@h:1,https://b:2", "etcd=http://***@h:1,https://b:2"),
            ("The value 'http://u:a@b@h:1' is", "The value 'http://***@h:1' is"),
            ("u:secret@h:1", "***@h:1"), ("x \"https://token@h/p\" y", "x \"https://***@h/p\" y"),
            ("unix:/run/traitd@1.sock", "unix:/run/traitd@1.sock"), ("a@b", "a@b"),
            ("http://h:1/p", "http://h:1/p"), ("//", "//"), ("@//@", "@//***@"), ("", ""),
        ] { #expect(SafeText.hidingSecrets(text) == shown) }
    }

    // MARK: - Lines

    /// A note of an answer as a shard makes it.
    private static func note(
        id: [UInt8] = Array("id".utf8), path: [UInt8] = Array("/livez".utf8),
        query: [UInt8]? = nil, trace: [UInt8]? = nil, status: Int = 200
    ) -> [UInt8] {
        let out = OutputBuffer()
        var note = AnswerNote()
        note.startedAt = 1_000
        note.status = UInt16(status)
        note.bodyBytes = 16
        id.withUnsafeBytes { id in
            path.withUnsafeBytes { path in
                (query ?? []).withUnsafeBytes { queryBytes in
                    (trace ?? []).withUnsafeBytes { trace in
                        AnswerNote.append(
                            note, id: id, path: path, query: query == nil ? nil : queryBytes,
                            trace: trace, to: out)
                    }
                }
            }
        }
        return out.array()
    }

    /// What a log writes of notes.
    private static func lines(
        _ notes: [[UInt8]], _ form: SafeText.Form, bytesMax: Int = 1_000_000,
        sinkWorks: Bool = true
    ) -> (lines: [String], dropped: Int) {
        let written = Mutex<[UInt8]>([])
        let sink: AccessLog.Sink = { bytes in
            written.withLock { $0 += bytes }
            return sinkWorks
        }
        let log = AccessLog(
            form, shards: 1, bytesMax: bytesMax, now: { 1_000 }, sink: sink)
        for note in notes { note.withUnsafeBytes { log.take($0, shard: 0, endedAt: 1_234_567) } }
        log.flush()
        let text = written.withLock { String(decoding: $0, as: UTF8.self) }
        return (text.split(separator: "\n").map(String.init), log.droppedLines)
    }

    @Test("A line has time, client, method, target, status, bytes, milliseconds and ids")
    func line() {
        let trace = Array("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".utf8)
        let note = Self.note(query: Array("verbose".utf8), trace: trace)
        let text = Self.lines([note], .text).lines
        #expect(text.count == 1)
        #expect(
            text[0].hasSuffix(
                " unix GET \"/livez?verbose\" 200 16 1.233 \"id\" "
                    + "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\""), "\(text[0])")
        let json = Self.lines([note], .json).lines
        #expect(
            json[0].contains(
                #""target":"/livez?verbose","status":200,"bytes":16,"milliseconds":1.233"#))
    }

    @Test("Whatever is in target, id and trace parent, an answer is one line")
    func forging() throws {
        let evil =
            Array("/x\r\n2026-11-22T10:00:00.000Z 127.0.0.1 GET \"/forged\" 200\u{1b}[2J\"".utf8)
            + [0xff, 0xfe]
        for form in [SafeText.Form.text, .json] {
            let note = Self.note(id: evil, path: evil, query: evil, trace: evil)
            let lines = Self.lines([note, note], form).lines
            #expect(lines.count == 2)
            for line in lines { #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) }) }
            if form == .json {
                let value = try JSONSerialization.jsonObject(with: Data(lines[0].utf8))
                #expect((value as? [String: Any])?["status"] as? Int == 200)
            }
        }
    }

    @Test("A long target is cut, and says so")
    func long() {
        let path = Array("/".utf8) + [UInt8](repeating: 0x61, count: 5_000)
        for form in [SafeText.Form.text, .json] {
            let line = Self.lines([Self.note(path: path, query: path)], form).lines[0]
            #expect(line.contains("aaa...\""))
            #expect(line.utf8.count < 1_400)
        }
    }

    @Test("One in so many is logged, and every answer of the server's own fault")
    func samples() {
        let written = Mutex<[UInt8]>([])
        let log = AccessLog(.text, shards: 1, sampleEvery: 10, bytesMax: 1_000_000) { bytes in
            written.withLock { $0 += bytes }
            return true
        }
        let limits = ServiceLimits()
        let slow = SlowList(limits: limits, now: { 1_000 })
        let meters = ShardMeters(index: 0, limits: limits, slow: slow, accessLog: log)
        /// How many lines there are of answers with these statuses, in turns of seven answers.
        func lines(_ statuses: [UInt16]) -> Int {
            for (index, status) in statuses.enumerated() {
                var note = AnswerNote()
                note.status = status
                note.isLogged = meters.isLogged(status: Int(status))
                Array("/livez".utf8).withUnsafeBytes {
                    meters.answered(note, id: $0, path: $0, query: nil, trace: nil, caller: nil)
                }
                if index % 7 == 6 { meters.turnEnded(now: 1) }
            }
            meters.turnEnded(now: 1)
            log.flush()
            return written.withLock { bytes in
                defer { bytes = [] }
                return bytes.count { $0 == 10 }
            }
        }
        #expect(lines([UInt16](repeating: 200, count: 100)) == 10)
        #expect(lines([UInt16](repeating: 503, count: 100)) == 100)
        #expect(lines((0..<190).map { $0 % 19 == 0 ? 500 : 200 }) == 10 + 18)
    }

    @Test("Lines beyond what may wait, and lines that cannot be written, are dropped and counted")
    func dropped() {
        let notes = (0..<1_000).map { _ in Self.note() }
        let size = notes[0].count
        let full = Self.lines(notes, .text, bytesMax: size * 10)
        #expect(full.lines.count == 10)
        #expect(full.dropped == 990)
        #expect(Self.lines(notes, .text, sinkWorks: false).dropped == 1_000)
    }
}
