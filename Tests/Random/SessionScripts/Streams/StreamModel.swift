// The records that streams must send, computed from the whole state of every revision. The model
// uses no code of a session, and updates nothing incrementally.

/// The state of a session at one revision. Values are JSON text.
package struct StreamWorld: Equatable {
    package struct Node: Equatable {
        var parent: String?
        var overrides: [String: String] = [:]
        /// Differs between a node and an earlier node of its name.
        let made: Int
    }

    package struct Registration: Equatable {
        let id: String
        let node: String
        let traits: [String]
        let made: Int
    }

    static let defaults = ["level": "0", "name": "\"x\"", "ratio": "0.5", "flag": "false"]
    static let traits = defaults.keys.sorted()

    var nodes: [String: Node] = [:]
    /// In the order in which they were made.
    var registrations: [Registration] = []

    func value(_ trait: String, _ node: String) -> String {
        var next: String? = node
        while let name = next, let found = nodes[name] {
            if let value = found.overrides[trait] { return value }
            next = found.parent
        }
        return Self.defaults[trait] ?? "?"
    }

    /// The node and its ancestors, upwards.
    func line(_ node: String) -> [String] {
        var line: [String] = []
        var next: String? = node
        while let name = next, let found = nodes[name] {
            line.append(name)
            next = found.parent
        }
        return line
    }

    package init() {}

    mutating func delete(_ node: String) {
        let gone = Set(nodes.keys.filter { line($0).contains(node) })
        for name in gone { nodes[name] = nil }
        registrations.removeAll { gone.contains($0.node) }
    }
}

/// The subject of a stream in the model.
package enum ModelSubject {
    package struct Watch: Sendable {
        let node: String
        let traits: [String]
        /// The `made` of the node.
        let made: Int
    }

    case session
    case subtree(String, made: Int)
    case members([StreamWorld.Registration], [Watch])

    /// Changes when the names mean other nodes or registrations.
    var identity: [Int] {
        switch self {
        case .session: []
        case .subtree(_, let made): [made]
        case .members(let registrations, let watches):
            registrations.map(\.made) + watches.map(\.made)
        }
    }

    /// The names of the registrations, and the nodes of the watches, that were made at another time there.
    func madeAgain(since earlier: ModelSubject) -> [String] {
        guard case .members(let registrations, let watches) = self,
            case .members(let oldRegistrations, let oldWatches) = earlier
        else { return [] }
        return zip(registrations, oldRegistrations).filter { $0.made != $1.made }.map(\.0.id)
            + zip(watches, oldWatches).filter { $0.made != $1.made }.map(\.0.node)
    }

    /// The same names with their meaning in another state.
    package func renewed(_ world: StreamWorld) -> ModelSubject {
        switch self {
        case .session: return self
        case .subtree(let root, _): return .subtree(root, made: world.nodes[root]?.made ?? 0)
        case .members(let registrations, let watches):
            return .members(
                registrations.map { one in world.registrations.first { $0.id == one.id } ?? one },
                watches.map {
                    Watch(node: $0.node, traits: $0.traits, made: world.nodes[$0.node]?.made ?? 0)
                })
        }
    }

    /// The same names, where those that were made again mean what was made last. A name that does not
    /// exist keeps its meaning, and so does one that meant something else before.
    func following(_ world: StreamWorld) -> ModelSubject {
        guard case .members(let registrations, let watches) = self else { return self }
        return .members(
            registrations.map { one in
                world.registrations.first { $0.id == one.id && $0.made > one.made } ?? one
            },
            watches.map {
                let made = max($0.made, world.nodes[$0.node]?.made ?? 0)
                return Watch(node: $0.node, traits: $0.traits, made: made)
            })
    }

    var hasCommits: Bool { if case .members = self { false } else { true } }
}

/// A registration or watch of a stream, at one revision.
struct ModelMember: Hashable {
    /// Nil for a watch.
    let id: String?
    let node: String
    let traits: [String]
    /// The place of a registration among all registrations; nil for a watch.
    let order: Int?
}

/// A `change` record that a stream must send for a revision.
struct ExpectedChange: Equatable {
    let id: String?
    let node: String
    let changes: [String: [String]]
    let depth: Int
    let order: Int?
}

extension ModelSubject {
    /// The registrations and watches of the stream at a revision, registrations first.
    func listeners(_ world: StreamWorld) -> [ModelMember] {
        switch self {
        case .session: return Self.all(world) { _ in true }
        case .subtree(let root, let made):
            guard world.nodes[root]?.made == made else { return [] }
            return Self.all(world) { world.line($0.node).contains(root) }
        case .members(let registrations, let watches):
            return Self.all(world) { registrations.contains($0) }
                + watches.filter { world.nodes[$0.node]?.made == $0.made }
                .map { ModelMember(id: nil, node: $0.node, traits: $0.traits, order: nil) }
        }
    }

    private static func all(
        _ world: StreamWorld, _ isIncluded: (StreamWorld.Registration) -> Bool
    ) -> [ModelMember] {
        world.registrations.enumerated().filter { isIncluded($1) }.map {
            ModelMember(id: $1.id, node: $1.node, traits: $1.traits, order: $0)
        }
    }

    /// The changes that a revision must bring.
    func changes(from before: StreamWorld, to after: StreamWorld) -> [ExpectedChange] {
        listeners(after).compactMap { member in
            let wasThere =
                if let order = member.order {
                    before.registrations.contains(after.registrations[order])
                } else {
                    before.nodes[member.node]?.made == after.nodes[member.node]?.made
                }
            guard wasThere else { return nil }
            var changes: [String: [String]] = [:]
            for trait in member.traits {
                let values = [before.value(trait, member.node), after.value(trait, member.node)]
                if values[0] != values[1] { changes[trait] = values }
            }
            if changes.isEmpty { return nil }
            return ExpectedChange(
                id: member.id, node: member.node, changes: changes,
                depth: after.line(member.node).count, order: member.order)
        }
    }

    /// The values of all (node, trait) pairs of the stream, or of some of its registrations and watches.
    func pairs(
        _ world: StreamWorld, where isMeant: (ModelMember) -> Bool = { _ in true }
    ) -> [[String]: String] {
        var pairs: [[String]: String] = [:]
        for member in listeners(world) where isMeant(member) {
            for trait in member.traits {
                pairs[[member.node, trait]] = world.value(trait, member.node)
            }
        }
        return pairs
    }
}

/// The digest of docs/streams.md, for scalar values.
func streamDigest(_ pairs: [[String]: String]) -> String {
    var sum: UInt64 = 0
    for (pair, value) in pairs {
        var text = value
        if let number = Double(value) {
            text = String(number.bitPattern, radix: 16)
            text = String(repeating: "0", count: 16 - text.count) + text
        }
        var h: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(pair[0])\n\(pair[1])\n\(text)".utf8 {
            h = (h ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        h = (h ^ h >> 33) &* 0xff51_afd7_ed55_8ccd
        h = (h ^ h >> 33) &* 0xc4ce_b9fe_1a85_ec53
        sum &+= h ^ h >> 33
    }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
