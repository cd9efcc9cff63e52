// Answers that are made from snapshots: the same bytes as under the lock, of one revision whatever
// is written meanwhile, and nothing left behind.

import HTTPServer
import SessionLog
import Synchronization
import TestSupport
import Testing

@testable import TraitService
@testable import TraitSessions

@Suite("Long reads", .timeLimit(.minutes(2)))
struct LongReadTests {
    /// Two services with the same session, one of which reads everything at length.
    private final class Pair: Sendable {
        let short: Served
        let long: Served

        init(_ nodes: [JSON]) throws {
            var limits = ServiceLimits()
            limits.inlineValuesMax = 0
            limits.inlineVisitsMax = 0
            limits.inlineHistoryBytesMax = 0
            let inline = try Self.generous()
            short = try Served(inline, nodes)
            long = try Served(limits, nodes)
        }

        static func generous() throws -> ServiceLimits {
            var limits = ServiceLimits()
            limits.inlineValuesMax = 10_000_000
            limits.inlineVisitsMax = 10_000_000
            limits.inlineHistoryBytesMax = 100_000_000
            limits.inlineBodyBytesMax = 100_000_000
            limits.pageSizeMax = 1_000_000
            return limits
        }

        /// The answers of both; they must agree in all but the framing.
        @discardableResult
        func agree(
            _ method: String, _ rest: String, _ json: JSON? = nil, accept: String = "*/*",
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> HTTPResponse {
            let fields = [
                HTTPField("Accept", accept), HTTPField("Traitd-Request-Id", "same"),
            ]
            let short = try short.session.send(method, rest, json, fields: fields)
            let long = try long.session.send(method, rest, json, fields: fields)
            #expect(short.status == long.status, sourceLocation: sourceLocation)
            let isEqual = short.body == long.body
            #expect(isEqual, "\(method) \(rest) \(accept)", sourceLocation: sourceLocation)
            let framing: Set = ["Date", "Content-Length", "Transfer-Encoding", "Vary"]
            #expect(
                short.head.fields.filter { !framing.contains($0.name) }
                    == long.head.fields.filter { !framing.contains($0.name) },
                sourceLocation: sourceLocation)
            return long
        }
    }

    /// A service with one session, `s`; its clock stands still and its random source counts.
    private final class Served: Sendable {
        let service: TraitService
        let server: HTTPServer
        let port: UInt16
        let session: SessionClient

        init(
            _ limits: ServiceLimits, _ nodes: [JSON],
            configure: (inout ServerConfiguration) -> Void = { _ in }
        ) throws {
            let counter = Counter()
            service = TraitService(
                version: "test", shards: 1, limits: limits,
                environment: SessionEnvironment(now: { 1_000 }, random: { counter.next() }))
            var configuration = ServerConfiguration()
            configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
            configuration.shards = 1
            configure(&configuration)
            server = HTTPServer(configuration: configuration, handler: service)
            port = try server.start().first?.port ?? 0
            let url = "http://127.0.0.1:\(port)"
            session = try SessionClient("s", on: url)
            try session.client.send(
                "PUT", "/v1/sessions/s",
                json: [
                    "nodes": .array(nodes),
                    "traits": ["title": ["type": "string", "default": "none"]],
                ],
                fields: [HTTPField("Traitd-Request-Id", "same")]
            ).expecting(201)
        }

        deinit { server.stop() }

        func snapshots() throws -> Int64? {
            try session.get("stats").expecting(200).json["snapshots"]?.int
        }

        /// Waits until no snapshot is held.
        func expectReleased() throws {
            let deadline = Deadline(within: .seconds(30))
            while try snapshots() != 0 {
                if deadline.hasPassed { throw TimedOut("the release of a snapshot") }
            }
            let shared = service.store.find("s").map { session in
                session.locked { session.sharedSnapshot != nil }
            }
            #expect(shared == false)
        }

