// Registrations that name colours or images: beside each a hidden registration watches every trait
// that can make a difference. The registration is notified when a colour or image has another
// value.

extension Hierarchy {
    /// Registers for changes of traits, and of the values that colours and images have at the
    /// node. Any of the lists may be empty. O(traits, names and their variants).
    ///
    /// - Throws: what registering for traits throws, and `unknownDynamic`.
    public func register(
        _ identifier: String, node: NodeIndex, traits: TraitSet, colors: [String],
        images: [String]
    ) throws(OperationError) -> RegistrationIndex {
        precondition(isInTransaction, "outside of a transaction")
        if colors.isEmpty, images.isEmpty {
            return try register(identifier, node: node, traits: traits)
        }
        let imageTraits = try dependencies(.image, images)
        let dependsOn = try dependencies(.color, colors).union(imageTraits)
        let ask = DynamicSubjects(
            colors: Self.distinct(colors), images: Self.distinct(images), dependsOn: dependsOn,
            deviceTraits: imageTraits.intersection(ImageChoice.fromDevice))
        return try identifier.withBytes { (bytes) throws(OperationError) in
            try register(bytes, node, traits, ask)
        }
    }

    private func register(
        _ identifier: UnsafeRawBufferPointer, _ node: NodeIndex, _ traits: TraitSet,
        _ ask: DynamicSubjects
    ) throws(OperationError) -> RegistrationIndex {
        try checkRegistrationName(identifier)
        if !traits.isEmpty { try checkWatched(traits) }
        try checkRegistrationCount()
        let slot = parts.dynamics.insert(ask)
        let index = addNamed(
            identifier, node.rawValue, traits, .namedDynamic(slot))
        addDynamicsRegistration(index)
        return RegistrationIndex(rawValue: index)
    }

    private func dependencies(
        _ kind: DynamicKind, _ names: [String]
    ) throws(OperationError) -> TraitSet {
        var all = TraitSet()
        for name in names {
            guard let value = definitions.named[kind][name] else {
                throw .unknownDynamic(kind, name)
            }
            all.formUnion(value.dependsOn)
        }
        return all
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    // MARK: - Listening

    func addDynamicsRegistration(_ index: Int32) {
        let registration = parts.registrations[index]
        guard let ask = parts.dynamics[registration.dynamics] else { return }
        let hidden = addHidden(registration.node, ask.dependsOn, .dynamics(index))
        parts.dynamics.arm(registration.dynamics, hidden: hidden)
    }

    func endDynamicsRegistration(_ index: Int32) {
        let hidden = parts.dynamics.disarm(parts.registrations[index].dynamics)
        if hidden >= 0 { discard(hidden) }
    }

    // MARK: - Notifying

    /// The changes of colours and images for the noted hidden registrations, by the registration
    /// that is notified of them. Each of these has a note afterwards.
    func noteDynamics() -> [Int32: [DynamicChange]] {
        var dynamics: [Int32: [DynamicChange]] = [:]
        var noted: Set<Int32>?
        for note in notifying.hidden {
            guard case .dynamics(let owner) = parts.registrations[note.registration].role
            else {
                continue
            }
            let changes = dynamicChanges(parts.registrations[owner].dynamics, note)
            if changes.isEmpty { continue }
            dynamics[owner] = changes
            if noted == nil { noted = Set(notifying.notes.view.map(\.registration)) }
            if noted?.contains(owner) == true { continue }
            let level = note.key & ~((1 << 48) - 1)
            notifying.notes.append(
                Note(
                    key: level | parts.registrations[owner].order, registration: owner,
                    node: note.node, selection: 0, frame: 0))
        }
        return dynamics
    }

    private func dynamicChanges(_ slot: Int32, _ note: Note) -> [DynamicChange] {
        if let layout, let before = notifying.framesBefore[note.registration] {
            return dynamicChanges(
                slot, note.node, from: before, to: layout.nodes[note.node].shown, layout)
        }
        var old: [TraitIndex: TraitValue] = [:]
        for change in selected(note) {
            let trait = TraitIndex(rawValue: change.trait)
            old[trait] = presentValue(from: change.old, of: change.trait)
        }
        let node = NodeIndex(rawValue: note.node)
        let usesDevice = parts.dynamics[slot]?.deviceTraits.isEmpty == false
        return dynamicChanges(
            slot,
            from: { trait, kind in
                usesDevice && kind == .image && ImageChoice.fromDevice.contains(trait)
                    ? self.value(
                        from: self.imageWordBefore(trait.rawValue, note.node), of: trait)
                    : old[trait] ?? self.value(of: trait, at: node)
            },
            to: { trait, kind in
                kind == .image
                    ? self.imageValue(trait, note.node) : self.value(of: trait, at: node)
            })
    }

    private func dynamicChanges(
        _ slot: Int32, from old: (TraitIndex, DynamicKind) -> TraitValue,
        to new: (TraitIndex, DynamicKind) -> TraitValue
    ) -> [DynamicChange] {
        guard let ask = parts.dynamics[slot] else { return [] }
        return ask.names.compactMap { name in
            guard let value = definitions.named[name.kind][name.name] else { return nil }
            let previous = value.variants[value.choose { old($0, name.kind) }]
            let current = value.variants[value.choose { new($0, name.kind) }]
            if previous.hasSameValue(as: current) { return nil }
            return DynamicChange(
                kind: name.kind, name: name.name, previous: previous.value, current: current.value)
        }
    }

    /// Whether the colours and images of a registration may have another value when these traits
    /// changed at its node; `slot` is -1 for a registration without any.
    func mayChange(_ slot: Int32, _ changed: TraitSet) -> Bool {
        guard slot >= 0, let subjects = parts.dynamics[slot] else { return false }
        return subjects.dependsOn.intersects(changed) || !subjects.deviceTraits.isEmpty
    }

    /// The colours and images in a slot that have another value after a layout node took another frame.
    func dynamicChanges(
        _ slot: Int32, _ node: Int32, from old: Int32, to new: Int32, _ layout: LayoutState
    ) -> [DynamicChange] {
        func value(_ trait: TraitIndex, _ kind: DynamicKind, in frame: Int32) -> TraitValue {
            let word =
                kind == .image
                ? imageWord(trait.rawValue, inFrame: frame, node, layout)
                : frameWord(trait.rawValue, frame)
            return self.value(from: word, of: trait)
        }
        return dynamicChanges(
            slot,
            from: { trait, kind in
                transaction.lists.redefined[trait.rawValue] != nil
                    && locate(trait.rawValue, inFrame: old) < 0
                    ? presentValue(from: defaultBefore(trait.rawValue), of: trait.rawValue)
                    : value(trait, kind, in: old)
            }, to: { value($0, $1, in: new) })
    }

    /// A notification with changes of colours or images has a frame to itself, so that those with
    /// equal frames and selections still carry equal changes.
    func addOwnFrame(_ note: Note, _ report: inout CommitReport) {
        let frame = notifying.frames[Int(note.frame)]
        let changes = frame.count == 0 ? [] : selected(note)
        let number = Int32(truncatingIfNeeded: report.frames.count)
        report.frames.append(materialize(changes))
        var selection = Frame(start: 0, count: Int32(changes.count), fold: 0).allLive
        if changes.count > 64 {
            selection = UInt64(notifying.wideSelections.count)
            notifying.wideSelections.append(Int32(changes.count))
            notifying.wideSelections.append(contentsOf: 0..<Int32(changes.count))
        }
        report.notifications.append(
            Notification(
                registration: RegistrationIndex(rawValue: note.registration),
                node: NodeIndex(rawValue: note.node), frame: number, selection: selection))
    }
}
