// Plays a case, step by step. A step that is not known fails the case.

import Testing

/// One run of one case.
@MainActor
package final class VectorRunner<World: VectorWorld> {
    private let world: World
    private var collections: [String: World.Collection] = [:]
    /// The first trait of each registration: the one that `?calls` shows.
    private var firstTraits: [String: String] = [:]
    private var handlers: [String: [JSON]] = [:]
    private var calls: [JSON] = []
    /// What went wrong in handlers, which cannot throw.
    private var handlerErrors: [any Error] = []

    package static func run(_ script: VectorCase, on world: World) throws {
        let runner = VectorRunner(world)
        for step in script.steps ?? [] {
            try runner.perform(step)
            if let error = runner.handlerErrors.first { throw error }
        }
        try world.finish()
    }

    package init(_ world: World) {
        self.world = world
    }

    package func perform(_ step: JSON) throws {
        guard let parts = step.array, let name = parts.first?.string else {
            throw ScriptError(description: "no step: \(step)")
        }
        let arguments = Arguments(Array(parts.dropFirst()), of: name)
        if try performValueStep(name, arguments) { return }
        if try performTreeStep(name, arguments) { return }
        if try performRegistrationStep(name, arguments) { return }
        throw ScriptError(description: "unknown step \(name)")
    }

    // MARK: - Values

    private func performValueStep(_ name: String, _ arguments: Arguments) throws -> Bool {
        switch name {
        case "new":
            collections[try arguments.string(0)] = try world.make(
                from: nil, try arguments.writes(1))
        case "modify":
            collections[try arguments.string(0)] = try world.make(
                from: try collection(arguments, 1), try arguments.writes(2))
        case "merge":
            collections[try arguments.string(0)] = try world.merge(
                try arguments.strings(1).map(collection))
        case "?get":
            let trait = try arguments.string(1)
            let value = try world.read(try collection(arguments, 0), trait)
            #expect(value == arguments[2], "\(trait)")
        case "?eq":
            let isEqual = try world.areEqual(
                try collection(arguments, 0), try collection(arguments, 1))
            #expect(.bool(isEqual) == arguments[2])
        case "?contains":
            let contains = try world.contains(
                try collection(arguments, 0), try optionalCollection(arguments, 1))
            #expect(.bool(contains) == arguments[2])
        case "?changed":
            let changed = try world.changed(
                try collection(arguments, 0), from: try optionalCollection(arguments, 1))
            #expect(changed.sorted() == (try arguments.strings(2)).sorted())
        case "?color":
            let differs = try world.differsInColor(
                try collection(arguments, 0), from: try optionalCollection(arguments, 1))
            #expect(.bool(differs) == arguments[2])
        case "?printed":
            let printed = try world.printed(try collection(arguments, 0))
            #expect(printed == (try arguments.strings(1)))
        default: return false
        }
        return true
    }

    private func collection(_ arguments: Arguments, _ position: Int) throws -> World.Collection {
        try collection(try arguments.string(position))
    }

    private func collection(_ name: String) throws -> World.Collection {
        guard let collection = collections[name] else {
            throw ScriptError(description: "no collection \(name)")
        }
        return collection
    }

    private func optionalCollection(
        _ arguments: Arguments, _ position: Int
    ) throws -> World.Collection? {
        arguments[position] == .null ? nil : try collection(arguments, position)
    }

    // MARK: - The tree

    private func performTreeStep(_ name: String, _ arguments: Arguments) throws -> Bool {
        switch name {
        case "set":
            try world.set(
                try arguments.string(0), try arguments.string(1), arguments[2])
        case "incr":
            let (node, trait) = (try arguments.string(0), try arguments.string(1))
            guard let value = try world.override(node, trait).int else {
                throw VectorError("type_mismatch")
            }
            try world.set(node, trait, .number(Double(value + 1)))
        case "remove": try world.remove(try arguments.string(0), try arguments.string(1))
        case "getOverride":
            _ = try world.override(try arguments.string(0), try arguments.string(1))
        case "?has":
            let has = try world.has(try arguments.string(0), try arguments.string(1))
            #expect(.bool(has) == arguments[2])
        case "?override":
            let value = try world.override(try arguments.string(0), try arguments.string(1))
            #expect(value == arguments[2])
        case "system": try world.supply("s", try arguments.string(0), arguments[1])
        case "unsystem": try world.removeSupplied("s", try arguments.string(0))
        case "supply":
            try world.supply(try arguments.string(0), try arguments.string(1), arguments[2])
        case "unsupply":
            try world.removeSupplied(try arguments.string(0), try arguments.string(1))
        case "flush": try world.flush()
        case "flushNode": try world.flush(try arguments.string(0))
        case "attach": try world.attach(try arguments.string(0), to: try arguments.string(1))
        case "detach": try world.detach(try arguments.string(0))
        case "?traits":
            let trait = try arguments.string(0)
            guard case .object(let expected) = arguments[1] else {
                throw ScriptError(description: "?traits needs nodes")
            }
            for (node, value) in expected.sorted(by: { $0.key < $1.key }) {
                let shown = try world.read(try world.shown(node), trait)
                #expect(shown == value, "\(trait) at \(node)")
            }
        default: return false
        }
        return true
    }

    // MARK: - Registrations

    private func performRegistrationStep(_ name: String, _ arguments: Arguments) throws -> Bool {
        switch name {
        case "reg":
            let (name, node) = (try arguments.string(0), try arguments.string(1))
            let traits = try arguments.strings(2)
            try world.register(name, node, traits) { [weak self] previous, current in
                self?.called(name, previous, current)
            }
            firstTraits[name] = traits.first
        case "unreg": try world.unregister(try arguments.string(0))
        case "on": handlers[try arguments.string(0)] = arguments[1].array ?? []
        case "?calls":
            #expect(calls == arguments[0].array)
            calls = []
        case "!":
            let expected = VectorError(try arguments.string(1))
            try world.expectUnchanged {
                do {
                    try perform(arguments[0])
                    Issue.record("\(arguments[0]) did not fail with \(expected)")
                } catch let error as VectorError {
                    #expect(error == expected || error == .unnamed)
                }
            }
        default: return false
        }
        return true
    }

    private func called(
        _ name: String, _ previous: World.Collection, _ current: World.Collection
    ) {
        do {
            guard let trait = firstTraits[name] else {
                throw ScriptError(description: "\(name) was called while it was made")
            }
            calls.append(
                .array([
                    .string(name), try world.read(previous, trait), try world.read(current, trait),
                ]))
            for step in handlers[name] ?? [] { try perform(step) }
        } catch {
            handlerErrors.append(error)
        }
    }
}

/// The arguments of a step.
private struct Arguments {
    private let values: [JSON]
    private let step: String

    init(_ values: [JSON], of step: String) {
        self.values = values
        self.step = step
    }

    /// Null beyond the last.
    subscript(position: Int) -> JSON {
        values.indices.contains(position) ? values[position] : .null
    }

    func string(_ position: Int) throws -> String {
        guard let string = self[position].string else {
            throw ScriptError(description: "\(step) needs a name at \(position)")
        }
        return string
    }

    func strings(_ position: Int) throws -> [String] {
        guard let array = self[position].array else {
            throw ScriptError(description: "\(step) needs a list at \(position)")
        }
        return array.compactMap(\.string)
    }

    func writes(_ position: Int) throws -> [(String, JSON)] {
        try (self[position].array ?? []).map { pair in
            guard let parts = pair.array, parts.count == 2, let trait = parts[0].string else {
                throw ScriptError(description: "\(step): \(pair) is no write")
            }
            return (trait, parts[1])
        }
    }
}
