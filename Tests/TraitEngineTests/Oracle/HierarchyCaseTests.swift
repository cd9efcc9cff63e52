// Runs the hierarchy cases through the oracle, and through oracle and engine together.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct HierarchyCaseTests {
    @Test("The rules of the oracle are UIKit's", arguments: ConformanceCase.hierarchies)
    func oracleConforms(_ testCase: ConformanceCase) throws {
        var run = try HierarchyRun(testCase, withEngine: false)
        for step in testCase.steps { try run.take(step.array) }
    }

    @Test("Hierarchies behave as UIKit's", arguments: ConformanceCase.hierarchies)
    func engineConforms(_ testCase: ConformanceCase) throws {
        var run = try HierarchyRun(testCase, withEngine: true)
        for step in testCase.steps { try run.take(step.array) }
    }

    @Test("No case was lost in reading")
    func allRead() {
        #expect(ConformanceCase.hierarchies.count == 35)
    }
}

/// One case: writes wait for the flush, which is a commit; handlers act in commits of their own.
struct HierarchyRun {
    private var lockstep: Lockstep
    private let definitions: TraitDefinitions
    private var waiting: [Operation] = []
    private var calls: [JSON] = []
    private var handlers: [String: [JSON]] = [:]

    init(_ testCase: ConformanceCase, withEngine: Bool) throws {
        definitions = try .conformance()
        lockstep = Lockstep(
            propagation: testCase.mode == "legacy" ? .legacy : .unified, withEngine: withEngine)
        waiting = TraitDefinition.conformance.map(Operation.define)
        waiting += Self.nodes(testCase.tree ?? "T1")
        waiting += Self.base.map { .set(.supplied, "s", $0.0, $0.1) }
        try flush()
        calls = []
    }

    /// What the system supplies for the scene.
    static let base: [(String, TraitValue)] = [
        ("userInterfaceStyle", .int(1)), ("horizontalSizeClass", .int(2)),
        ("displayScale", .double(3)),
    ]

    static func nodes(_ tree: String) -> [Operation] {
        func make(
            _ id: String, _ kind: NodeKind, _ parent: String? = nil, of controller: String? = nil
        ) -> Operation { .create(id, kind, parent: parent, controller: controller, label: nil) }
        var nodes = [
            make("s", .windowScene), make("w", .window, "s"), make("A", .viewController, "w"),
            make("a", .view, "w", of: "A"), make("m", .view, "a"),
            make("B", .viewController, "A"), make("b", .view, "m", of: "B"),
            make("leaf", .view, "b"),
        ]
        if tree == "T2" {
            nodes += [
                make("P", .presentationController, "w"), make("C", .viewController, "P"),
                make("c", .view, "P", of: "C"),
            ]
        }
        if tree == "T3" {
            nodes += [
                make("D", .viewController), make("d", .view, of: "D"), make("e", .view, "d"),
            ]
        }
        return nodes
    }

    mutating func take(_ step: [JSON]) throws {
        let name = step.dropFirst().first?.string ?? ""
        switch step[0].string {
        case "set": try waiting.append(set(.override, name, step[2].string, step[3]))
        case "system": try waiting.append(set(.supplied, "s", name, step[2]))
        case "remove": waiting.append(.remove(.override, name, step[2].string))
        case "incr":
            let key = step[2].string
            guard case .int(let number) = override(name, key) else { break }
            waiting.append(.set(.override, name, key, .int(number + 1)))
        case "attach": waiting.append(.update(name, parent: .set(step[2].string)))
        case "detach": waiting.append(.update(name, parent: .clear))
        case "flush", "flushNode": try flush()
        case "reg":
            try deliver([.register(name, step[2].string, step[3].array.map(\.string))])
        case "unreg": try deliver([.unregister(name)])
        case "on": handlers[name] = step[2].array
        case "!": try refuse(step[1].array)
        default: try check(step)
        }
    }

    private mutating func check(_ step: [JSON]) throws {
        switch step[0].string {
        case "?has":
            #expect((override(step[1].string, step[2].string) != nil) == step[3].bool)
        case "?override":
            let trait = try #require(definitions.index(of: step[2].string))
            let value = definitions.value(step[3], of: trait)
            #expect(override(step[1].string, step[2].string) == value)
        case "?traits":
            let trait = try #require(definitions.index(of: step[1].string))
            let shown = Shown(lockstep.oracle.state)
            for (node, value) in step[2].object {
                let read = shown.read(step[1].string, at: node)
                #expect(read.value == definitions.value(value, of: trait), "\(node)")
            }
        case "?calls":
            #expect(calls == step[1].array)
            calls = []
        default: Issue.record("unknown step \(step)")
        }
    }

    private func set(
        _ layer: InputLayer, _ node: String, _ key: String, _ value: JSON
    ) throws -> Operation {
        let trait = try #require(definitions.index(of: key))
        return .set(layer, node, key, definitions.value(value, of: trait))
    }

    /// What is stored, the waiting writes included.
    private func override(_ node: String, _ key: String) -> TraitValue? {
        for operation in waiting.reversed() {
            switch operation {
            case .set(.override, node, key, let value): return value
            case .remove(.override, node, key): return nil
            default: continue
            }
        }
        return lockstep.oracle.state.nodes[node]?.overrides[key]?.value
    }

    private mutating func refuse(_ step: [JSON]) throws {
        let before = lockstep.refusedCount
        try take(step)
        #expect(lockstep.refusedCount == before + 1)
    }

    private mutating func flush() throws {
        let operations = waiting
        waiting = []
        try deliver(operations)
    }

    /// Commits, then calls one handler after the other; what they commit is told behind.
    private mutating func deliver(_ operations: [Operation]) throws {
        var queue = try commit(operations)
        var next = 0
        while next < queue.count {
            let told = queue[next]
            next += 1
            guard lockstep.oracle.state.registrations[told.listener] != nil else { continue }
            let change = try #require(told.changes.first)
            calls.append(
                .array([.string(told.listener), json(change.previous), json(change.current)]))
            for step in handlers[told.listener] ?? [] { queue += try handle(step.array) }
        }
    }

    private mutating func handle(_ step: [JSON]) throws -> [Outcome.Told] {
        switch step[0].string {
        case "reg":
            let keys = step[3].array.map(\.string)
            return try commit([.register(step[1].string, step[2].string, keys)])
        case "unreg": return try commit([.unregister(step[1].string)])
        default:
            try take(step)
            defer { waiting = [] }
            return try commit(waiting)
        }
    }

    private mutating func commit(_ operations: [Operation]) throws -> [Outcome.Told] {
        try lockstep.take(.transaction(operations, keep: true))?.told ?? []
    }

    private func json(_ value: TraitValue) -> JSON {
        switch value {
        case .int(let number): .int(number)
        case .bool(let value): .bool(value)
        default: .null
        }
    }
}
