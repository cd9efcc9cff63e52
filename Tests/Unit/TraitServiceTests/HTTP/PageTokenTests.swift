// Pages of lists from which items are deleted between two pages. No page leaves out an item that still exists.

import SeededRandom
import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Page tokens")
struct PageTokenTests {
    /// The names of a page, and the token of the next one.
    private static func page(
        _ session: SessionClient, _ list: String, _ member: String, _ name: String, size: Int,
        _ token: String?
    ) throws -> ([String], String?) {
        var rest = "\(list)\(list.contains("?") ? "&" : "?")pageSize=\(size)"
        if let token { rest += "&pageToken=\(token)" }
        let json = try session.get(rest).expecting(200).json
        return (
            (json[member]?.array ?? []).compactMap { $0[name]?.string },
            json["nextPageToken"]?.string
        )
    }

    @Test(
        "A page of nodes with long values ends early, and the next page has the rest",
        arguments: [2, 100])
    func longNodes(size: Int) throws {
        let ids = (0..<30).map { "n\($0)" }
        let value = String(repeating: "x", count: 16_000)
        let session = try InProcessService().session(
            "long",
            [
                "traits": ["text": ["type": "string", "default": ""]],
                "nodes": .array(
                    ids.map {
                        .node($0, overrides: ["text": .string(value)])
                    }),
            ])
        var seen: [String] = []
        var sizes: [Int] = []
        var token: String?
        repeat {
            let (names, next) = try Self.page(session, "nodes", "nodes", "id", size: size, token)
            seen += names
            sizes.append(names.count)
            token = next
        } while token != nil
        #expect(seen == ids)
        let fitting = ServiceLimits().pageBytesMax / value.utf8.count
        #expect(sizes.first == min(size, fitting + 1), "\(sizes)")
    }