        /// A client that has sent the request, read the head, and stopped reading.
        func stall(_ method: String, _ rest: String, _ json: JSON?, version: String = "1.1")
            throws -> (RawConnection, read: [UInt8])
        {
            let connection = try RawConnection(port: port, receiveBufferBytes: 65_536)
            let body = json?.bytes ?? []
            try connection.send(
                "\(method) /v1/sessions/s/\(rest) HTTP/\(version)\r\nHost: a\r\n"
                    + "Accept: application/x-ndjson\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n")
            try connection.send(body)
            let read = try connection.read {
                String(decoding: $0, as: UTF8.self).contains("\r\n\r\n")
            }
            return (connection, read)
        }
    }

    private final class Counter: Sendable {
        private let value = Atomic<UInt64>(0)
        func next() -> UInt64 {
            value.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9e37_79b9_7f4a_7c15
        }
    }

    private static func nodes(_ count: Int) -> [JSON] {
        (0..<count).map { number in
            let parent: JSON = number == 0 ? nil : .string("n\((number - 1) / 3)")
            let title = String(repeating: "t", count: number * 7 % 200)
            return [
                "id": .string("n\(number)"),
                "kind": number % 50 == 49 ? "view" : "environment",
                "parent": number % 50 == 49 ? "window" : parent,
                "overrides": number % 5 == 3 ? ["displayScale": .int(Int64(number))] : [:],
                "supplied": number % 7 == 3 ? ["title": .string(title)] : [:],
            ]
        }
    }

    private static func tree(_ count: Int) -> [JSON] {
        [["id": "scene", "kind": "windowScene"], ["id": "window", "kind": "window", "parent": "scene"]]
            + nodes(count).filter { $0["kind"] == "environment" || $0["parent"] == "window" }
            .filter { node in
                // A parent that is a view stands for the root.
                let parent = node["parent"]?.string?.dropFirst().description ?? ""
                return Int(parent).map { $0 % 50 != 49 } ?? true
            }
    }

    private static let lines = "application/x-ndjson"

