// `GET …/registrations?node=`: those of one node, in pages.

import TestSupport
import Testing

@Suite("Registrations of a node")
struct RegistrationNodeTests {
    private static func all(_ session: SessionClient, _ query: String) throws -> [String] {
        try session.all("registrations?\(query)", "registrations").compactMap { $0["id"]?.string }
    }

    @Test("A node's registrations are listed in the order in which they were made, page by page")
    func pages() throws {
        let session = try InProcessService().session(
            "registrations", RowRequestTests.tree(3))
        for number in 0..<40 {
            try session.put(
                "registrations/r\(number)",
                [
                    "node": .string("n\(number % 3)"), "traits": ["displayScale"],
                    "label": number % 4 == 0 ? "Fourth" : "other",
                ])
        }
        try session.put("nodes/alone", ["kind": "environment"])
        let expected = stride(from: 1, to: 40, by: 3).map { "r\($0)" }
        for size in [1, 2, 13, 14, 1_000] {
            #expect(try Self.all(session, "node=n1&pageSize=\(size)") == expected, "\(size)")
        }
        #expect(
            try Self.all(session, "node=n1&q=fourth&pageSize=2") == ["r4", "r16", "r28"])
        #expect(try Self.all(session, "node=alone").isEmpty)
        let link = try session.get("registrations?node=n1&pageSize=2")[header: "Link"]
        #expect(link?.contains("node=n1") == true)
        try expectProblem(try session.get("registrations?node=none"), 404, "unknown-node")
        // A page goes on behind a registration that has ended.
        let first = try session.get("registrations?node=n1&pageSize=2").expecting(200).json
        let token = try #require(first["nextPageToken"]?.string)
        try session.delete("registrations/r4")
        let next = try session.get("registrations?node=n1&pageSize=2&pageToken=\(token)")
        #expect(try next.json["registrations"]?[0]?["id"] == "r7")
    }
}
