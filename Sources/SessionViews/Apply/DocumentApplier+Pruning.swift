// The deletions of an apply, which come before anything is made: parts that the manager once set or made and the
// document does not have, and parts that the document has in another form but that cannot change, such as
// definitions. The deletion of a definition that is still in use is tried again when more has changed.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// The parts that an apply deletes.
struct GoingParts {
    /// All that the manager has set or made, in the order of nodes' names, so that every process does the same.
    var managed: [(place: ManagedPlace, name: String)] = []
    /// Nodes of the manager that the document does not have, or has as another kind.
    var topNodes: [(node: NodeIndex, name: String)] = []
    /// `topNodes`, and all nodes structurally below them.
    var nodes: Set<NodeIndex> = []
    /// Definitions that the document does not have, or has in another form, in the order of their deletion.
    var definitions: [ManagedPlace] = []
    /// All of `definitions`, including those that are deleted by now.
    var definitionSet: Set<ManagedPlace> = []
    /// Those of `definitionSet` that are defined again.
    var replaced: Set<ManagedPlace> = []
    /// Structs whose values fit no more: they are updated while no value of the manager is stored.
    var reshaped: Set<ManagedPlace> = []
}

extension DocumentApplier {
    // MARK: - Finding

    mutating func findGoing(_ transaction: Transaction) throws(SessionError) {
        guard options.prune, let manager = options.manager else { return }
        let session = transaction.session
        let hierarchy = transaction.hierarchy
        going.managed = session.annotations.managers.places(of: manager).map {
            ($0, $0.nodeName(in: hierarchy) ?? "")
        }.sorted {
            $0.name != $1.name ? $0.name < $1.name : ManagedPlace.precedes($0.place, $1.place)
        }
        for (place, name) in going.managed where place.isNode {
            guard let node = place.node, !isNamed(node) else { continue }
            going.topNodes.append((node, name))
            if going.nodes.contains(node) { continue }
            try transaction.checkDeleting(node)
            hierarchy.forEachStructuralDescendant(of: node) { node in
                going.nodes.insert(node)
                return true
            }
        }
        try findGoingDefinitions(transaction)
    }

    private mutating func findGoingDefinitions(_ transaction: Transaction) throws(SessionError) {
        let definitions = transaction.hierarchy.definitions
        let own = going.managed.map(\.place).filter { $0.node == nil }
        func find(
            _ kind: ManagedPlace.Kind, _ isReplaced: (String, JSONValue) -> Bool
        ) {
            for place in own where place.kind == kind {
                let json = object[kind.member].flatMap { place.name.member(of: $0) }
                if let json, !isReplaced(place.name, json) { continue }
                if json != nil { going.replaced.insert(place) }
                going.definitions.append(place)
            }
        }
        let hierarchy = transaction.hierarchy
        // Defining an existing trait or key only compares it. An unreadable definition is refused by `define`.
        find(.trait) { key, json in
            guard let definition = try? DefinitionReader.read(json, key: key),
                let known = definitions.index(of: key)
            else { return false }
            if definitions[known].losesFields(as: definition) {
                going.reshaped.insert(ManagedPlace(.trait, key))
            }
            return !definitions[known].canBecome(definition)
                && (try? hierarchy.defineTrait(definition)) == nil
        }
        find(.environmentKey) { key, json in
            let bridged = definitions.environmentKey(named: key)?.bridgedTrait
            if let bridged, isReplaced(trait: bridged) { return true }
            let read = try? EnvironmentKeyReader.read(json, key: key, in: transaction.session)
            return read.map { (try? hierarchy.defineEnvironmentKey($0)) == nil } ?? true
        }
        for kind in [DynamicKind.color, .image] {
            find(kind == .color ? .color : .image) { name, _ in
                // A colour or image can change, unless it names a trait that this apply deletes.
                definitions.dynamic(kind, named: name)?.hasVariant(for: isReplaced) ?? false
            }
        }
        let order: [ManagedPlace.Kind] = [.color, .image, .environmentKey, .trait]
        going.definitions = order.flatMap { kind in
            going.definitions.filter { $0.kind == kind }
        }
        going.definitionSet = Set(going.definitions)
    }

    /// Whether values of the trait, and definitions that refer to the trait, are removed first and made again.
    private func isReplaced(trait key: String) -> Bool {
        let place = ManagedPlace(.trait, key)
        return going.replaced.contains(place) || going.reshaped.contains(place)
    }

    /// Whether one of the traits is deleted, also to be defined again.
    func hasGoing(_ traits: TraitSet, _ definitions: TraitDefinitions) -> Bool {
        !going.definitionSet.isEmpty
            && traits.contains { goes(.trait, definitions[$0].key) }
    }

    /// Whether a node is deleted, also to be created again as one of another kind.
    func goes(_ node: NodeIndex) -> Bool { going.nodes.contains(node) && !isNamed(node) }

