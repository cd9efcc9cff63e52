// The nodes of an export in another order that a document may have: structural parents come before their
// children, everything else where chance puts it. Siblings keep their order, which documents say by it.

import JSONCodec
import SeededRandom

struct ShuffledDocument {
    private struct Node {
        let members: [(name: String, text: String)]

        init(_ json: JSONValue) {
            members = json.members.map {
                ($0.key.string, String(decoding: $0.value.rawBytes, as: UTF8.self))
            }
        }

        func text(of name: String) -> String? { members.first { $0.name == name }?.text }
        var id: String { text(of: "id") ?? "" }
        var parent: String { text(of: "parent") ?? "null" }
        var traitParent: String { text(of: "traitParent") ?? parent }

        func text(leavingOut names: Set<String>) -> String {
            let kept = members.filter { !names.contains($0.name) }
            return "{" + kept.map { "\"\($0.name)\":\($0.text)" }.joined(separator: ",") + "}"
        }
    }

    /// The nodes in their new order, and whether a node comes before its structural parent. Where the order of
    /// siblings forces one to, it has to keep its `traitParent`.
    private var nodes: [(node: Node, isEarly: Bool)] = []
    private let members: [(name: String, text: String)]

    init(_ document: [UInt8], _ random: inout SeededRandom) throws {
        let tape = JSONTape(limits: JSONLimits(depthMax: 100))
        let (members, given) = try document.withUnsafeBytes { bytes in
            let json = try tape.parse(bytes)
            return (Node(json).members, json.member("nodes").map { $0.elements.map(Node.init) })
        }
        self.members = members
        var left = given ?? []
        var placed: Set<String> = ["null"]
        while !left.isEmpty {
            var seen: Set<String> = []
            // The first sibling that is left of each trait parent.
            let first = left.indices.filter { seen.insert(left[$0].traitParent).inserted }
            let ready = first.filter { placed.contains(left[$0].parent) }
            let node = left.remove(at: random.pick(ready) ?? 0)
            nodes.append((node, ready.isEmpty))
            placed.insert(node.id)
        }
    }

    var hasEarlyNodes: Bool { nodes.contains { $0.isEarly } }

    /// The document, without some of the trait parents that follow from the rest.
    func text(_ random: inout SeededRandom) -> [UInt8] {
        let nodes = nodes.map { node, isEarly in
            node.text(leavingOut: isEarly || random.chance(50) ? [] : ["traitParent"])
        }
        return text(nodes) { _ in true }
    }

    /// The settings, traits and nodes as a request has them that creates a session.
    var creation: [UInt8] {
        let left: Set = ["traitParent", "environment", "kept", "keptEnvironment"]
        return text(nodes.map { $0.node.text(leavingOut: left) }) {
            ["propagation", "updates", "limits", "traits", "nodes"].contains($0)
        }
    }

    private func text(_ nodes: [String], _ includes: (String) -> Bool) -> [UInt8] {
        let texts = members.filter { includes($0.name) }.map { name, text in
            let text = name == "nodes" ? "[" + nodes.joined(separator: ",") + "]" : text
            return "\"\(name)\":\(text)"
        }
        return Array(("{" + texts.joined(separator: ",") + "}").utf8)
    }
}
