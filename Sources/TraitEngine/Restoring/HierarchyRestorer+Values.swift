// Restores the values that nodes set and show, their registrations and their scopes.

extension HierarchyRestorer {
    /// A value that the node holds, in whatever layer. O(values of the node).
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`; `invalidDefinition` for what no node
    ///   can hold, as a kept value of a node that inherits, or a second value of one layer.
    package mutating func setValue(
        _ node: NodeIndex, _ fact: StoredFact
    ) throws(OperationError) {
        try check(node)
        try check(fact)
        let (index, trait) = (node.rawValue, fact.trait.rawValue)
        let name = { [hierarchy] in hierarchy.identifier(of: node) }
        if fact.layer == .kept,
            hierarchy.parts.nodes.parent(of: index) != 0 || hierarchy.isRootKind(index)
        {
            throw keptRefusal(node)
        }
        if hierarchy.storedValue(index, trait, fact.layer) != nil {
            throw Self.refusal(name(), "it holds a value twice")
        }
        let word = hierarchy.encode(fact.value, hierarchy.parts.traits[trait].coding)
        let value = StoredValue(word: word, revision: fact.revision)
        hierarchy.store(index, trait, fact.layer, value)
        hierarchy.countChange(index, trait, fact.layer, from: nil, to: value)
    }

    private mutating func check(_ fact: StoredFact) throws(OperationError) {
        try checkRevision(fact.revision)
        let definitions = hierarchy.definitions
        guard definitions.definition(at: fact.trait) != nil else {
            throw Self.refusal("trait \(fact.trait)", "it is not defined")
        }
        let isHolder = definitions.hidden.contains(fact.trait)
        if fact.layer == .default || isHolder && fact.layer != .override && fact.layer != .kept {
            throw Self.refusal(definitions[fact.trait].key, "it has no such layer")
        }
        try definitions.validate(fact.value, for: fact.trait)
    }

    /// Limits of the content size category. O(1).
    ///
    /// - Throws: `typeMismatch`, `invalidDefinition`.
    package mutating func setContentSizeLimits(
        _ node: NodeIndex, minimum: String?, maximum: String?, revision: Int64
    ) throws(OperationError) {
        try check(node)
        try checkRevision(revision)
        try hierarchy.restoreLimits(node, minimum, maximum, revision)
    }

    // MARK: - What nodes show

    /// The next frame of a layout hierarchy; frames above come before. Answers its number, from 1
    /// on. O(values).
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`, `invalidDefinition`.
    package mutating func addFrame(_ frame: ShownFrame) throws(OperationError) -> Int {
        let number = frames.count
        guard let layout = hierarchy.layout, frames.indices.contains(frame.above) else {
            throw Self.refusal("frame \(number)", "there is nothing that it could stand on")
        }
        if let node = frame.node { try check(node) }
        if (frame.node == nil) == (frame.deletedNode == nil) {
            throw Self.refusal("frame \(number)", "it needs a node or the name of a deleted one")
        }
        var entries: ContiguousArray<RecordEntry> = []
        for fact in frame.values {
            try check(fact)
            let coding = hierarchy.parts.traits[fact.trait.rawValue].coding
            entries.append(
                RecordEntry(
                    trait: fact.trait.rawValue, layer: fact.layer,
                    word: hierarchy.encode(fact.value, coding), revision: fact.revision))
        }
        entries.sort { ($0.trait, $1.layer) < ($1.trait, $0.layer) }
        let isTwice = zip(entries, entries.dropFirst()).contains {
            $0.trait == $1.trait && $0.layer == $1.layer
        }
        if entries.isEmpty || isTwice {
            throw Self.refusal("frame \(number)", "it needs values, each once")
        }
        hierarchy.transaction.entries = entries
        var gone: UInt64?
        if let name = frame.deletedNode { gone = try serial(ofDeleted: name, layout) }
        let made = hierarchy.makeFrame(
            frame.node?.rawValue ?? 0, frames[frame.above], layout, gone: gone)
        for entry in entries
        where hierarchy.parts.traits.isPooled(entry.trait) {
            // The frame has references of its own.
            hierarchy.parts.pool.release(entry.word)
        }
        frames.append(made)
        return number
    }

    /// Frames of deleted nodes of one name are taken for those of one node: only the name shows.
    private mutating func serial(
        ofDeleted name: String, _ layout: LayoutState
    ) throws(OperationError) -> UInt64 {
        if let known = deleted[name] { return known }
        let bytesMax = hierarchy.limits.identifierBytesMax
        if !IdentifierRules.isWellFormed(name, bytesMax: bytesMax) {
            throw .malformedIdentifier(name)
        }
        let serial = layout.nodes.addGone(name)
        deleted[name] = serial
        return serial
    }