    @Test("Resolving at length has the same bytes as under the lock, in both forms")
    func resolve() throws {
        let pair = try Pair(Self.tree(2_000))
        let ids = try #require(
            pair.short.session.get("nodes?pageSize=1000000").json["nodes"]?.array
        ).compactMap { $0["id"] }
        #expect(ids.count > 1_000)
        let names = (0..<5_000).map { ids[$0 * 7 % ids.count] }
        let bodies: [JSON] = [
            ["under": "n0"], ["under": "n1", "traits": ["displayScale"]], ["under": .string("n0"),
                "traits": ["title", "displayScale"]],
            ["nodes": .array(names)], ["nodes": .array(names), "traits": ["title"]],
            ["nodes": []], ["nodes": ["n0"]], ["under": "scene", "traits": []],
        ]
        for body in bodies {
            for accept in ["application/json", Self.lines] {
                let answer = try pair.agree("POST", "resolve", body, accept: accept)
                #expect(answer.status == 200)
                #expect(answer[header: "Content-Type"] == accept)
                #expect(answer.revision == 1)
            }
        }
        try pair.long.expectReleased()
    }

    @Test("What is refused is refused alike, names and pointers included")
    func refused() throws {
        let pair = try Pair(Self.tree(200))
        var names = JSON.array((0..<3_000).map { _ in "n1" })
        var many = names.array ?? []
        many[2_500] = "lost"
        let unknown = JSON.array(many)
        many[2_500] = 7
        names = .array(many)
        let bodies: [JSON] = [
            ["nodes": unknown], ["nodes": names], ["under": "lost"], ["under": 3], [:],
            ["nodes": ["n0"], "under": "n0"], ["nodes": "n0"], ["under": "n0", "traits": ["titel"]],
            ["under": "n0", "traits": "title"], ["under": "n0", "extra": 1], [],
        ]
        for body in bodies {
            let answer = try pair.agree("POST", "resolve", body)
            #expect([400, 422].contains(answer.status), "\(body)")
            #expect(answer.revision == 1)
        }
        for rest in ["nodes?under=lost", "nodes?kind=vieww", "nodes?pageToken=after.lost"] {
            #expect(try [400, 422].contains(pair.agree("GET", rest, accept: Self.lines).status))
        }
        try pair.long.expectReleased()
    }

    @Test("A list of names in a long body is read on the worker, with the same answers")
    func longBody() throws {
        var limits = ServiceLimits()
        limits.inlineBodyBytesMax = 0
        let elsewhere = try Served(limits, Self.tree(200))
        let here = try Served(try Pair.generous(), Self.tree(200))
        let names = JSON.array((0..<20_000).map { _ in "n1" })
        for body: JSON in [
            ["nodes": names, "traits": ["title"]], ["under": "n0"], ["nodes": ["lost"]], [:],
            ["nodes": names, "traits": ["titel"]],
        ] {
            let fields = [HTTPField("Traitd-Request-Id", "same")]
            let one = try elsewhere.session.send("POST", "resolve", body, fields: fields)
            let other = try here.session.send("POST", "resolve", body, fields: fields)
            #expect(one.status == other.status)
            let isEqual = one.body == other.body
            #expect(isEqual)
            #expect(one.revision == other.revision)
        }
        let malformed = try elsewhere.session.client.send(
            HTTPRequest("POST", "/v1/sessions/s/resolve", text: #"{"nodes":["n0""#))
        try expectProblem(malformed, 400, "malformed-json")
        let form = try elsewhere.session.client.send(
            HTTPRequest("POST", "/v1/sessions/s/resolve", body: Array("a=b".utf8)))
        try expectProblem(form, 415, "unsupported-media-type")
        try elsewhere.expectReleased()
    }

    @Test("Pages of nodes and of the history have the same bytes, fields and next page")
    func pages() throws {
        let pair = try Pair(Self.tree(2_000))
        for number in 0..<30 {
            try pair.agree(
                "PUT", "nodes/n\(number % 3)/overrides/title", ["value": .string("t\(number)")])
        }
        for rest in [
            "nodes", "nodes?pageSize=7", "nodes?kind=view&pageSize=3", "nodes?kind=window",
            "nodes?depth=2&pageSize=5", "nodes?under=n1&depth=1", "nodes?under=n0&pageSize=1000",
            "history", "history?pageSize=4", "history?operations=true&pageSize=10",
        ] {
            var next: String? = rest
            var count = 0
            while let page = next, count < 500 {
                let answer = try pair.agree("GET", page)
                try #require(answer.status == 200)
                next = answer[header: "Link"].flatMap { link in
                    link.firstIndex(of: ">").map { String(link[..<$0].dropFirst(15)) }
                }
                if let next { #expect(next.hasPrefix("nodes") || next.hasPrefix("history")) }
                let tag = try #require(answer[header: "ETag"])
                let known = try pair.long.session.send(
                    "GET", page, nil, fields: [HTTPField("If-None-Match", tag)])
                #expect(known.status == 304)
                #expect(known.body.isEmpty)
                count += 1
            }
            #expect(count < 500)
        }
        try pair.long.expectReleased()
    }

    @Test("A list as lines has every node of the query once, as its pages have them")
    func nodeLines() throws {
        let pair = try Pair(Self.tree(3_000))
        for query in ["", "?kind=view", "?under=n1", "?depth=2", "?under=n1&depth=1&kind=environment"] {
            let answer = try pair.agree("GET", "nodes" + query, accept: Self.lines)
            #expect(answer[header: "Content-Type"] == Self.lines)
            let records = try answer.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
            let page = query.isEmpty ? "?pageSize=1000000" : query + "&pageSize=1000000"
            let listed = try pair.short.session.get("nodes" + page).json["nodes"]?.array
            #expect(records == listed)
            let tag = try #require(answer[header: "ETag"])
            #expect(tag.hasSuffix("-ndjson\""))
            let known = try pair.long.session.send(
                "GET", "nodes" + query, nil,
                fields: [HTTPField("If-None-Match", tag), HTTPField("Accept", Self.lines)])
            #expect(known.status == 304)
            let head = try pair.long.session.send(
                "HEAD", "nodes" + query, nil, fields: [HTTPField("Accept", Self.lines)])
            #expect(head.status == 200)
            #expect(head[header: "ETag"] == tag)
        }
        // A page is a page, whatever is accepted.
        let page = try pair.agree("GET", "nodes?pageSize=2", accept: Self.lines)
        #expect(try page.json["nodes"]?.array?.count == 2)
        try pair.long.expectReleased()
    }

    @Test("Pages of a list with a depth have no node below it", arguments: [0, 1, 2])
    func depth(depth: Int) throws {
        let served = try Served(ServiceLimits(), Self.tree(100))
        let whole = try served.session.get("nodes?depth=\(depth)&pageSize=1000").json["nodes"]
        var paged: [JSON] = []
        var query: String? = "?depth=\(depth)&pageSize=1"
        while let page = query {
            let json = try served.session.get("nodes" + page).expecting(200).json
            paged += json["nodes"]?.array ?? []
            query = json["nextPageToken"]?.string.map {
                "?depth=\(depth)&pageSize=1&pageToken=\($0)"
            }
        }
        #expect(.array(paged) == whole)
    }

    // MARK: - While it is read

    /// A subtree whose answer no socket holds: about 20 MB.
    private static let large: [JSON] = nodes(20_000).filter { $0["kind"] == "environment" }
        .filter { node in
            let parent = node["parent"]?.string?.dropFirst().description ?? ""
            return Int(parent).map { $0 % 50 != 49 } ?? true
        }

    /// The records that are whole in a raw answer, with the head's revision.
    private static func check(_ bytes: [UInt8], revision: Int64) throws -> Int {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("Traitd-Revision: \(revision)\r\n"))
        let head = try #require(text.range(of: "\r\n\r\n"))
        let body = Array(text[head.upperBound...].utf8)
        let records = try StalledReader.records(in: body)
        #expect(records.allSatisfy { $0["revision"] == .int(revision) })
        return records.count
    }

    @Test("A slow reader gets one revision, though the session is written to and then deleted")
    func slow() throws {
        let served = try Served(ServiceLimits(), Self.large)
        let count = try served.session.get("").json["nodes"]?.int
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"])
        for number in 0..<200 {
            try served.session.put(
                "nodes/n\(number)/overrides/displayScale", ["value": .int(Int64(number) + 7)])
        }
        try served.session.delete("")
        let rest = try reader.read { $0.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8) }
        // Reading in pieces may cut no record: the count of all is the proof.
        #expect(try Self.check(read + rest, revision: 1) == count.map { Int($0) })
    }

    @Test("HTTP/1.0 gets the same bytes, up to the end of the connection")
    func oldVersion() throws {
        let served = try Served(ServiceLimits(), Self.tree(3_000))
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"], version: "1.0")
        let text = String(decoding: read + (try reader.readToEnd()), as: UTF8.self)
        let whole = try served.session.send(
            "POST", "resolve", ["under": "n0"], fields: [HTTPField("Accept", Self.lines)])
        #expect(text.hasSuffix("\r\n\r\n" + whole.text))
        #expect(!text.contains("chunked"))
    }

    @Test("Readers of one revision share a snapshot, and it goes with the last of them")
    func shared() throws {
        var limits = ServiceLimits()
        limits.readSnapshotsMax = 2
        let served = try Served(limits, Self.large)
        do {
            let first = try served.stall("POST", "resolve", ["under": "n0"])
            let second = try served.stall("POST", "resolve", ["under": "n1"])
            #expect(try served.snapshots() == 1)
            try served.session.override("displayScale", at: "n0", 5)
            let third = try served.stall("POST", "resolve", ["under": "n0"])
            #expect(try served.snapshots() == 2)
            try served.session.override("displayScale", at: "n0", 6)
            let beyond = try served.session.send("POST", "resolve", ["under": "n0"])
            let problem = try expectProblem(beyond, 429, "quota")
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
        let served = try Served(ServiceLimits(), Self.large) {
            $0.limits.writeStallTimeoutSeconds = 0.2
        }
        let (reader, read) = try served.stall("POST", "resolve", ["under": "n0"])
        try served.expectReleased()
        let bytes = read + (try reader.readToEnd())
        #expect(!bytes.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8))
    }
}
