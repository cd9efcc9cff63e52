// A hierarchy with names for its nodes, checked after every commit.

import Testing
import TraitEngine

/// Short for a hierarchy in tests: nodes go by name, every commit is followed by a check of all
/// invariants.
final class Fixture {
    let hierarchy: Hierarchy
    let theme: TraitIndex
    let style: TraitIndex

    init(
        _ propagation: Propagation = .unified, updates: UpdateMode = .immediate,
        limits: HierarchyLimits = .init()
    ) throws {
        hierarchy = Hierarchy(
            propagation: propagation, updates: updates, limits: limits, hashSeed: 7)
        hierarchy.begin()
        theme = try hierarchy.defineTrait(
            TraitDefinition(key: "theme", type: .int, defaultValue: .int(0)))
        style = try #require(hierarchy.definitions.index(of: "userInterfaceStyle"))
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: 1)
    }

    /// Runs operations as one commit, which stays unacknowledged.
    @discardableResult
    func pending(_ body: () throws -> Void) throws -> Commit {
        hierarchy.begin()
        do {
            try body()
        } catch {
            hierarchy.rollback()
            try hierarchy.checkInvariants()
            throw error
        }
        let commit = hierarchy.commit()
        try hierarchy.checkInvariants()
        return commit
    }

    /// Runs operations as one commit and acknowledges it.
    @discardableResult
    func commit(_ body: () throws -> Void) throws -> Commit {
        let commit = try pending(body)
        hierarchy.acknowledge(through: hierarchy.revision)
        try hierarchy.checkInvariants()
        return commit
    }

    subscript(_ name: String) -> NodeIndex {
        guard let node = hierarchy.node(name) else { fatalError("no node \(name)") }
        return node
    }

    @discardableResult
    func create(
        _ name: String, _ kind: NodeKind, _ parent: String? = nil, controller: String? = nil
    ) throws -> NodeIndex {
        try hierarchy.createNode(
            name, kind: kind, parent: parent.map { self[$0] },
            controller: controller.map { self[$0] })
    }

    func move(_ name: String, _ parent: String?) throws {
        try hierarchy.updateNode(self[name], parent: parent.map { .set(self[$0]) } ?? .clear)
    }

    func set(_ name: String, _ value: Int64) throws {
        try hierarchy.setOverride(self[name], theme, .int(value))
    }

    func remove(_ name: String) { hierarchy.removeOverride(self[name], theme) }

    func delete(_ name: String) {
        do { try hierarchy.deleteNode(self[name]) } catch { Issue.record(error) }
    }

    func register(_ name: String, _ node: String) throws {
        _ = try hierarchy.register(name, node: self[node], traits: [theme])
    }

    func value(_ name: String) -> Int64? {
        guard case .int(let value) = hierarchy.value(of: theme, at: self[name]) else { return nil }
        return value
    }

    /// All names in tree order.
    var order: [String] {
        var names: [String] = []
        hierarchy.forEachNode { node, _ in
            names.append(hierarchy.identifier(of: node))
            return .descend
        }
        return names
    }

    func traitParent(_ name: String) -> String? {
        hierarchy.traitParent(of: self[name]).map { hierarchy.identifier(of: $0) }
    }

    /// "registration:previous>current" of every notification, in delivery order.
    func told(_ commit: Commit) -> [String] {
        commit.notifications.map { note in
            let name = hierarchy.registrationInfo(note.registration).identifier ?? "watch"
            let changes = commit.changes(of: note).map { change in
                "\(Self.print(change.previous))>\(Self.print(change.current))"
            }
            return "\(name):" + changes.joined(separator: ",")
        }
    }

    static func print(_ value: TraitValue) -> String {
        if case .int(let number) = value { return "\(number)" }
        return "\(value)"
    }

    /// Scene, window, controller A with view a, plain view m, child controller B with view b,
    /// and a leaf.
    func makeWorkedTree() throws {
        try commit {
            try create("s", .windowScene)
            try create("w", .window, "s")
            try create("A", .viewController, "w")
            try create("a", .view, "w", controller: "A")
            try create("m", .view, "a")
            try create("B", .viewController, "A")
            try create("b", .view, "m", controller: "B")
            try create("leaf", .view, "b")
        }
    }
}
