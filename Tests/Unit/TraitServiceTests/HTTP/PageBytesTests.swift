// Pages that end by bytes: shorter than asked for, and together the whole list.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Pages of long items")
struct PageBytesTests {
    /// The names of all items, and how many pages they came in.
    private static func walk(
        _ session: SessionClient, _ list: String, _ member: String, name: String
    ) throws -> (names: [String], pages: Int) {
        var names: [String] = []
        var pages = 0
        var token = ""
        while true {
            let answer = try session.get("\(list)?pageSize=1000\(token)").expecting(200)
            #expect(answer.body.count < 10_000)
            let page = try answer.json
            names += (page[member]?.array ?? []).compactMap { $0[name]?.string }
            pages += 1
            guard let next = page["nextPageToken"]?.string else { return (names, pages) }
            #expect(answer[header: "Link"]?.contains("pageToken=\(next)") == true)
            token = "&pageToken=\(next)"
            try #require(pages < 100)
        }
    }

    @Test("end after pageBytesMax, and the next one goes on behind them")
    func pages() throws {
        var limits = ServiceLimits()
        limits.pageBytesMax = 4_096
        let server = try InProcessService(limits: limits)
        let session = try SessionClient.make("pages", on: server.url)
        try session.put("nodes/a", ["kind": "environment"])
        let long = String(repeating: "x", count: 1_000)
        for number in 0..<30 {
            try session.put("registrations/r\(number)", ["node": "a", "set": "all"])
            try session.put(
                "environmentKeys/k\(number)", ["type": "string", "default": .string(long)])
            try session.put("colors/c\(number)", ["variants": [["value": .string(long)]]])
            try session.put("images/i\(number)", ["variants": [["value": .string(long)]]])
        }
        for (list, member, name, prefix) in [
            ("registrations", "registrations", "id", "r"),
            ("environmentKeys", "environmentKeys", "key", "k"), ("colors", "colors", "color", "c"),
            ("images", "images", "image", "i"),
        ] {
            let found = try Self.walk(session, list, member, name: name)
            #expect(found.names == (0..<30).map { "\(prefix)\($0)" }, "\(list)")
            #expect(found.pages > 2, "\(list)")
        }
    }

    @Test("have at least one item, however long it is")
    func one() throws {
        var limits = ServiceLimits()
        limits.pageBytesMax = 1
        let server = try InProcessService(limits: limits)
        let session = try SessionClient.make("one", on: server.url)
        for number in 0..<3 {
            try session.put("colors/c\(number)", ["variants": [["value": "white"]]])
        }
        let found = try Self.walk(session, "colors", "colors", name: "color")
        #expect(found.names == ["c0", "c1", "c2"] && found.pages == 3)
    }
}
