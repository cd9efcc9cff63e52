// Where values of a trait are that another definition of it would not have.

/// A place that has a value of a trait.
public enum TraitPlace: Hashable, Sendable {
    /// A value of the node in a layer.
    case value(NodeIndex, Layer)
    /// A value that the node of a layout hierarchy shows until it is updated.
    case shown(NodeIndex)
    /// The map of a key that is bridged to the trait, or its type when it has no map.
    case environmentKey(String)
    /// The conditions of a variant.
    case variant(DynamicKind, String, Int)
}

extension Hierarchy {
    /// The places whose values of the trait do not fit: definitions first, then nodes.
    /// O(records), and O(nodes) while a node of a layout hierarchy shows a value of the trait.
    ///
    /// - Parameters:
    ///   - placesMax: the most places to list; `count` counts all.
    ///   - keepsKey: whether a key without a map stays bridged.
    package func misfits(
        of trait: TraitIndex, placesMax: Int, keepsKey: (EnvironmentKey) -> Bool,
        fits: (TraitValue) -> Bool
    ) -> (places: [TraitPlace], count: Int) {
        var places: [TraitPlace] = []
        var count = 0
        func add(_ place: TraitPlace) {
            if count < placesMax { places.append(place) }
            count += 1
        }
        for place in definitions.named.places(of: trait, keepsKey, fits) { add(place) }
        let slot = parts.traits[trait.rawValue]
        var known: [UInt64: Bool] = [:]
        func fitsWord(_ word: UInt64) -> Bool {
            if let known = known[word] { return known }
            let answer = fits(value(from: word, of: trait))
            known[word] = answer
            return answer
        }
        if slot.values > 0 || slot.kept > 0 {
            forEachEntry(of: trait.rawValue) { node, entry in
                if !fitsWord(entry.word) { add(.value(NodeIndex(rawValue: node), entry.layer)) }
            }
        }
        if slot.shown > 0, let layout {
            var frames: [Int32: Bool] = [:]
            for node in livingNodes
            where !showsFits(layout.nodes[node].shown, trait.rawValue, &frames, fitsWord) {
                add(.shown(NodeIndex(rawValue: node)))
            }
        }
        return (places, count)
    }

    /// The values of the trait that living nodes have, in the order of the nodes' indices.
    func forEachEntry(of trait: UInt16, _ body: (Int32, RecordEntry) -> Void) {
        var entries: ContiguousArray<RecordEntry> = []
        for node in livingNodes {
            let record = recordIndex(of: node)
            if record < 0 || !recordReader.sets(record, trait) { continue }
            entries.removeAll(keepingCapacity: true)
            recordReader.entries(record, into: &entries)
            for entry in entries where entry.trait == trait { body(node, entry) }
        }
    }

    /// Whether all values of the trait in a frame and those above it fit. Each frame is looked at once.
    private func showsFits(
        _ frame: Int32, _ trait: UInt16, _ known: inout [Int32: Bool],
        _ fitsWord: (UInt64) -> Bool
    ) -> Bool {
        var open: [Int32] = []
        var next = frame
        while next > 0, known[next] == nil {
            open.append(next)
            next = parts.records[next].above
        }
        var answer = next > 0 ? known[next] ?? true : true
        var entries: ContiguousArray<RecordEntry> = []
        while let frame = open.popLast() {
            if answer, recordReader.sets(frame, trait) {
                entries.removeAll(keepingCapacity: true)
                recordReader.entries(frame, into: &entries)
                answer = entries.allSatisfy { $0.trait != trait || fitsWord($0.word) }
            }
            known[frame] = answer
        }
        return answer
    }
}

extension NamedDefinitions {
    /// The definitions that refer to the trait by a value that does not fit.
    func places(
        of trait: TraitIndex, _ keepsKey: (EnvironmentKey) -> Bool, _ fits: (TraitValue) -> Bool
    ) -> [TraitPlace] {
        if !refer(to: trait) { return [] }
        var places: [TraitPlace] = []
        for entry in environmentKeys.values
        where entry.trait == trait && entry.key.bridgedTrait != nil {
            let isFit =
                entry.key.map.isEmpty
                ? keepsKey(entry.key) : entry.key.map.allSatisfy { fits($0.trait) }
            if !isFit { places.append(.environmentKey(entry.key.key)) }
        }
        for value in Array(colors.values) + Array(images.values)
        where value.namedTraits.contains(trait) {
            for (position, variant) in value.variants.enumerated()
            where variant.when.traits.contains(trait) && !fits(variant.when[trait]) {
                places.append(.variant(value.kind, value.name, position))
            }
        }
        return places
    }

    /// Converts the values of the trait in maps and conditions.
    mutating func convert(
        _ trait: TraitIndex, _ convert: (TraitValue) -> TraitValue?
    ) {
        if !refer(to: trait) { return }
        for entry in Array(environmentKeys.values)
        where entry.trait == trait && !entry.key.map.isEmpty {
            replace(
                EnvironmentEntry(key: entry.key.converting(convert), trait: trait))
        }
        for value in Array(colors.values) + Array(images.values)
        where value.namedTraits.contains(trait) {
            set(value.converting(trait, convert))
        }
    }
}

extension EnvironmentKey {
    /// The key with other values of its trait in the map.
    fileprivate func converting(_ convert: (TraitValue) -> TraitValue?) -> EnvironmentKey {
        EnvironmentKey(
            key: key, type: type, isNullable: isNullable, defaultValue: defaultValue,
            bridgedTrait: bridgedTrait,
            map: map.map { ($0.environment, convert($0.trait) ?? $0.trait) })
    }
}
