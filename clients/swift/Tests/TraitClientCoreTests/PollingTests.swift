// Server-sent events, and long polls.

import Testing

@testable import TraitClientCore

@Suite struct PollingTests {
    @Test("two silent streams lead to polls, a lost poll to one stream, and waits get shorter")
    func polling() {
        var polls = Polling()
        polls.lose(isSilent: true, isMute: true)
        polls.lose(isSilent: false, isMute: true)
        polls.lose(isSilent: true, isMute: false)  // A stream that worked: the count begins anew.
        polls.lose(isSilent: true, isMute: true)
        #expect(!polls.isOn)
        polls.lose(isSilent: true, isMute: true)
        #expect(polls.isOn && polls.waitMilliseconds == 25_000)
        var waits: [Int] = []
        for _ in 0..<6 {
            polls.lose(isSilent: false, isMute: true)
            #expect(!polls.isOn)
            polls.lose(isSilent: true, isMute: true)
            #expect(polls.isOn)
            waits.append(polls.waitMilliseconds)
        }
        #expect(waits == [12_500, 6250, 3125, 1562, 1000, 1000])
    }

    @Test("a poll takes JSON alone")
    func decision() {
        func decide(_ type: String) -> StreamDecision {
            StreamDecision(
                status: 200, isPoll: true, mediaType: type, retryAfter: nil, hasSentToken: true,
                body: [])
        }
        #expect(decide("application/json; charset=utf-8") == .read)
        for type in ["application/x-ndjson", "text/event-stream", "text/html"] {
            #expect(decide(type) == .again(forgetToken: false, after: nil))
        }
    }

    @Test("a poll asks for its wait instead of what only streams have")
    func targets() {
        var target = StreamTarget(
            watches: ["a": .all], registrations: [], basePath: "/v1/sessions/s")
        target.waitMilliseconds = 0
        #expect(target.path == "/events?watch=a:all&initial=true&resync=auto&wait=0ms")
        target.rename(Renaming(node: "a", to: "b"))
        #expect(target.path == "/events?watch=b:all&initial=true&resync=auto&wait=0ms")
        target.waitMilliseconds = nil
        #expect(target.path == "/events?watch=b:all&initial=true&resync=auto&overflow=coalesce")
        target = StreamTarget(recordsWithOperations: false)
        #expect(target.path == "/events")
        target.waitMilliseconds = 1562
        #expect(target.path == "/events?wait=1562ms")
    }

    @Test("the data of events are the same however their bytes are cut")
    func events() {
        let text = Array(
            "\n: hello\r\n\r\nid: 1\nevent: record\ndata: {\"a\":1}\n\ndata:{\"b\":\r\ndata: 2}\r\n\r\ndata: \n\ndata: {\"c\""
                .utf8)
        for size in 1...text.count {
            var (splitter, found) = (LineSplitter(isEvents: true), [TraitValue]())
            for start in stride(from: 0, to: text.count, by: size) {
                let piece = text[start..<min(start + size, text.count)]
                #expect(splitter.add(piece) { found.append((try? TraitValue(json: $0)) ?? nil) })
            }
            #expect(found == [["a": 1], ["b": 2]])
        }
    }

    @Test("an event of more than 16 MiB is refused, also in lines that are shorter")
    func longEvent() {
        var splitter = LineSplitter(isEvents: true)
        let line = Array("data:".utf8) + [UInt8](repeating: 0x78, count: 1 << 20) + [0x0A]
        for _ in 0..<15 { #expect(splitter.add(line[...]) { _ in }) }
        #expect(!splitter.add(line[...]) { _ in })
    }

    @Test("a page has records and, unless its revision goes back, a bookmark")
    func pages() throws {
        func page(_ text: String, after last: Int64?) throws -> StreamPage {
            try StreamPage(json: text.utf8, after: last)
        }
        let change = #"{"type":"change","revision":7,"node":"a","part":0,"changes":[]}"#
        let whole = try page(
            #"{"records":[\#(change)],"revision":8,"next":"u.8","digest":"d"}"#, after: 6)
        #expect(whole.records.map(\.type) == ["change"])
        #expect(whole.bookmark?.contents == .bookmark(digest: "d"))
        #expect(whole.bookmark?.revision == 8 && whole.bookmark?.token == "u.8")
        let empty = #"{"records":[],"revision":8,"next":"u.8"}"#
        #expect(try page(empty, after: 8).bookmark?.contents == .bookmark(digest: nil))
        #expect(try page(empty, after: 9).bookmark == nil)
        #expect(try page(empty, after: nil).bookmark != nil)
        for text in [
            "", "[]", #"{"records":3}"#, #"{"records":[3]}"#,
            #"{"records":[{"type":"change","revision":7}],"revision":7}"#,
        ] {
            #expect(throws: MalformedRecord.self) { try page(text, after: nil) }
        }
    }

    @Test("a stream resumes after polls, whose pages name the session in resets alone")
    func resumes() throws {
        var fed = Fed()
        _ = fed.cache.connect()
        let begun = #"{"type":"begin","revision":5,"token":"u.5","uid":"u"}"#
        try fed.feed(state(5, "a", "{\"x\":1}"), sync(5, digest: digest(["a": ["x": 1]])))
        #expect(fed.cache.connect() == "u.5")
        try fed.feed(begun)
        #expect(fed.cache.isCurrent && fed.cache.token == "u.5")
        #expect(fed.cache.connect() == "u.5")
        try fed.feed(
            #"{"type":"reset","revision":2,"uid":"v"}"#, state(2, "a", "{\"x\":3}"),
            sync(2, digest: digest(["a": ["x": 3]])))
        #expect(fed.cache.connect() == "u.2")
        try fed.feed(#"{"type":"begin","revision":2,"token":"u.2","uid":"v"}"#)
        #expect(fed.cache.isCurrent)
        // Another session than that of the reset.
        #expect(fed.cache.connect() == "u.2")
        try fed.feed(#"{"type":"begin","revision":2,"token":"u.2","uid":"u"}"#)
        #expect(!fed.cache.isCurrent)
    }
}