    func goes(_ kind: ManagedPlace.Kind, _ name: String) -> Bool {
        going.definitionSet.contains(ManagedPlace(kind, name))
    }

    // MARK: - Values

    mutating func removeValues(_ transaction: inout Transaction) throws(SessionError) {
        var named: (position: Int32, layer: ValueLayer, traits: TraitSet)?
        for (place, _) in going.managed {
            guard let node = place.node else { continue }
            if place.kind == .environment {
                if keepsEnvironment(place, of: node) { continue }
                let key = try transaction.session.environmentKey(named: place.name)
                try transaction.removeEnvironment(node, key)
            } else if let layer = place.valueLayer {
                let trait = place.trait
                let key = transaction.hierarchy.definitions[trait].key
                if goes(node) {
                    // The value is deleted with its node.
                    if !goes(.trait, key) { continue }
                } else if isNamed(node), !isReplaced(trait: key) {
                    let position = places[node]
                    if named?.position != position || named?.layer != layer {
                        named = (
                            position, layer, traits(of: nodes[Int(position)], layer, transaction)
                        )
                    }
                    if named?.traits.contains(trait) == true { continue }
                }
                if layer == .overrides, transaction.covers(node, trait) {
                    // The temporary value above stays.
                    transaction.removeUnder(node, trait)
                } else {
                    transaction.remove(layer, node, trait)
                }
            }
        }
    }

    private func keepsEnvironment(_ place: ManagedPlace, of node: NodeIndex) -> Bool {
        let definition = ManagedPlace(.environmentKey, place.name)
        if goes(node) { return !going.definitionSet.contains(definition) }
        guard isNamed(node), !going.replaced.contains(definition) else { return false }
        return nodes[Int(places[node])].environment.flatMap {
            place.name.member(of: $0)
        } != nil
    }

    /// The traits that the document sets at a node in a layer, also by environment keys that are bridged to them.
    private func traits(
        of node: Node, _ layer: ValueLayer, _ transaction: Transaction
    ) -> TraitSet {
        let definitions = transaction.hierarchy.definitions
        let values = layer == .overrides ? node.body.overrides : node.body.supplied
        var traits = TraitSet()
        if let values {
            for (key, _) in values.members {
                if layer == .overrides, node.isOver(key, transaction),
                    definitions.index(of: key.bytes).flatMap({ node.covered($0, transaction) })
                        == nil
                {
                    continue
                }
                if let trait = definitions.index(of: key.bytes) { traits.insert(trait) }
            }
        }
        guard layer == .overrides, let environment = node.environment else { return traits }
        for (name, _) in environment.members {
            let trait = definitions.environmentKey(named: name.string)?.bridgedTrait
                .flatMap(definitions.index(of:))
            if let trait { traits.insert(trait) }
        }
        return traits
    }

    // MARK: - Definitions

    enum Deletion {
        /// Deletes the definitions that are unused by now.
        case whereUnused
        /// Deletes the unused definitions. Throws if one that is defined again is still in use.
        case replaced
        case all
    }

    /// Deletes the definitions in `going`. They are tried before nodes move, since a detached node keeps the values
    /// that it inherited, and then again.
    ///
    /// - Throws: `inUse` for a definition that something else refers to.
    mutating func deleteDefinitions(
        _ transaction: inout Transaction, _ deletion: Deletion
    ) throws(SessionError) {
        var left: [ManagedPlace] = []
        for place in going.definitions {
            do throws(SessionError) {
                try delete(place, &transaction)
            } catch {
                let mustGo =
                    deletion == .all || deletion == .replaced && going.replaced.contains(place)
                guard error.code == .inUse, !mustGo else {
                    throw error.prefixed("/\(place.kind.member)/\(place.name.pointerToken)")
                }
                left.append(place)
            }
        }
        going.definitions = left
    }

    private func delete(
        _ place: ManagedPlace, _ transaction: inout Transaction
    ) throws(SessionError) {
        for kind in DefinitionKind.allCases where kind.managed == place.kind {
            try transaction.delete(kind, place.name)
        }
    }
}

extension DocumentApplier.Node {
    /// Whether the time of an override of the document has passed.
    fileprivate func isOver(_ trait: JSONString, _ transaction: Transaction) -> Bool {
        guard let end = ends?.times.first(where: { $0.name == trait.string })?.time else {
            return false
        }
        return end <= transaction.session.environment.now()
    }

    /// What the document has below a temporary override, if the time of that has not passed.
    func covered(_ trait: TraitIndex, _ transaction: Transaction) -> CoveredMembers.Member? {
        covered?.members.first {
            transaction.hierarchy.definitions.index(of: $0.name) == trait
                && $0.end.map { $0 > transaction.session.environment.now() } ?? true
        }
    }
}

extension String {
    /// The member of an object that has this name.
    fileprivate func member(of json: JSONValue) -> JSONValue? {
        var name = self
        return name.withUTF8 { json.member(UnsafeRawBufferPointer($0)) }
    }
}
