// Makes operations whose effect on streams the model knows.

import SeededRandom
import TraitEngine
import TraitJSON
import TraitSessions

package struct StreamScript {
    package var random: SeededRandom
    private var made = 0

    package init(_ random: SeededRandom) { self.random = random }

    /// The body that creates a session for such operations.
    package static let creation =
        #"{"traits":{"level":{"type":"int","default":0},"name":{"type":"string","default":"x"},"ratio":{"type":"double","default":0.5},"flag":{"type":"bool","default":false}}}"#

    /// The operations of a transaction, and the state that they lead to. Some have no effect, and some there are none.
    package mutating func transaction(_ before: StreamWorld) -> ([String], StreamWorld) {
        var world = before
        var operations: [String] = []
        for _ in 0...random.below(3) {
            if let operation = change(&world, since: before) { operations.append(operation) }
        }
        return (operations, world)
    }

    private mutating func change(
        _ world: inout StreamWorld, since before: StreamWorld
    ) -> String? {
        let names = world.nodes.keys.sorted()
        let free = (0..<9).map { "n\($0)" }.filter { world.nodes[$0] == nil }
        switch random.below(100) {
        case 0..<14:
            guard names.count < 8, let name = random.pick(free) else { return nil }
            // The model cannot express a node that is created again in the transaction that deleted
            // it.
            if before.nodes[name] != nil { return nil }
            let parent = random.pick(names + [nil]) ?? nil
            made += 1
            world.nodes[name] = .init(parent: parent, made: made)
            let place = parent.map { ",\"parent\":\"\($0)\"" } ?? ""
            return #"{"op":"createNode","node":"\#(name)","kind":"environment"\#(place)}"#
        case 14..<17:
            guard names.count > 3, let name = random.pick(names) else { return nil }
            world.delete(name)
            return #"{"op":"deleteNode","node":"\#(name)"}"#
        case 17..<25:
            guard let name = random.pick(names) else { return nil }
            let parents = names.filter { !world.line($0).contains(name) }
            let parent = random.pick(parents + [nil]) ?? nil
            world.nodes[name]?.parent = parent
            return
                #"{"op":"updateNode","node":"\#(name)","parent":\#(parent.map { "\"\($0)\"" } ?? "null")}"#
        case 25..<35:
            let id = "r\(random.below(7))"
            guard let node = random.pick(names),
                !world.registrations.contains(where: { $0.id == id }),
                !before.registrations.contains(where: { $0.id == id })
            else { return nil }
            let traits = someTraits()
            made += 1
            world.registrations.append(.init(id: id, node: node, traits: traits, made: made))
            return
                #"{"op":"register","registration":"\#(id)","node":"\#(node)","traits":[\#(list(traits))]}"#
        case 35..<38:
            guard let one = random.pick(world.registrations) else { return nil }
            world.registrations.removeAll { $0 == one }
            return #"{"op":"unregister","registration":"\#(one.id)"}"#
        case 38..<55:
            guard let name = random.pick(names),
                let trait = random.pick((world.nodes[name]?.overrides ?? [:]).keys.sorted())
            else { return nil }
            world.nodes[name]?.overrides[trait] = nil
            return #"{"op":"removeOverride","node":"\#(name)","trait":"\#(trait)"}"#
        default:
            guard let name = random.pick(names), let trait = random.pick(StreamWorld.traits)
            else { return nil }
            let values: [String: [String]] = [
                "level": ["0", "1", "-7", "9007199254740992"], "name": ["\"x\"", "\"yé\"", "\"\""],
                "ratio": ["0.5", "1.25", "-3.75"], "flag": ["false", "true"],
            ]
            let value = random.pick(values[trait] ?? []) ?? "0"
            world.nodes[name]?.overrides[trait] = value
            return
                #"{"op":"setOverride","node":"\#(name)","trait":"\#(trait)","value":\#(value)}"#
        }
    }

    private mutating func someTraits() -> [String] {
        let some = StreamWorld.traits.filter { _ in random.chance(50) }
        return some.isEmpty ? ["level"] : some
    }

    /// What a stream may be of.
    package mutating func subject(in world: StreamWorld) -> ModelSubject? {
        let names = world.nodes.keys.sorted()
        switch random.below(10) {
        case 0..<2: return .session
        case 2..<4:
            guard let root = random.pick(names) else { return nil }
            return .subtree(root, made: world.nodes[root]?.made ?? 0)
        default:
            let registrations = world.registrations.filter { _ in random.chance(50) }
            var watches: [ModelSubject.Watch] = []
            for name in names where random.chance(30) {
                watches.append(
                    .init(node: name, traits: someTraits(), made: world.nodes[name]?.made ?? 0))
            }
            if registrations.isEmpty, watches.isEmpty { return nil }
            return .members(registrations, watches)
        }
    }

    private func list(_ names: [String]) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ",")
    }
}

extension ModelSubject {
    /// What a stream of a session is opened with.
    package func subject(in session: SessionState) throws(SessionError) -> StreamSubject {
        switch self {
        case .session: return .session
        case .subtree(let root, _): return .subtree(try session.node(named: root, "subtree"))
        case .members(let registrations, let watches):
            var found: [(node: NodeIndex, traits: TraitSet)] = []
            for watch in watches {
                found.append(
                    (
                        try session.node(named: watch.node, "watch"),
                        try session.traits(.names(watch.traits))
                    ))
            }
            return .members(registrations.map(\.id), found)
        }
    }
}
