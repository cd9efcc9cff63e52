// The digest of pages: a client that polls finds out that the set of its nodes has changed.

import TestSupport
import Testing

@testable import TraitService

@Suite("Digests of pages")
struct PageDigestTests {
    @Test("A page after a state has the digest of the present values, also of a changed set")
    func digests() throws {
        let service = try InProcessService()
        let session = try service.session(
            "pages",
            ["traits": ["n": ["type": "int", "default": 0]], "nodes": [.node("a"), .node("b")]])
        func page(_ token: String?, initial: Bool = true) throws -> JSON {
            let state = initial ? "&initial=true&resync=auto" : ""
            let fields = token.map { [HTTPField("Last-Event-ID", $0)] } ?? []
            return try session.send(
                "GET", "events?watch=a:n&watch=b:n&wait=0s\(state)", fields: fields
            ).success().json
        }
        /// The digest of a cache that is filled anew.
        func fresh() throws -> JSON? {
            let records = try page(nil)["records"]?.array ?? []
            return records.first { $0["type"] == "sync" }?["digest"]
        }
        let first = try page(nil)
        var next = try #require(first["next"]?.string)
        func following() throws -> JSON {
            let page = try page(next)
            next = try #require(page["next"]?.string)
            return page
        }
        let empty = try following()
        #expect(try empty["records"] == [] && empty["digest"] == fresh())
        try session.override("n", at: "b", 3)
        let changed = try following()
        #expect(changed["records"]?.array?.count == 1)
        #expect(try changed["digest"] == fresh() && changed["digest"] != empty["digest"])
        // The node is another one now: the page begins anew.
        try session.transaction([.deleteNode("b")])
        try session.transaction([.createNode("b", "environment"), .setOverride("n", at: "b", 5)])
        #expect(try following()["records"]?[0]?["type"] == "reset")
        #expect(try following()["digest"] == fresh())
        #expect(try page(next, initial: false)["digest"] == nil)
    }
}
