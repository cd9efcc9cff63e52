// The values that a document sets at its nodes.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

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
            let pointer = {
                let key = hierarchy.definitions[trait].key.pointerToken
                return "/nodes/\(position)/\(layer.member)/\(key)"
            }
            let end = ends[trait.rawValue]
            let below =
                try layer == .supplied
                ? nil : below(trait, node, position, &transaction)
            // What is over is no longer a part of what the document sets.
            let isOver = end.map { $0 <= session.environment.now() } ?? false
            if let below {
                try set(trait, below, node, pointer, &transaction, mayCover: !isOver)
                if !isOver { try cover(trait, value, end, node.index, &transaction) }
            } else if !isOver {
                let wanted = CoveredValue(value: value, end: end)
                if layer == .supplied {
                    try setSupplied(trait, value, node, pointer, &transaction)
                } else {
                    try set(trait, wanted, node, pointer, &transaction, mayCover: false)
                }
            }
        }
    }

    private mutating func setSupplied(
        _ trait: TraitIndex, _ value: TraitValue, _ node: Node, _ pointer: () -> String,
        _ transaction: inout Transaction
    ) throws(SessionError) {
        let isSame = transaction.hierarchy.supplied(trait, of: node.index) == value
        let place = ManagedPlace(node.index, .supplied, trait)
        if takes(place, isSame: isSame, pointer, transaction) {
            try transaction.set(.supplied, node.index, trait, value)
        }
    }

    /// Whether the apply sets the value of a place. The manager adopts an equal value without a manager; an equal value
    /// of another manager stays with that manager.
    private mutating func takes(
        _ place: ManagedPlace, isSame: Bool, _ pointer: () -> String, _ transaction: Transaction
    ) -> Bool {
        let manager = transaction.session.annotations.managers.manager(of: place)
        if isSame { return manager != options.manager && (manager == nil || options.force) }
        guard let manager, manager != options.manager, !options.force else { return true }
        conflict(pointer(), manager)
        return false
    }

    /// Sets an override. What a manager sets goes below a temporary override without one.
    ///
    /// - Parameter mayCover: whether the document has a temporary override above it.
    private mutating func set(
        _ trait: TraitIndex, _ wanted: CoveredValue, _ node: Node, _ pointer: () -> String,
        _ transaction: inout Transaction, mayCover: Bool
    ) throws(SessionError) {
        let session = transaction.session
        let place = ManagedPlace(node.index, .overrides, trait)
        let covered = session.annotations.covered[node.index, trait]
        let present = transaction.hierarchy.override(trait, of: node.index).map {
            CoveredValue(value: $0, end: session.end(of: trait, at: node.index))
        }
        let goesBelow =
            present?.end != nil
            && (mayCover && covered != nil
                || options.manager != nil
                    && (covered != nil
                        || session.annotations.managers.number(of: place) == nil
                            && (mayCover || present != wanted)))
        let isSame = (goesBelow ? covered : present) == wanted
        guard takes(place, isSame: isSame, pointer, transaction) else { return }
        if goesBelow {
            try transaction.setUnder(node.index, trait, wanted.value, until: wanted.end)
        } else {
            try transaction.set(
                .overrides, node.index, trait, wanted.value, expiresAt: wanted.end, .instead)
        }
    }

    /// Has a temporary override of the document lie over the value below, without a manager.
    private func cover(
        _ trait: TraitIndex, _ value: TraitValue, _ end: Int64?, _ node: NodeIndex,
        _ transaction: inout Transaction
    ) throws(SessionError) {
        let session = transaction.session
        if transaction.hierarchy.override(trait, of: node) == value,
            session.end(of: trait, at: node) == end, transaction.covers(node, trait)
        {
            return
        }
        // A conflict was noted.
        guard conflictCount == 0 else { return }
        try transaction.set(.overrides, node, trait, value, expiresAt: end, .over)
    }

    /// The value that the document has below a temporary override, if its own time has not passed.
    private func below(
        _ trait: TraitIndex, _ node: Node, _ position: Int, _ transaction: inout Transaction
    ) throws(SessionError) -> CoveredValue? {
        guard let member = node.covered(trait, transaction) else { return nil }
        return CoveredValue(
            value: try within(
                "/nodes/\(position)" + member.pointer + "/value",
                try transaction.read(member.value, for: trait)),
            end: member.end)
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
