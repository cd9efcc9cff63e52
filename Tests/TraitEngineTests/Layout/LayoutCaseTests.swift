// Runs the hierarchy cases on a layout hierarchy whose handlers run between the steps of an
// update, as UIKit's do: nothing is translated, every step means what it says.

import Testing
import TraitEngine

@testable import TraitOracle

@Suite struct LayoutCaseTests {
    @Test(
        "A layout hierarchy behaves as UIKit's",
        arguments: ConformanceCase.hierarchies + ConformanceCase.writes)
    func conforms(_ testCase: ConformanceCase) throws {
        let run = try LayoutRun(testCase)
        for step in testCase.steps { try run.take(step.array) }
        try run.hierarchy.checkInvariants()
    }
}

/// One case on the engine alone.
private final class LayoutRun {
    let hierarchy: Hierarchy
    private let driver: EngineDriver
    private var calls: [JSON] = []
    private var handlers: [String: [JSON]] = [:]

    init(_ testCase: ConformanceCase) throws {
        driver = EngineDriver(
            propagation: testCase.mode == "legacy" ? .legacy : .unified, updates: .layout)
        hierarchy = driver.hierarchy
        try write(
            TraitDefinition.conformance.map(Operation.define)
                + HierarchyRun.nodes(testCase.tree ?? "T1")
                + HierarchyRun.base.map { .set(.supplied, "s", $0.0, $0.1) })
        try update(nil)
    }

    private func write(_ operations: [Operation]) throws {
        hierarchy.begin()
        do {
            for operation in operations { try driver.apply(operation) }
        } catch {
            hierarchy.rollback()
            throw error
        }
        let commit = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        for notification in commit.notifications {
            let current = hierarchy.shownCollection(of: notification.node)
            let previous = try commit.changes(of: notification).reduce(current) {
                try $0.replacing($1.trait, with: $1.previous)
            }
            try call(notification.registration, from: previous, to: current)
        }
    }

    private func call(
        _ registration: RegistrationIndex, from previous: TraitCollection,
        to current: TraitCollection
    ) throws {
        let info = hierarchy.registrationInfo(registration)
        let id = try #require(info.identifier)
        let trait = try #require(info.traits.first)
        #expect(previous[trait] != current[trait] || info.traits.count > 1)
        calls.append(.array([.string(id), json(previous[trait]), json(current[trait])]))
        for step in handlers[id] ?? [] { try take(step.array) }
    }

    private func update(_ name: String?) throws {
        let update = hierarchy.startUpdate(of: try name.map(driver.node))
        while let step = try update.next() {
            guard case .registration(let registration) = step.reason else { continue }
            #expect(step.current == hierarchy.shownCollection(of: step.node))
            try call(registration, from: step.previous, to: step.current)
        }
    }

    func take(_ step: [JSON]) throws {
        let name = step.dropFirst().first?.string ?? ""
        switch step[0].string {
        case "set": try write([.set(.override, name, step[2].string, value(step[3], step[2]))])
        case "system":
            try write([.set(.supplied, "s", name, value(step[2], step[1]))])
        case "remove": try write([.remove(.override, name, step[2].string)])
        case "incr":
            guard case .int(let number) = try override(name, step[2]) else { break }
            try write([.set(.override, name, step[2].string, .int(number + 1))])
        case "attach": try write([.update(name, parent: .set(step[2].string))])
        case "detach": try write([.update(name, parent: .clear)])
        case "flush": try update(nil)
        case "flushNode": try update(name)
        case "reg":
            try write([.register(name, step[2].string, step[3].array.map(\.string))])
        case "unreg": try write([.unregister(name)])
        case "on": handlers[name] = step[2].array
        case "!": #expect(throws: OperationError.self) { try self.take(step[1].array) }
        default: try check(step)
        }
    }

    private func check(_ step: [JSON]) throws {
        switch step[0].string {
        case "?has":
            #expect((try override(step[1].string, step[2]) != nil) == step[3].bool)
        case "?override":
            #expect(try override(step[1].string, step[2]) == value(step[3], step[2]))
        case "?traits":
            for (node, expected) in step[2].object {
                let read = hierarchy.value(
                    of: try driver.trait(step[1].string), at: try driver.node(node))
                #expect(try read == value(expected, step[1]), "\(node)")
            }
        case "?calls":
            #expect(calls == step[1].array)
            calls = []
        default: Issue.record("unknown step \(step)")
        }
    }

    private func value(_ json: JSON, _ trait: JSON) throws -> TraitValue {
        hierarchy.definitions.value(json, of: try driver.trait(trait.string))
    }

    private func override(_ node: String, _ trait: JSON) throws -> TraitValue? {
        try hierarchy.override(driver.trait(trait.string), of: driver.node(node))
    }

    private func json(_ value: TraitValue) -> JSON {
        switch value {
        case .int(let number): .int(number)
        case .bool(let value): .bool(value)
        default: .null
        }
    }
}