    @Test(
        "of a tree continue behind a remaining node, whatever subtree is deleted or moved",
        arguments: 0..<12)
    func nodes(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let count = 120
        let nodes = (0..<count).map { number -> JSON in
            let parent =
                number < 3 ? nil : Int.random(in: max(0, number - 20)..<number, using: &random)
            return .node("n\(number)", in: parent.map { "n\($0)" })
        }
        let session = try InProcessService().session("tree", ["nodes": .array(nodes)])
        var seen: [String] = []
        var token: String?
        repeat {
            let (names, next) = try Self.page(
                session, "nodes", "nodes", "id", size: Int.random(in: 1...9, using: &random), token)
            seen += names
            token = next
            // Deletes or moves the subtree in which the page ended, or one up to two levels above.
            if let last = names.last, token != nil, Int.random(in: 0..<3, using: &random) > 0 {
                var victim = last
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let json = try session.get("nodes/\(victim)").json
                    victim = json["traitParent"]?.string ?? victim
                }
                if Bool.random(using: &random) {
                    try session.delete("nodes/\(victim)")
                } else {
                    _ = try session.send("PATCH", "nodes/\(victim)", ["parent": nil])
                }
            }
        } while token != nil
        let (left, _) = try Self.page(session, "nodes", "nodes", "id", size: 1_000, nil)
        let missing = Set(left).subtracting(seen)
        #expect(missing.isEmpty, "seed \(seed)")
    }

    @Test("of a tree repeat no node when only listed nodes are deleted")
    func leaves() throws {
        let nodes: [JSON] =
            [.node("top")]
            + (0..<60).map {
                .node("n\($0)", in: "top")
            }
        let session = try InProcessService().session("leaves", ["nodes": .array(nodes)])
        var seen: [String] = []
        var token: String?
        repeat {
            let (names, next) = try Self.page(
                session, "nodes?under=top", "nodes", "id", size: 7, token)
            seen += names
            token = next
            if token != nil, let last = names.last, last != "top" {
                try session.delete("nodes/\(last)")
            }
        } while token != nil
        #expect(seen == ["top"] + (0..<60).map { "n\($0)" })
    }

    @Test("of a tree leave no node out when listed ones change their places among their siblings")
    func reordered() throws {
        let session = try InProcessService().session("reordered")
        func check(_ change: JSON, size: Int) throws {
            let nodes: [JSON] =
                [.node("r")]
                + (0..<10).flatMap { number -> [JSON] in
                    [.node("n\(number)", in: "r"), .node("below\(number)", in: "n\(number)")]
                }
            _ = try session.send("DELETE", "nodes/r")
            for node in nodes { _ = try session.send("POST", "nodes", node).expecting(201) }
            let (first, token) = try Self.page(session, "nodes", "nodes", "id", size: size, nil)
            try session.transaction([change])
            let (second, _) = try Self.page(session, "nodes", "nodes", "id", size: 50, token)
            let (all, _) = try Self.page(session, "nodes", "nodes", "id", size: 50, nil)
            let missing = Set(all).subtracting(first + second)
            #expect(missing.isEmpty, "\(change), \(size)")
        }
        // Page sizes that end in a node and in the node below it.
        for size in [6, 7] {
            for node in ["n2", "n1"] {
                for sibling in ["n0", "n5", "n9"] {
                    try check(
                        [
                            "op": "moveNode", "node": .string(node), "parent": "r",
                            "after": .string(sibling),
                        ], size: size)
                    try check(
                        [
                            "op": "moveNode", "node": .string(node), "parent": "r",
                            "before": .string(sibling),
                        ], size: size)
                }
            }
        }
    }

    @Test(
        "of a list in the order of creation leave no item out when one is made again",
        arguments: [
            ("registrations", "id"), ("colors", "color"), ("environmentKeys", "key"),
        ], [1, 3])
    func remade(list: (String, String), size: Int) throws {
        let session = try InProcessService().session("remade")
        try session.put("nodes/a", ["kind": "environment"])
        let body: JSON =
            switch list.0 {
            case "registrations": ["node": "a", "set": "all"]
            case "environmentKeys": ["type": "bool", "default": false]
            default: ["variants": [["value": "white"]]]
            }
        for id in 0..<9 { try session.put("\(list.0)/x\(id)", body) }
        for filter in ["", "?q=x"] {
            var seen: Set<String> = []
            var token: String?
            var pages = 0
            repeat {
                let (names, next) = try Self.page(
                    session, list.0 + filter, list.0, list.1, size: size, token)
                seen.formUnion(names)
                token = next
                pages += 1
                if pages <= 3, let last = names.last {
                    try session.delete("\(list.0)/\(last)")
                    try session.put("\(list.0)/\(last)", body)
                }
            } while token != nil && pages < 40
            #expect(seen.count == 9, "\(list.0) \(seen.sorted())")
        }
    }

    @Test("that name a node outside of `under` begin at the beginning")
    func outside() throws {
        let nodes: [JSON] = [.node("a"), .node("b"), .node("c", in: "b")]
        let session = try InProcessService().session("outside", ["nodes": .array(nodes)])
        for token in ["after.a", "after.a,", "after.c,,b,a"] {
            let (names, _) = try Self.page(
                session, "nodes?under=\(token == "after.a" ? "b" : "a")", "nodes", "id", size: 9,
                token)
            #expect(names == (token == "after.a" ? ["b", "c"] : token == "after.a," ? [] : ["a"]))
        }
        for token in ["after.", "after.none", "after.a%20b", "before.a", "after.,a"] {
            let answer = try session.get("nodes?pageToken=\(token)")
            try expectProblem(answer, 400, "malformed-token")
        }
    }

    @Test(
        "of a list in the order of creation continue behind a remaining item",
        arguments: [
            ("registrations", "id"), ("colors", "color"), ("images", "image"),
            ("environmentKeys", "key"),
        ])
    func made(list: String, name: String) throws {
        let session = try InProcessService().session("made")
        try session.put("nodes/a", ["kind": "environment"])
        let body: JSON =
            switch list {
            case "registrations": ["node": "a", "set": "all"]
            case "environmentKeys": ["type": "bool", "default": false]
            default: ["variants": [["value": "white"]]]
            }
        let all = (0..<40).map { "x\($0)" }
        for id in all { try session.put("\(list)/\(id)", body) }
        // After each page, deletes the last item, then in the next round three, then all listed items.
        for deleted in [1, 3, 40] {
            var seen: [String] = []
            var token: String?
            repeat {
                let (names, next) = try Self.page(session, list, list, name, size: 5, token)
                #expect(Set(seen).isDisjoint(with: names), "\(deleted)")
                seen += names
                token = next
                if token != nil {
                    for id in seen.suffix(deleted) {
                        _ = try session.send("DELETE", "\(list)/\(id)")
                    }
                }
            } while token != nil
            #expect(seen == seen.sorted { Int($0.dropFirst())! < Int($1.dropFirst())! })
            #expect(seen.last == "x39")
            for id in all {
                _ = try session.send("DELETE", "\(list)/\(id)")
            }
            for id in all { try session.put("\(list)/\(id)", body) }
        }
    }

    @Test("of a page with one item are valid after that item is deleted")
    func single() throws {
        let session = try InProcessService().session("single")
        try session.put("nodes/a", ["kind": "environment"])
        for (list, name, body) in [
            ("colors", "color", ["variants": [["value": "white"]]]),
            ("registrations", "id", ["node": "a", "set": "all"]),
        ] as [(String, String, JSON)] {
            for id in ["x0", "x1"] { try session.put("\(list)/\(id)", body) }
            let (first, token) = try Self.page(session, list, list, name, size: 1, nil)
            #expect(first == ["x0"])
            _ = try session.send("DELETE", "\(list)/x0")
            let (second, next) = try Self.page(session, list, list, name, size: 1, token)
            #expect(second == ["x1"])
            #expect(next == nil)
        }
    }

    @Test("of sessions continue behind the name of a deleted session")
    func sessions() throws {
        let client = try InProcessService().client()
        for number in 10..<40 {
            try client.send("PUT", "/v1/sessions/s\(number)", json: [:]).expecting(201)
        }
        var seen: [String] = []
        var token = ""
        while true {
            let json = try client.send("GET", "/v1/sessions?pageSize=4\(token)").expecting(200).json
            let names = (json["sessions"]?.array ?? []).compactMap { $0["name"]?.string }
            seen += names
            guard let next = json["nextPageToken"]?.string else { break }
            token = "&pageToken=\(next)"
            for name in names { try client.send("DELETE", "/v1/sessions/\(name)").expecting(200) }
        }
        #expect(seen == (10..<40).map { "s\($0)" })
    }
}
