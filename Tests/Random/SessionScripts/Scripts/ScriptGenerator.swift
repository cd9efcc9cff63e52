// Makes writes that a session can take, or just not, from what is there and one seed. Names are
// few, so that what was deleted comes back under its old name.

import JSONCodec
import SeededRandom
import SessionViews
import TraitEngine
import TraitSessions

package struct ScriptGenerator {
    package var random: SeededRandom
    /// How often which operation was made.
    package private(set) var tally: [String: Int] = [:]

    static let nodes = (0..<14).map { $0 % 5 == 0 ? "node-with-a-long-name-\($0)" : "n\($0)" }
    static let registrations = (0..<7).map { "r\($0)" }

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The body that creates the session.
    package mutating func creation() -> String {
        var members: [String] = []
        if random.chance(50) { members.append(#""updates":"layout""#) }
        if random.chance(30) { members.append(#""propagation":"legacy""#) }
        if random.chance(20) { members.append(#""limits":{"nodesMax":12,"depthMax":9}"#) }
        guard random.chance(85) else { return "{" + members.joined(separator: ",") + "}" }
        let traits = TraitSample.all.shuffled(using: &random).prefix(6).map {
            "\"\($0.key)\":\($0.definitions[0])"
        }
        members.append(#""traits":{"# + traits.joined(separator: ",") + "}")
        members.append(
            #""nodes":[{"id":"n1","kind":"windowScene"},"#
                + #"{"id":"n2","kind":"window","parent":"n1","label":"main"},"#
                + #"{"id":"n3","kind":"viewController","parent":"n2"},"#
                + #"{"id":"n4","kind":"view","parent":"n2","controller":"n3","#
                + #""overrides":{"userInterfaceStyle":"dark"},"supplied":{"displayScale":2}}]"#)
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The next write to the session, whose lock is not held.
    ///
    /// - Parameter isAccepted: tries a write in a dry run.
    package mutating func next(_ session: Session, isAccepted: (Write) -> Bool) -> Write {
        let view = session.withState { HierarchyView($0.hierarchy) }
        var write = Write(form(view))
        if case .transaction(let list) = write.form, random.chance(80) {
            var kept: [String] = []
            for operation in list {
                var attempt = Write(.transaction(kept + [operation]))
                attempt.dryRun = true
                if isAccepted(attempt) { kept.append(operation) }
            }
            write.form = .transaction(kept)
        }
        write.dryRun = random.chance(6)
        write.changes = random.chance(20)
        write.wantsNew = random.chance(4)
        if random.chance(8) { write.ifMatch = random.chance(60) ? 0 : -1 }
        if random.chance(8) { write.ifRevision = random.chance(60) ? 0 : 1 }
        if random.chance(40) {
            write.cause = #"{"requestId":"q\#(random.below(1_000))","traceId":"ä\"\\n"}"#
        }
        return write
    }

    private mutating func form(_ view: HierarchyView) -> Write.Form {
        switch random.below(100) {
        case ..<30: return .one(operation(view))
        case ..<36: return .putNode(node(view), nodeBody(view, isOperation: false))
        case ..<43:
            let isSupplied = random.chance(30)
            return .patch(isSupplied: isSupplied, node: existing(view), values(view, nulls: true))
        case ..<49:
            return .putRegistration(pick(Self.registrations), registrationBody(view))
        default:
            var list: [String] = []
            for _ in 0..<1 + random.below(8) { list += someOperations(view) }
            return .transaction(list)
        }
    }

    /// One operation, some for a further field, or some that take each other back.
    private mutating func someOperations(_ view: HierarchyView) -> [String] {
        if random.chance(5) { return furtherField(view) }
        guard random.chance(8) else { return [operation(view)] }
        let id = pick(Self.registrations)
        let there =
            #"{"op":"register","registration":"\#(id)","# + registrationBody(view).dropFirst()
        let gone = #"{"op":"unregister","registration":"\#(id)"}"#
        return random.chance(50) ? [gone, there] : [there, gone, there]
    }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[random.below(list.count)] }

    mutating func note(_ kind: String) { tally[kind, default: 0] += 1 }

    // MARK: - Names

    /// A name that is mostly in use.
    mutating func existing(_ view: HierarchyView) -> String {
        random.chance(96) ? random.pick(view.nodes)?.id ?? "n1" : pick(Self.nodes)
    }

    mutating func node(_ view: HierarchyView) -> String { pick(Self.nodes) }

    mutating func trait(_ view: HierarchyView) -> String {
        if random.chance(60), let trait = random.pick(view.traits) { return trait }
        if random.chance(10) { return TraitSample.identifier }
        return random.chance(50) ? pick(TraitSample.system).key : pick(TraitSample.all).key
    }
}

/// What a generator sees of a session.
struct HierarchyView {
    var nodes: [(id: String, kind: NodeKind)] = []
    var traits: [String] = []
    /// Custom traits with fields.
    var structs: [(key: String, fields: [StructField])] = []
    var registrations: [String] = []

    init(_ hierarchy: Hierarchy) {
        for id in ScriptGenerator.nodes {
            if let node = hierarchy.node(id) { nodes.append((id, hierarchy.kind(of: node))) }
        }
        traits = hierarchy.definitions.customInOrder.map { hierarchy.definitions[$0].key }
        structs = hierarchy.definitions.customInOrder.compactMap {
            let definition = hierarchy.definitions[$0]
            guard case .structure(let fields) = definition.type else { return nil }
            return (definition.key, fields)
        }
        registrations = hierarchy.registrations().compactMap {
            hierarchy.registrationInfo($0).identifier
        }
    }
}
