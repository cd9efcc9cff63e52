// Answers that are made from snapshots while clients are slow or gone and the session goes on: of one
// revision, and nothing is left behind.

import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Long reads that take their time")
struct LongReadStreamTests {
    /// How many lines a raw chunked answer has, all of that revision.
    private static func lines(in bytes: [UInt8], revision: Int64) throws -> Int {
        let head = try #require(bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) })
        let text = String(decoding: bytes[..<head], as: UTF8.self)
        #expect(text.contains("Traitd-Revision: \(revision)\r\n"))
        var body: [UInt8] = []
        var rest = bytes[(head + 4)...]
        while let end = rest.firstIndex(of: 13) {
            let size = try #require(Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16))
            if size == 0 { break }
            rest = rest[(end + 2)...]
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        let lines = body.split(separator: 10)
        let isOfOne = lines.allSatisfy { line in
            String(decoding: line.prefix(100), as: UTF8.self).contains(#""revision":\#(revision),"#)
                && line.last == UInt8(ascii: "}")
        }
        #expect(isOfOne)
        return lines.count
    }

    @Test("A slow reader gets one revision, though the session is written to and then deleted")
    func slow() throws {
        let served = try LongReadServer(ServiceLimits(), LongReadTree.large)
        let count = try served.session.get("").json["nodes"]?.int
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"])
        for number in 0..<200 {
            try served.session.put(
                "nodes/n\(number)/overrides/displayScale", ["value": .int(Int64(number) + 7)])
        }
        try served.session.delete("")
        let rest = try reader.read { $0.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8) }
        #expect(try Self.lines(in: read + rest, revision: 1) == count.map { Int($0) })
    }

    @Test("HTTP/1.0 gets the same bytes, up to the end of the connection")
    func oldVersion() throws {
        let served = try LongReadServer(ServiceLimits(), LongReadTree.tree(3_000))
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"], version: "1.0")
        let text = String(decoding: read + (try reader.readToEnd()), as: UTF8.self)
        let whole = try served.session.send(
            "POST", "resolve", ["under": "n0"],
            fields: [HTTPField("Accept", "application/x-ndjson")])
        #expect(text.hasSuffix("\r\n\r\n" + whole.text))
        #expect(!text.contains("chunked"))
    }

    @Test("Readers of one revision share a snapshot, and it goes with the last of them")
    func shared() throws {
        var limits = ServiceLimits()
        limits.readSnapshotsMax = 2
        let served = try LongReadServer(limits, LongReadTree.large)
        do {
            let first = try served.stall("POST", "resolve", ["under": "n0"])
            let second = try served.stall("POST", "resolve", ["under": "n0"])
            #expect(try served.snapshots() == 1)
            try served.session.override("displayScale", at: "n0", 5)
            let third = try served.stall("POST", "resolve", ["under": "n0"])
            #expect(try served.snapshots() == 2)
            try served.session.override("displayScale", at: "n0", 6)
            let beyond = try served.session.send("POST", "resolve", ["under": "n0"])
            let problem = try expectProblem(beyond, 429, "too-many-reads")
            #expect(problem["limit"] == "readSnapshotsMax=2")
            #expect(beyond.revision == 3)
            // What needs no snapshot is answered.
            let few = try served.session.send("POST", "resolve", ["nodes": ["n0"]])
            #expect(few.status == 200)
            withExtendedLifetime((first, second, third)) {}
        }
        try served.expectReleased()
        let after = try served.session.send("POST", "resolve", ["under": "n0"])
        #expect(after.status == 200)
        #expect(after.revision == 3)
    }

    @Test("A client that stalls is cut off, and its snapshot is let go")
    func stalled() throws {
        let served = try LongReadServer(ServiceLimits(), LongReadTree.large) {
            $0.limits.writeStallTimeoutSeconds = 0.2
        }
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"])
        try served.expectReleased()
        let bytes = read + (try reader.readToEnd())
        #expect(!bytes.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8))
    }
}
