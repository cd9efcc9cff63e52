// Overrides and supplied values.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    package func read(_ json: JSONValue, for trait: TraitIndex) throws(SessionError) -> TraitValue {
        try read(json, for: trait, encoding(of: trait))
    }

    private func read(
        _ json: JSONValue, for trait: TraitIndex, _ encoding: TraitEncoding
    ) throws(SessionError) -> TraitValue {
        if let text = json.string, let value = encoding.value(ofCase: text) { return value }
        return try ValueReader.read(json, for: trait, of: hierarchy.definitions)
    }

    /// Sets a value; setting the same value again changes nothing but when an override ends.
    ///
    /// - Parameter end: when the override ends, in milliseconds since 1970; nil for a value that stays.
    package mutating func set(
        _ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue,
        expiresAt end: Int64? = nil, _ stacking: Stacking = .usual
    ) throws(SessionError) {
        try set(layer, node, trait, value, encoding(of: trait), end, stacking)
    }

    /// Sets a value that is given as JSON; setting the same value again changes nothing but when an override ends.
    ///
    /// - Parameter end: when the override ends, in milliseconds since 1970; nil for a value that stays.
    mutating func set(
        _ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex, json: JSONValue,
        expiresAt end: Int64? = nil, _ stacking: Stacking = .usual
    ) throws(SessionError) {
        let encoding = encoding(of: trait)
        try set(layer, node, trait, try read(json, for: trait, encoding), encoding, end, stacking)
    }

    private mutating func set(
        _ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue,
        _ encoding: TraitEncoding, _ end: Int64?, _ stacking: Stacking
    ) throws(SessionError) {
        let hierarchy = hierarchy
        var (isOver, isInstead) = (false, false)
        if end != nil || manager != nil || !session.annotations.isEmpty {
            if end != nil { needs(format: 2) }
            if layer == .overrides {
                // The operation of a client without a mark would cover a managed value.
                isInstead =
                    stacking == .instead && end != nil
                    && (covers(node, trait)
                        || session.annotations.managers.number(
                            of: ManagedPlace(node, layer, trait)) != nil)
                isOver = cover(node, trait, until: end, stacking)
                if !isOver { session.annotations.dropCovered(node, trait, in: hierarchy) }
                session.annotations.setEnd(node, trait, end, in: hierarchy)
            }
            if isOver || isInstead { needs(format: 4) }
            if !isOver {
                manage(
                    ManagedPlace(node, layer, trait),
                    isSame: hierarchy.value(layer, node, trait) == value)
            }
        }
        try refusing { () throws(OperationError) in try hierarchy.set(layer, node, trait, value) }
        record(layer.setKind)
        write("node", node: node)
        text.json.member("trait", raw: encoding.key)
        text.json.key("value")
        encoding.write(value, into: &text.json)
        if let end { text.json.member("expiresAt", Timestamp.text(end)) }
        if isOver || isInstead { text.json.member("over", isOver) }
        text.json.endObject()
    }

    /// Removes a value. What a temporary override covers shows again.
    package mutating func remove(
        _ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex
    ) {
        if layer == .supplied || !uncover(node, trait) {
            switch layer {
            case .overrides: hierarchy.removeOverride(node, trait)
            case .supplied: hierarchy.removeSupplied(node, trait)
            }
            disown(ManagedPlace(node, layer, trait))
            forgetEnd(layer, node, trait)
        }
        record(layer.removeKind)
        write("node", node: node)
        write(trait)
        text.json.endObject()
    }

    /// Sets the manager of a place that an operation makes or changes: the transaction's, or none. An operation
    /// without a manager that changes nothing (`isSame`) does not change the place's manager.
    func manage(_ place: @autoclosure () -> ManagedPlace, isSame: @autoclosure () -> Bool) {
        if manager == nil, session.annotations.isEmpty || isSame() { return }
        session.annotations.setManager(place(), manager, in: hierarchy)
    }

    /// Removes the manager of a place that an operation removes.
    func disown(_ place: @autoclosure () -> ManagedPlace) {
        if session.annotations.isEmpty { return }
        session.annotations.setManager(place(), nil, in: hierarchy)
    }

    mutating func write(_ trait: TraitIndex) {
        text.json.member("trait", raw: encoding(of: trait).key)
    }

    /// The values of a node as a JSON object; pointers start with the layer's name.
    package func readValues(
        _ json: JSONValue?, _ layer: ValueLayer
    ) throws(SessionError) -> [(TraitIndex, TraitValue)]? {
        guard let json else { return nil }
        guard case .object = json.kind else {
            throw .malformed(
                "'\(layer.member)' is an object of trait and value", json, at: "/\(layer.member)")
        }
        var values: [(TraitIndex, TraitValue)] = []
        values.reserveCapacity(json.count)
        var faults = Faults()
        for (key, value) in json.members {
            let pointer = { "/\(layer.member)/" + key.string.pointerToken }
            guard let trait = hierarchy.definitions.index(of: key.bytes) else {
                try faults.add(session.unknownTrait(key.string).inside(at: pointer()))
                continue
            }
            if values.contains(where: { $0.0 == trait }) {
                try faults.add(SessionError.sameTraitTwice(key.string).at(pointer()))
                continue
            }
            do throws(SessionError) {
                values.append((trait, try read(value, for: trait)))
            } catch {
                try faults.add(error.prefixed(pointer()))
            }
        }
        if !faults.isEmpty { try faults.check() }
        return values
    }

    /// Sets exactly these values in the layer, removing all others. Overrides that end stay from now on.
    mutating func replace(
        _ layer: ValueLayer, _ node: NodeIndex, with values: [(TraitIndex, TraitValue)]
    ) throws(SessionError) {
        let present = hierarchy.values(layer, of: node)
        for (trait, _) in present where !values.contains(where: { $0.0 == trait }) {
            if layer == .overrides { removeUnder(node, trait) }
            remove(layer, node, trait)
        }
        for (trait, value) in values {
            if present.contains(where: { $0 == (trait, value) }), !ends(layer, node, trait) {
                continue
            }
            try set(layer, node, trait, value)
        }
    }
}

