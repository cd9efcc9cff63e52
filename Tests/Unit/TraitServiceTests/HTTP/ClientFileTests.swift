// `/client.js`: the file of the repository, byte for byte, with what a browser needs to cache it.

import Foundation
import TestSupport
import Testing

@Suite("The client that is served")
struct ClientFileTests {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("clients/js/traitd.js")

    @Test(
        "The client is the file of the repository, a module that browsers check before they use it")
    func bytes() throws {
        let client = try InProcessService().client()
        let answer = try client.get("/client.js")
        #expect(answer.status == 200)
        #expect(answer.text == (try String(contentsOf: Self.file, encoding: .utf8)))
        #expect(answer[header: "Content-Type"] == "text/javascript; charset=utf-8")
        #expect(answer[header: "X-Content-Type-Options"] == "nosniff")
        #expect(answer[header: "Cache-Control"] == "no-cache")
        let head = try client.send("HEAD", "/client.js")
        #expect(head[header: "Content-Length"] == answer[header: "Content-Length"])
        #expect(head[header: "ETag"] == answer[header: "ETag"])
    }

    @Test("A browser that has the client gets 304, and another gets the file")
    func conditions() throws {
        let client = try InProcessService().client()
        let tag = try #require(try client.get("/client.js")[header: "ETag"])
        for (listed, status) in [(tag, 304), ("W/\(tag), \"x\"", 304), ("\"x\"", 200), ("*", 304)] {
            let fields = [HTTPField("If-None-Match", listed)]
            let answer = try client.send("GET", "/client.js", fields: fields)
            #expect(answer.status == status, "\(listed)")
            #expect(answer[header: "ETag"] == tag)
            #expect(answer[header: "Cache-Control"] == "no-cache")
            #expect(answer.text.isEmpty == (status == 304))
        }
        let packed = try client.get("/client.js", fields: [HTTPField("Accept-Encoding", "gzip")])
        #expect(packed[header: "Content-Encoding"] == "gzip")
        #expect(packed[header: "ETag"] != tag)
    }

    @Test("The client is no JSON, and takes no parameter")
    func others() throws {
        let client = try InProcessService().client()
        let json = [HTTPField("Accept", "application/json")]
        try expectProblem(try client.get("/client.js", fields: json), 406, "not-acceptable")
        try expectProblem(try client.get("/client.js?x=1"), 400, "unknown-parameter")
        #expect(try client.send("POST", "/client.js").status == 405)
    }
}
