// What streams must tell, worked out anew from every revision's whole state: nothing of a session's
// code is used, and nothing is kept up to date.

/// The state of a session at one revision. Values are JSON text.
struct StreamWorld: Equatable {
    struct Node: Equatable {
        var parent: String?
        var overrides: [String: String] = [:]
        /// Tells a node apart from an earlier one of its name.
        let made: Int
    }

    struct Registration: Equatable {
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

    /// The node and those above it.
    func line(_ node: String) -> [String] {
        var line: [String] = []
        var next: String? = node
        while let name = next, let found = nodes[name] {
            line.append(name)
            next = found.parent
        }
        return line
    }

    mutating func delete(_ node: String) {
        let gone = Set(nodes.keys.filter { line($0).contains(node) })
        for name in gone { nodes[name] = nil }
        registrations.removeAll { gone.contains($0.node) }
    }
}

/// What a stream is of.
enum StreamAim {
    struct Watch {
        let node: String
        let traits: [String]
        /// The node's.
        let made: Int
    }

    case session
    case subtree(String, made: Int)
    case members([StreamWorld.Registration], [Watch])

    /// Tells what the names mean.
    var identity: [Int] {
        switch self {
        case .session: []
        case .subtree(_, let made): [made]
        case .members(let registrations, let watches):
            registrations.map(\.made) + watches.map(\.made)
        }
    }

    /// The same names in another state.
    func renewed(_ world: StreamWorld) -> StreamAim {
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

    var hasCommits: Bool { if case .members = self { false } else { true } }
}

/// One who listens, at one revision.
struct Hearer: Hashable {
    let id: String?
    let node: String
    let traits: [String]
    /// Of a registration: its place among them.
    let order: Int?
}

/// A record that a revision must bring.
struct ExpectedChange: Equatable {
    let id: String?
    let node: String
    let changes: [String: [String]]
    let depth: Int
    let order: Int?
}

extension StreamAim {
    /// Who listens at a revision, registrations first.
    func hearers(_ world: StreamWorld) -> [Hearer] {
        switch self {
        case .session: return Self.all(world) { _ in true }
        case .subtree(let root, let made):
            guard world.nodes[root]?.made == made else { return [] }
            return Self.all(world) { world.line($0.node).contains(root) }
        case .members(let registrations, let watches):
            return Self.all(world) { registrations.contains($0) }
                + watches.filter { world.nodes[$0.node]?.made == $0.made }
                .map { Hearer(id: nil, node: $0.node, traits: $0.traits, order: nil) }
        }
    }

    private static func all(
        _ world: StreamWorld, _ isMeant: (StreamWorld.Registration) -> Bool
    ) -> [Hearer] {
        world.registrations.enumerated().filter { isMeant($1) }.map {
            Hearer(id: $1.id, node: $1.node, traits: $1.traits, order: $0)
        }
    }

    /// What a revision brings.
    func changes(from before: StreamWorld, to after: StreamWorld) -> [ExpectedChange] {
        hearers(after).compactMap { hearer in
            let wasThere =
                if let order = hearer.order {
                    before.registrations.contains(after.registrations[order])
                } else {
                    before.nodes[hearer.node] != nil
                }
            guard wasThere else { return nil }
            var changes: [String: [String]] = [:]
            for trait in hearer.traits {
                let values = [before.value(trait, hearer.node), after.value(trait, hearer.node)]
                if values[0] != values[1] { changes[trait] = values }
            }
            if changes.isEmpty { return nil }
            return ExpectedChange(
                id: hearer.id, node: hearer.node, changes: changes,
                depth: after.line(hearer.node).count, order: hearer.order)
        }
    }

    /// The values of the set of pairs.
    func pairs(_ world: StreamWorld) -> [[String]: String] {
        var pairs: [[String]: String] = [:]
        for hearer in hearers(world) {
            for trait in hearer.traits {
                pairs[[hearer.node, trait]] = world.value(trait, hearer.node)
            }
        }
        return pairs
    }
}

/// The digest of docs/streams.md, of values that are scalars.
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
