// A text that is written in parts has the same bytes wherever its parts end.

import JSONCodec
import SessionViews
import TestSupport
import Testing
import TraitEngine
import TraitSessions

@testable import TraitService

@Suite("Texts in parts")
struct PartsTests {
    private let server: LongReadServer
    private let session: Session
    private let nodes: [NodeIndex]

    init() throws {
        server = try LongReadServer(ServiceLimits(), LongReadTree.tree(6))
        for (node, number) in [("n0", 3), ("n2", 17), ("n3", 90)] {
            let title = JSON.string(String(repeating: "t", count: number))
            try server.session.send(
                "PATCH", "nodes/\(node)/overrides",
                ["title": title, "userInterfaceStyle": "dark", "displayScale": 2]
            ).expecting(200)
            try server.session.send("PATCH", "nodes/\(node)/supplied", ["title": title])
                .expecting(200)
        }
        let session = try #require(server.service.store.find("s"))
        self.session = session
        nodes = session.withState { state in
            ["n0", "n1", "n2", "n3"].compactMap { state.hierarchy.node($0) }
        }
        #expect(nodes.count == 4)
    }

    /// - Parameter make: begins the text. What it returns writes the next part up to a budget, and its result
    ///   says whether that was the last one.
    private func expectEqual(
        _ name: String, _ make: () -> (SessionState, Int, inout JSONWriter) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func text(budget: Int) -> (text: String, parts: Int) {
            let write = make()
            var writer = JSONWriter()
            var (text, parts, isLast) = ("", 0, false)
            while !isLast {
                isLast = session.withState { write($0, budget, &writer) }
                text += String(decoding: writer.bytes, as: UTF8.self)
                writer.reset()
                parts += 1
            }
            return (text, parts)
        }
        let whole = text(budget: .max)
        #expect(whole.parts == 1, sourceLocation: sourceLocation)
        #expect(text(budget: 1).parts > 2, "\(name)", sourceLocation: sourceLocation)
        let more = stride(from: 71, to: whole.text.utf8.count + 2, by: 71)
        for budget in [1, 2, 3, 50] + Array(more) {
            let isEqual = text(budget: budget).text == whole.text
            #expect(isEqual, "\(name), budget \(budget)", sourceLocation: sourceLocation)
        }
    }

    private static let listings: [(String, TraitListing)] = {
        var specified = TraitListing.plain
        specified.specified = true
        var explained = TraitListing.plain
        explained.explain = true
        return [("plain", .plain), ("specified", specified), ("explained", explained)]
    }()

    @Test("Resolved nodes, as an object and as lines, named and by subtree, with pages and without")
    func resolved() {
        let traits = session.withState { $0.hierarchy.definitions.settable }
        for (name, listing) in Self.listings {
            for asLines in [false, true] {
                for pageSize in [nil, 3] where !asLines || pageSize == nil {
                    var form = ResolvedForm()
                    form.listing = listing
                    form.asLines = asLines
                    form.pageSize = pageSize
                    for (kind, which) in [
                        ("named", ResolvedNodes.named(nodes)), ("under", .under(nodes[0])),
                    ] {
                        expectEqual("\(name) \(kind) lines \(asLines) page \(pageSize ?? 0)") {
                            var parts = ResolvedParts()
                            parts.traits = traits
                            var text = ResolvedText(which, parts, form)
                            return { text.write(from: $0, budget: $1, into: &$2) }
                        }
                    }
                }
            }
        }
    }

    @Test("The traits of a node, and a node with its values")
    func ofNodes() {
        let traits = session.withState { $0.hierarchy.definitions.settable }
        for (name, listing) in Self.listings {
            expectEqual("traits \(name)") {
                var text = TraitsText(traits, at: nodes[2], listing)
                return { text.write(from: $0, budget: $1, into: &$2) }
            }
        }
        for layer in [nil, ValueLayer.overrides] {
            expectEqual("node \(layer?.member.description ?? "whole")") {
                var text = NodeText(nodes[0], listing: layer)
                return { text.write(from: $0, budget: $1, into: &$2) }
            }
        }
    }
}
