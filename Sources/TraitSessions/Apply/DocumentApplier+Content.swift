// The values that a document sets at its nodes.

import JSONCodec
import TraitEngine

extension DocumentApplier {
    // MARK: - Values

    mutating func setValues(_ transaction: inout Transaction) throws(SessionError) {
        for position in nodes.indices {
            let node = nodes[position]
            try set(.overrides, node.body.overrides, node, position, &transaction)
            try set(.supplied, node.body.supplied, node, position, &transaction)
            if let json = node.environment {
                try setEnvironment(json, node, position, &transaction)
            }
        }
    }

    mutating func set(
        _ layer: ValueLayer, _ json: JSONValue?, _ node: Node, _ position: Int,
        _ transaction: inout Transaction
    ) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        let session = transaction.session
        let wanted = try within("/nodes/\(position)", try transaction.readValues(json, layer) ?? [])
        let ends = layer == .overrides ? try ends(of: node, position, transaction) : [:]
        for (trait, value) in wanted {
            let end = ends[trait.rawValue]
            // What is over is no longer a part of what the document sets.
            if let end, end <= session.environment.now() { continue }
            let present = hierarchy.value(layer, node.index, trait)
            let place = ManagedPlace(node.index, layer, trait)
            let manager = session.annotations.managers.manager(of: place)
            let isSame =
                present == value
                && (layer == .supplied
                    || session.annotations.expiries.time(node.index, trait) == end)
            if isSame {
                // The manager adopts an equal value without a manager. An equal value of another
                // manager stays with that manager.
                guard manager != options.manager, manager == nil || options.force else { continue }
            } else if let manager, manager != options.manager, !options.force {
                let key = hierarchy.definitions[trait].key.pointerToken
                conflict("/nodes/\(position)/\(layer.member)/\(key)", manager)
                continue
            }
            try transaction.set(layer, node.index, trait, value, expiresAt: end)
        }
    }

    /// When overrides of a node of the document end, by trait.
    private func ends(
        of node: Node, _ position: Int, _ transaction: Transaction
    ) throws(SessionError) -> [UInt16: Int64] {
        var ends: [UInt16: Int64] = [:]
        for (name, time) in node.ends?.times ?? [] {
            let pointer = "/nodes/\(position)/expiresAt/" + name.pointerToken
            let trait = try transaction.session.trait(named: name, pointer)
            ends[trait.rawValue] = time
        }
        return ends
    }

    mutating func setEnvironment(
        _ json: JSONValue, _ node: Node, _ position: Int, _ transaction: inout Transaction
    ) throws(SessionError) {
        guard json.kind == .object else {
            throw SessionError.wrongType("environment", "an object of key and value", json)
                .prefixed("/nodes/\(position)")
        }
        let session = transaction.session
        for (name, value) in json.members {
            let pointer = "/nodes/\(position)/environment/\(name.string.pointerToken)"
            do throws(SessionError) {
                let key = try session.environmentKey(named: name.string)
                let read = try ValueReader.read(value, for: key.definition)
                let place = transaction.managedPlace(node.index, key)
                if try transaction.ownEnvironment(key, of: node.index) == read {
                    let manager = session.annotations.managers.manager(of: place)
                    guard manager != options.manager, manager == nil || options.force else {
                        continue
                    }
                } else if let other = otherManager(of: place, transaction) {
                    conflict(pointer, other)
                    continue
                }
                try transaction.setEnvironment(node.index, key, value)
            } catch {
                throw error.prefixed(pointer)
            }
        }
    }
}