extension Hierarchy {
    /// The value that a layer of the node has for a trait.
    package func value(_ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex) -> TraitValue? {
        switch layer {
        case .overrides: override(trait, of: node)
        case .supplied: supplied(trait, of: node)
        }
    }

    /// The values that a layer of the node has.
    func values(_ layer: ValueLayer, of node: NodeIndex) -> [(TraitIndex, TraitValue)] {
        layer == .overrides ? overrides(of: node) : supplied(of: node)
    }

    @inline(__always)
    func set(
        _ layer: ValueLayer, _ node: NodeIndex, _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        switch layer {
        case .overrides: try setOverride(node, trait, value)
        case .supplied: try setSupplied(node, trait, value)
        }
    }
}

extension SessionError {
    static func sameTraitTwice(_ name: String) -> SessionError {
        SessionError(
            .malformedBody,
            "'\(name)' names a trait that is there already, by its key or its identifier.",
            pointer: "")
    }
}

extension Transaction {
    /// A merge patch of a layer: null removes, the rest sets.
    mutating func patch(
        _ layer: ValueLayer, _ node: NodeIndex, _ json: JSONValue
    ) throws(SessionError) {
        var seen = TraitSet()
        var faults = Faults()
        for (key, value) in json.members {
            let name = key.string
            let pointer = "/" + name.pointerToken
            do throws(SessionError) {
                let trait = try session.trait(named: name, pointer)
                guard seen.insert(trait) else { throw .sameTraitTwice(name) }
                if value.isNull {
                    remove(layer, node, trait)
                } else {
                    try set(layer, node, trait, json: value)
                }
            } catch {
                try faults.add(error.at(pointer))
            }
        }
        if !faults.isEmpty { try faults.check() }
    }
}
