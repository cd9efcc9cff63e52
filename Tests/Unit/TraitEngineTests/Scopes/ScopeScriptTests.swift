// Random scripts over trees with controllers, scopes and colours: after every commit, undo and
// rollback all invariants hold, and the notifications agree with collections compared from outside.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct ScopeScriptTests {
    @Test("Scopes and colours agree with what their nodes show")
    func agree() throws {
        var told = (invalidations: 0, colors: 0)
        for seed in UInt64(1)...60 {
            let propagation: Propagation = seed % 3 == 0 ? .legacy : .unified
            let run = try ScopeRun(propagation, seed: seed)
            for _ in 0..<40 { try run.step() }
            told.invalidations += run.told.invalidations
            told.colors += run.told.colors
        }
        #expect(told.invalidations > 200 && told.colors > 50, "\(told): the scripts try too little")
    }
}

private final class ScopeRun {
    private let tree: Fixture
    private var random: SeededRandom
    private let seed: UInt64
    private var made = 0
    private(set) var told = (invalidations: 0, colors: 0)
    private var hierarchy: Hierarchy { tree.hierarchy }
    private struct Refusal: Error {}

    init(_ propagation: Propagation, seed: UInt64) throws {
        tree = try Fixture(propagation)
        self.seed = seed
        random = SeededRandom(seed: seed)
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("p", .presentationController, "w")
            let when = try TraitCollection(
                definitions: tree.hierarchy.definitions, tree.theme, .int(1))
            try tree.hierarchy.defineDynamic(
                DynamicValue(
                    kind: .color, name: "tint",
                    variants: [
                        DynamicVariant(when: TraitCollection(), value: "any"),
                        DynamicVariant(when: when, value: "one"),
                    ]))
        }
    }

    private func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private var nodes: [NodeIndex] {
        var list: [NodeIndex] = []
        hierarchy.forEachNode { node, _ in
            list.append(node)
            return .descend
        }
        return list
    }

    private func any(_ kinds: NodeKind...) -> NodeIndex? {
        nodes.filter { kinds.contains(hierarchy.kind(of: $0)) }.randomElement(using: &random)
    }

    // MARK: - What is expected

    private struct Shown {
        var themes: [NodeIndex: TraitValue] = [:]
        var armed: [(node: NodeIndex, name: String, covered: Set<NodeIndex>)] = []
        var registered: [String: NodeIndex] = [:]
    }

    private func covered(_ node: NodeIndex) -> Set<NodeIndex> {
        var all: Set<NodeIndex> = [node]
        guard hierarchy.kind(of: node).scopesCoverViews else { return all }
        for other in nodes where hierarchy.kind(of: other) == .view {
            if hierarchy.traitParent(of: other) == node { all.insert(other) }
        }
        return all
    }

    private func look() -> Shown {
        var shown = Shown()
        for node in nodes {
            shown.themes[node] = hierarchy.value(of: tree.theme, at: node)
            for scope in hierarchy.scopes(of: node)
            where !scope.isStale && !scope.reads.isEmpty {
                shown.armed.append((node, scope.name, covered(node)))
            }
        }
        for registration in hierarchy.registrations() {
            let info = hierarchy.registrationInfo(registration)
            shown.registered[info.identifier ?? ""] = info.node
        }
        return shown
    }

    // MARK: - Steps

    func step() throws {
        let before = look()
        var set: Set<String> = []
        hierarchy.begin()
        for _ in 0...below(3) {
            do throws(OperationError) {
                try operate(&set)
            } catch {
                // Refused: nothing happened.
            }
        }
        if below(6) == 0 {
            hierarchy.rollback()
            return try check(before)
        }
        let commit = hierarchy.commit()
        try hierarchy.checkInvariants()
        try compare(commit, before, set)
        if below(3) == 0, !commit.isUnchanged {
            hierarchy.undo()
            return try check(before)
        }
        hierarchy.acknowledge(through: hierarchy.revision)
        try hierarchy.checkInvariants()
    }

    /// Everything is as it was.
    private func check(_ before: Shown) throws {
        try hierarchy.checkInvariants()
        let now = look()
        #expect(now.themes == before.themes, "seed \(seed)")
        #expect(Set(now.armed.map(key)) == Set(before.armed.map(key)), "seed \(seed)")
        #expect(now.registered == before.registered)
    }

    private func key(_ scope: (node: NodeIndex, name: String, covered: Set<NodeIndex>)) -> String {
        "\(scope.node.rawValue) \(scope.name) \(scope.covered.map(\.rawValue).sorted())"
    }

    private func compare(_ commit: Commit, _ before: Shown, _ set: Set<String>) throws {
        let now = look()
        var expected: Set<String> = []
        for scope in before.armed where now.themes[scope.node] != nil {
            let name = "\(scope.node.rawValue) \(scope.name)"
            if set.contains(name) || hierarchy.scope(scope.node, scope.name) == nil { continue }
            // What it covers now; a new view has had the default.
            let isChanged = covered(scope.node).contains {
                now.themes[$0] != before.themes[$0, default: .int(0)]
            }
            if isChanged { expected.insert(name) }
        }
        let told = commit.invalidations.map { "\($0.node.rawValue) \($0.scope)" }
        self.told.invalidations += told.count
        self.told.colors += commit.notifications.count
        #expect(Set(told) == expected && told.count == expected.count, "seed \(seed)")
        var colors: Set<String> = []
        for (name, node) in before.registered where now.registered[name] == node {
            if (before.themes[node] == .int(1)) != (now.themes[node] == .int(1)) {
                colors.insert(name)
            }
        }
        let heard = commit.notifications.filter { !commit.dynamicChanges(of: $0).isEmpty }
        let names = heard.map { hierarchy.registrationInfo($0.registration).identifier ?? "" }
        #expect(Set(names) == colors && heard.count == commit.notifications.count, "seed \(seed)")
    }

    // MARK: - Operations

    private func operate(_ set: inout Set<String>) throws(OperationError) {
        made += 1
        switch below(10) {
        case 0, 1:
            guard let node = any(.view, .viewController, .window, .presentationController) else {
                return
            }
            try hierarchy.setOverride(node, tree.theme, .int(Int64(below(3))))
        case 2:
            if let node = any(.view, .viewController) { hierarchy.removeOverride(node, tree.theme) }
        case 3, 4: try setScope(&set)
        case 5:
            let parent = any(.view, .presentationController, .window)
            let controller = below(2) == 0 ? any(.viewController) : nil
            _ = try hierarchy.createNode(
                "v\(made)", kind: .view, parent: parent, controller: controller)
        case 6:
            guard let view = any(.view) else { return }
            let controller = any(.viewController)
            try hierarchy.updateNode(
                view, controller: below(2) == 0 ? .clear : controller.map { .set($0) } ?? .keep)
        case 7:
            guard let view = any(.view) else { return }
            let parent = below(4) == 0 ? nil : any(.view, .presentationController)
            try hierarchy.updateNode(view, parent: parent.map { .set($0) } ?? .clear)
        case 8:
            if below(3) == 0, let node = any(.view, .viewController) {
                try hierarchy.deleteNode(node)
            }
        default: try register()
        }
    }

    private func setScope(_ set: inout Set<String>) throws(OperationError) {
        guard let node = any(.view, .viewController, .presentationController) else { return }
        let methods = ScopeMethod.all.filter { $0.kinds.contains(hierarchy.kind(of: node)) }
        guard let method = methods.randomElement(using: &random) else { return }
        if below(5) == 0 { return hierarchy.removeScope(node, method.name) }
        try hierarchy.setScope(node, method.name, reads: below(4) == 0 ? [] : [tree.theme])
        set.insert("\(node.rawValue) \(method.name)")
    }

    private func register() throws(OperationError) {
        if below(3) == 0, let last = hierarchy.registrations().last {
            return hierarchy.unregister(last)
        }
        guard let node = any(.view, .viewController) else { return }
        _ = try hierarchy.register(
            "r\(made)", node: node, traits: [], colors: ["tint"], images: [])
    }
}
