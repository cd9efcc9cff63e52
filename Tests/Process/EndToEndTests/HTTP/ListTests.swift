// Lists and their pages.

import TestSupport
import Testing

@Suite("Lists")
struct ListTests {
    /// All elements of a list, page by page, and the number of pages.
    private func pages(
        _ client: HTTPClient, _ target: String, _ member: String, size: Int
    ) throws -> (elements: [JSON], count: Int) {
        var elements: [JSON] = []
        var count = 0
        var next: String? = target + (target.contains("?") ? "&" : "?") + "pageSize=\(size)"
        while let target = next {
            let answer = try client.get(target).expecting(200)
            let page = try #require(try answer.json[member]?.array)
            #expect(page.count <= size)
            elements += page
            count += 1
            let token = try answer.json["nextPageToken"]?.string
            let link = answer[header: "Link"]
            #expect((token == nil) == (link == nil))
            next = link.flatMap { $0.hasSuffix(#">; rel="next""#) ? $0 : nil }
                .map { String($0.dropFirst().prefix { $0 != ">" }) }
            if let token { #expect(next?.contains(token) == true) }
        }
        return (elements, count)
    }

    @Test("Nodes come in tree order, in pages of any size", arguments: [1, 3, 7, 1_000])
    func nodes(size: Int) throws {
        let session = try sampleSession("list", cells: 6)
        let listed = try pages(session.client, session.target("nodes"), "nodes", size: size)
        let ids = listed.elements.map { $0["id"]?.string }
        #expect(ids == SampleHierarchy.line + (0..<6).map { "cell\($0)" })
        #expect(listed.count == (ids.count + size - 1) / size || size > ids.count)
    }

    @Test("Siblings stand in the order in which they got their parent")
    func siblings() throws {
        let session = try sampleSession("siblings", cells: 3)
        try session.send("PATCH", "nodes/cell0", ["parent": "window"]).success()
        try session.send("PATCH", "nodes/cell0", ["parent": "list"]).success()
        let listed = try session.get("nodes?under=list").json["nodes"]?.array ?? []
        #expect(
            listed.map { $0["id"] }.filter { $0 != "list" } == ["cell1", "cell2", "cell0"])
    }

    @Test("A list can be narrowed by kind, subtree and depth")
    func narrowed() throws {
        let session = try sampleSession("narrow", cells: 2)
        func ids(_ query: String) throws -> [String] {
            (try session.get("nodes?" + query).expecting(200).json["nodes"]?.array ?? [])
                .compactMap { $0["id"]?.string }
        }
        #expect(try ids("kind=viewController") == ["parent", "child"])
        #expect(try ids("under=list&kind=view").suffix(2) == ["cell0", "cell1"])
        #expect(try !ids("under=child").contains("middle"))
        let shallow = try ids("under=list&depth=0")
        #expect(!shallow.contains("cell0"))
    }

    @Test("The link to the next page encodes what no target may have")
    func link() throws {
        let session = try sampleSession("link")
        for node in ["cell0", "list"] {
            try session.send("PATCH", "nodes/\(node)", ["label": "a>b\"<"]).expecting(200)
        }
        let port = try #require(session.client.baseURL.split(separator: ":").last)
        let connection = try RawConnection(port: try #require(UInt16(port)))
        try connection.send(
            "GET \(session.target("nodes"))?pageSize=1&q=a>b\"< HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
        #expect(answer.contains("&q=a%3Eb%22%3C>; rel=\"next\""), "\(answer)")
    }

    @Test("Sessions and registrations are listed in pages, too")
    func others() throws {
        let server = try TraitdProcess()
        defer { server.child.stop() }
        for number in 0..<7 {
            let session = try SessionClient("s\(number)", on: server.url)
            try session.put("", [:])
        }
        let client = try HTTPClient(server.url)
        let sessions = try pages(client, "/v1/sessions", "sessions", size: 3)
        #expect(sessions.elements.map { $0["name"] } == (0..<7).map { .string("s\($0)") })
        #expect(sessions.count == 3)

        let session = try SessionClient("s0", on: server.url)
        try session.transaction(
            SampleHierarchy.operations()
                + (0..<5).map { .register("r\($0)", at: "cell0", ["theme"]) })
        let registrations = try pages(
            client, session.target("registrations"), "registrations", size: 2)
        #expect(registrations.elements.map { $0["id"] } == (0..<5).map { .string("r\($0)") })
    }
}
