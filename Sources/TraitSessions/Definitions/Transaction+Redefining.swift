// Changing the definition of a trait.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    /// Changes a definition by a merge patch.
    ///
    /// - Throws: `systemTrait`; `invalidDefinition`; `traitImmutable` for a type that values cannot be taken to;
    ///   `inUse` with the places whose values do not fit.
    mutating func updateTrait(
        _ trait: Reference, _ patch: DefinitionBody
    ) throws(SessionError) {
        let trait = try session.trait(trait)
        let former = hierarchy.definitions[trait]
        if former.origin != .custom { throw SessionError(OperationError.systemTrait(former.key)) }
        do throws(SessionError) {
            let new = try DefinitionPatch.apply(patch.json, to: former)
            try redefine(trait, as: new)
        } catch {
            throw patch.placing(error)
        }
        record(.updateTrait)
        text.json.member("trait", former.key)
        text.json.key("patch")
        text.json.copy(patch.json)
        text.json.endObject()
    }

    /// Changes a definition to another one of the same key and identifier.
    package mutating func updateTrait(
        _ trait: TraitIndex, to new: TraitDefinition
    ) throws(SessionError) {
        let former = hierarchy.definitions[trait]
        if former.isSame(as: new) { return }
        let patch = JSONWriter.text { DefinitionPatch.write(from: former, to: new, into: &$0) }
        // The definition as the log's readers derive it from the patch: `new` may have its cases and fields in
        // another order.
        try redefine(trait, as: try DefinitionPatch.apply(patch, to: former))
        record(.updateTrait)
        text.json.member("trait", former.key)
        text.json.member("patch", raw: patch)
        text.json.endObject()
    }

    /// O(1) or, when the values may become other ones, O(nodes and values).
    private mutating func redefine(
        _ trait: TraitIndex, as new: TraitDefinition
    ) throws(SessionError) {
        let hierarchy = hierarchy
        let former = hierarchy.definitions[trait]
        needs(format: 2)
        if former.isSame(as: new) { return }
        let evolution = DefinitionEvolution(former: former, new: new)
        guard evolution.isPossible else {
            throw SessionError(
                .traitImmutable,
                "A trait of the type \(former.type.name) cannot become \(new.type.name). An int can become double, a string enum, an enum string, and every type json. Define another key for other types.",
                pointer: "/type")
        }
        if let name = evolution.reusedNumber {
            throw SessionError(
                .invalidDefinition,
                "The number of the case '\(name)' is that of another case so far. Take a number that is free.",
                pointer: "/cases/" + name.pointerToken)
        }
        try checkSearching()
        if !evolution.alwaysFits || !evolution.keepsType || evolution.addsFields {
            hierarchy.noteVisits(hierarchy.valueCount(of: trait))
            hierarchy.noteMeasured(hierarchy.nodeCount)
        }
        if !evolution.keepsType || evolution.addsFields {
            try budget.take(
                hierarchy.convertedBytes(
                    of: trait, addedBytes: evolution.addedBytes,
                    copiesTexts: evolution.copiesTexts), session)
        }
        try checkFits(trait, evolution)
        session.encodings.keepFormer(of: trait, in: hierarchy.definitions)
        try refusing { () throws(OperationError) in
            try hierarchy.redefineTrait(trait, as: new, changesValues: evolution.addsFields) {
                evolution.value(for: $0)
            }
        }
        convertCovered(trait, evolution)
        let place = ManagedPlace(.trait, former.key)
        manage(place, isSame: false)
        definitionsChange()
    }

    /// Takes the values that temporary overrides cover to the new definition, as those that nodes have.
    private func convertCovered(_ trait: TraitIndex, _ evolution: DefinitionEvolution) {
        if session.annotations.covered.isEmpty || evolution.keepsType && !evolution.addsFields {
            return
        }
        for (node, covered) in session.annotations.covered.values(of: trait) {
            guard let value = evolution.value(for: covered.value) else { continue }
            session.annotations.setCovered(
                node, trait, CoveredValue(value: value, end: covered.end), in: hierarchy)
        }
    }

    /// Places that the refusal lists.
    private static let placesMax = 100

    private func checkFits(
        _ trait: TraitIndex, _ evolution: DefinitionEvolution
    ) throws(SessionError) {
        if evolution.alwaysFits, evolution.keepsType { return }
        var (places, count) = hierarchy.misfits(
            of: trait, placesMax: Self.placesMax, keepsKey: evolution.keeps
        ) { evolution.value(for: $0) != nil }
        let covered = session.annotations.covered.values(of: trait).filter {
            evolution.value(for: $0.covered.value) == nil
        }
        count += covered.count
        places += covered.prefix(max(0, Self.placesMax - places.count)).map {
            TraitPlace.value($0.node, .override)
        }
        var writer = JSONWriter()
        writer.beginArray()
        if evolution.movesDefault {
            count += 1
            if places.count == Self.placesMax { places.removeLast() }
            writer.beginObject()
            writer.member("default", true)
            writer.endObject()
        }
        if count == 0 { return }
        for place in places { write(place, into: &writer) }
        writer.endArray()
        throw SessionError(
            .inUse,
            "\(count) \(count == 1 ? "place has a value" : "places have values") of '\(evolution.former.key)' that the new definition does not have. Change them first."
        ).with("count", Int64(count)).with("places", .json(writer.array()))
    }

    private func write(_ place: TraitPlace, into writer: inout JSONWriter) {
        writer.beginObject()
        switch place {
        case .value(let node, let layer):
            writer.member("node", node, of: hierarchy)
            writer.member("layer", layer.name)
        case .shown(let node):
            writer.member("node", node, of: hierarchy)
            writer.member("shown", true)
        case .environmentKey(let key): writer.member("environmentKey", key)
        case .variant(let kind, let name, let position):
            writer.member(kind == .color ? "color" as StaticString : "image", name)
            writer.member("variant", position)
        }
        writer.endObject()
    }
}

extension DefinitionEvolution {
    /// Whether the case that the default was has another number now.
    fileprivate var movesDefault: Bool {
        guard let name = former.caseName(of: former.defaultValue),
            case .enumeration = former.type, case .enumeration = new.type,
            let value = new.value(ofCase: name)
        else { return false }
        return value != former.defaultValue
    }
}