    /// Sets the frame that a node of a layout hierarchy shows, and its marks. Without a call, the node shows
    /// what its trait parent shows, and waits for nothing. O(1) amortised.
    ///
    /// - Throws: `invalidDefinition`.
    package mutating func setShown(
        _ node: NodeIndex, _ state: ShownState
    ) throws(OperationError) {
        try check(node)
        guard let layout = hierarchy.layout, frames.indices.contains(state.frame) else {
            throw Self.refusal(hierarchy.identifier(of: node), "there is no such frame")
        }
        let index = node.rawValue
        shown[Int(index)] = frames[state.frame]
        layout.clock.updates = 2
        let hierarchy = hierarchy
        hierarchy.changingShown(index, layout) {
            if state.marks.contains(.marked) { layout.nodes.mark(index) }
            if state.marks.contains(.outdated) { layout.nodes.setOutdated(index, at: 2) }
        }
        // One tick for what was seen, the one before for what was not.
        layout.nodes.setSeen(index, state.marks.contains(.unseen) ? 1 : 2)
        if !layout.nodes[index].flags.isDisjoint(with: .state) {
            hierarchy.linkMarked(index, layout)
        }
    }

    /// Gives nodes their frames, and releases the restorer's own references.
    func finishLayout(_ layout: LayoutState) throws(OperationError) {
        let hierarchy = hierarchy
        let shown = shown
        layout.clock.updates = max(layout.clock.updates, 2)
        hierarchy.forEachNode { node, _ in
            let index = node.rawValue
            let own = shown[Int(index)]
            if own < 0 { layout.nodes.setSeen(index, 2) }
            let frame = own < 0 ? layout.nodes[hierarchy.parts.nodes.parent(of: index)].shown : own
            hierarchy.retainFrame(frame)
            hierarchy.changingShown(index, layout) { layout.nodes.setShown(index, frame) }
            return .descend
        }
        for frame in frames.dropFirst() { hierarchy.releaseFrame(frame, layout) }
        var waiting = [Bool](repeating: false, count: hierarchy.parts.nodes.slotCount)
        var fault: NodeIndex?
        hierarchy.forEachNode { node, _ in
            let index = node.rawValue
            let isWaiting =
                waiting[Int(hierarchy.parts.nodes.parent(of: index))]
                || hierarchy.isDue(index, layout)
            waiting[Int(index)] = isWaiting
            if isWaiting || hierarchy.showsItsValues(index, layout) { return .descend }
            fault = node
            return .stop
        }
        if let fault {
            throw Self.refusal(
                hierarchy.identifier(of: fault), "it does not show its values, and is not marked")
        }
    }

    // MARK: - What listens

    /// The next registration. O(traits, names, and levels above where nothing was watched before).
    ///
    /// - Throws: what registering throws; `invalidDefinition`.
    package mutating func addRegistration(
        _ identifier: String, node: NodeIndex, traits: TraitSet, colors: [String] = [],
        images: [String] = [], createdRevision: Int64
    ) throws(OperationError) {
        try check(node)
        try check(traits)
        try checkRevision(createdRevision)
        try hierarchy.restoreRegistration(
            identifier, node, traits, colors, images, createdRevision)
    }

    /// The next scope. O(registrations and scopes on the node).
    ///
    /// - Throws: what `setScope` throws; `invalidDefinition`.
    package mutating func addScope(
        _ node: NodeIndex, _ name: String, reads: TraitSet, isStale: Bool, revision: Int64
    ) throws(OperationError) {
        try check(node)
        try check(reads)
        try checkRevision(revision)
        if hierarchy.scope(node, name) != nil {
            throw .duplicateIdentifier(name, takenBy: hierarchy.identifier(of: node))
        }
        try hierarchy.setScope(node, name, reads: reads)
        hierarchy.restoreNewestScope(isStale: isStale, revision: revision)
    }

    private func check(_ traits: TraitSet) throws(OperationError) {
        let definitions = hierarchy.definitions
        for trait in traits where definitions.definition(at: trait) == nil {
            throw Self.refusal("trait \(trait)", "it is not defined")
        }
    }
}

extension Hierarchy {
    fileprivate func restoreLimits(
        _ node: NodeIndex, _ minimum: String?, _ maximum: String?, _ revision: Int64
    ) throws(OperationError) {
        let index = node.rawValue
        if parts.contentLimits[index] != nil {
            throw HierarchyRestorer.refusal(identifier(of: node), "it has limits twice")
        }
        put(
            ContentSizeLimits(
                minimum: try rank(minimum), maximum: try rank(maximum), revision: revision), index)
        if let fact = contentSizeFact(index) { parts.digest.add(fact) }
    }

    fileprivate func restoreRegistration(
        _ identifier: String, _ node: NodeIndex, _ traits: TraitSet, _ colors: [String],
        _ images: [String], _ createdRevision: Int64
    ) throws(OperationError) {
        let made = try register(
            identifier, node: node, traits: traits, colors: colors, images: images)
        parts.digest.remove(registrationFact(made.rawValue))
        parts.registrations.setCreatedRevision(made.rawValue, createdRevision)
        parts.digest.add(registrationFact(made.rawValue))
    }

    fileprivate func restoreNewestScope(isStale: Bool, revision: Int64) {
        let index = parts.scopes.last
        guard var scope = parts.scopes[index] else { return }
        parts.digest.remove(scopeFact(index))
        scope.isStale = isStale
        scope.revision = revision
        parts.scopes.replace(index, scope)
        parts.digest.add(scopeFact(index))
    }
}
