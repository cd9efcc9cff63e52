// Rows of variants, and assumptions, against a server that fails on command.

import Foundation
import Testing
import TraitClient

@Suite struct VariantsTests {
    private static let head =
        #"{"uid":"u","revision":7,"assumed":true,"axes":[],"strength":0,"rows":2}"# + "\n"
    private static let axes: [TraitValue] = [
        ["name": "style", "trait": "userInterfaceStyle", "at": "scene"]
    ]

    private static func row(_ number: Int, _ style: String, more: String = "") -> String {
        let node = #"{"node":"a","state":"current","traits":{"userInterfaceStyle":"\#(style)"}}"#
        return #"{"row":\#(number),"labels":{"style":"\#(style)"},"nodes":[\#(node)]\#(more)}"#
            + "\n"
    }

    private static func end(_ rows: Int, _ combinations: Int) -> String {
        #"{"end":true,"rows":\#(rows),"combinations":\#(combinations)}"# + "\n"
    }

    private static func variants(_ server: FaultServer) -> TraitVariants {
        RequestTests.session(server).variants(
            nodes: ["a"], axes: axes, reads: "recorded", strength: 2, except: [["style": "dark"]],
            distinct: true)
    }

    @Test("rows come with their values, and the head and the end with their counts")
    func whole() async throws {
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            for line in [
                Self.head, Self.row(0, "light", more: #","combinations":3"#),
                Self.row(1, "dark", more: #","combinations":5"#), Self.end(2, 8), "0\r\n\r\n",
            ] {
                if line.hasPrefix("0") { connection.send(line) } else { connection.sendChunk(line) }
            }
            return true
        }
        let variants = Self.variants(server)
        #expect(variants.head == nil)
        // Each iteration is a request.
        for number in 1...2 {
            var rows: [TraitVariant] = []
            for try await row in variants { rows.append(row) }
            #expect(rows.map(\.row) == [0, 1] && rows.map(\.combinations) == [3, 5])
            #expect(rows.map(\.labels) == [["style": "light"], ["style": "dark"]])
            #expect(rows[1].values == ["a": ["userInterfaceStyle": "dark"]])
            #expect(variants.head?["revision"] == 7 && variants.end?["combinations"] == 8)
            #expect(server.requests.count == number)
        }
        let request = try #require(server.requests.first)
        #expect(request.target == "/prefix/v1/sessions/s/variants" && request.method == "POST")
        #expect(request.fields["accept"] == "application/x-ndjson")
        #expect(request.fields["idempotency-key"] == nil)
        #expect(
            try TraitValue(json: request.body) == [
                "nodes": ["a"], "axes": .array(Self.axes), "reads": "recorded", "strength": 2,
                "except": [["style": "dark"]], "distinct": true,
            ])
    }

    @Test("the request is repeated until the head has come, and not after it")
    func lost() async throws {
        let server = FaultServer { connection, _, index in
            switch index {
            case 0: return false
            case 1: connection.answer(503, "{}", fields: ["Retry-After: 0"])
            case 2:
                connection.sendHead()
                return false
            default:
                connection.sendHead()
                connection.sendChunk(Self.head)
                connection.sendChunk(Self.row(0, "light"))
                connection.sendChunk("{\"row\":1,")
                return false
            }
            return true
        }
        var rows = 0
        let error = await #expect(throws: TraitdError.self) {
            for try await row in Self.variants(server) { rows += row.row == 0 ? 1 : 100 }
        }
        #expect(error?.code == "incomplete-answer" && rows == 1, "\(error as Any)")
        #expect(server.requests.count == 4)
    }

    @Test(
        "an answer with other counts, without a row or without its end is an error",
        arguments: [
            ([row(0, "light"), row(2, "dark"), end(2, 2)], "malformed-answer", 1),
            ([row(0, "light"), row(0, "light"), end(2, 2)], "malformed-answer", 1),
            ([row(0, "light"), end(2, 2)], "malformed-answer", 1),
            ([row(0, "light"), end(1, 2)], "malformed-answer", 1),
            ([row(0, "light"), "[]\n"], "malformed-answer", 1),
            ([row(0, "light")], "incomplete-answer", 1), ([], "incomplete-answer", 0),
        ] as [([String], String, Int)])
    func wrong(lines: [String], code: String, rows: Int) async throws {
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            for line in [Self.head] + lines { connection.sendChunk(line) }
            connection.send("0\r\n\r\n")
            return true
        }
        var given = 0
        let error = await #expect(throws: TraitdError.self) {
            for try await _ in Self.variants(server) { given += 1 }
        }
        #expect(error?.code == code && given == rows && server.requests.count == 1)
    }

    @Test("a loop that is left or cancelled ends the connection")
    func left() async throws {
        let (ended, told) = AsyncStream<Bool>.makeStream()
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            connection.sendChunk(Self.head)
            connection.sendChunk(Self.row(0, "light"))
            told.yield(connection.byte() == nil)
            return false
        }
        var ends = ended.makeAsyncIterator()
        for try await row in Self.variants(server) where row.row == 0 { break }
        #expect(await ends.next() == true)
        let (began, first) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in Self.variants(server) { first.yield() }
        }
        var begins = began.makeAsyncIterator()
        await begins.next()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await ends.next() == true)
    }

    @Test("operations are assumed, and only what would change is asked for")
    func assumed() async throws {
        let node =
            #"{"node":"a","state":"current","traits":{"theme":"bold"},"previous":{"theme":"plain"}}"#
        let new = #"{"node":"b","state":"current","traits":{"theme":"bold"},"new":true}"#
        let server = FaultServer { connection, _, _ in
            connection.answer(
                200,
                #"{"uid":"u","revision":7,"assumed":true,"nodes":[\#(node),\#(new)],"count":9}"#)
            return true
        }
        let found = try await RequestTests.session(server).resolve(
            nodes: ["a", "b"], traits: ["theme"], changed: true
        ) {
            $0.setOverride("theme", "bold", at: "a")
        }
        #expect(found.values == ["a": ["theme": "bold"], "b": ["theme": "bold"]])
        #expect(found.previous == ["a": ["theme": "plain"], "b": [:]] && found.count == 9)
        let body = try TraitValue(json: try #require(server.requests.first).body)
        #expect(body["changed"] == true && body["assume"]?.array?.count == 1)
    }
}
