// Other names for nodes and custom traits.

import TraitEngine
import TraitJSON

extension Transaction {
    /// Gives a node another name. Managers of the node and of its values stay.
    package mutating func rename(_ node: NodeIndex, to name: Reference) throws(SessionError) {
        let hierarchy = hierarchy
        try checkRenaming(node)
        let former = hierarchy.identifier(of: node)
        if name.bytes.elementsEqual(former.utf8) { return }
        do throws(SessionError) {
            try keepingManagers(of: session.annotations.managers.places(at: node)) {
                () throws(SessionError) in
                try keepingEnds(session.annotations.expiries.ends(at: node)) {
                    () throws(SessionError) in
                    try refusing { () throws(OperationError) in
                        try hierarchy.renameNode(node, to: name.bytes)
                    }
                }
            }
        } catch {
            let error = error.at((name.pointer ?? "/to").description)
            throw error.code == .exists ? error.with(names: [name.string]) : error
        }
        session.streams.renames.append(
            RenameNote(
                node: node, below: hierarchy.parent(of: node), from: former, to: name.string))
        needs(format: 2)
        record(.renameNode)
        text.json.member("node", former)
        text.json.member("to", bytes: name.bytes)
        text.json.endObject()
    }

    /// Gives a custom trait another key. The managers of its values and of the definition stay.
    package mutating func rename(_ trait: TraitIndex, to key: Reference) throws(SessionError) {
        try checkSearching()
        let hierarchy = hierarchy
        let former = hierarchy.definitions[trait].key
        let name = key.string
        if key.bytes.elementsEqual(former.utf8) { return }
        let definition = session.annotations.managers.manager(of: ManagedPlace(.trait, former))
        do throws(SessionError) {
            hierarchy.noteMeasured(
                session.annotations.managers.count + session.annotations.expiries.count)
            let places = session.annotations.managers.places(of: trait)
            try keepingManagers(of: places) { () throws(SessionError) in
                try keepingEnds(session.annotations.expiries.ends(of: trait)) {
                    () throws(SessionError) in
                    try refusing { () throws(OperationError) in
                        try hierarchy.renameTrait(trait, to: name)
                    }
                }
            }
        } catch {
            throw error.at((key.pointer ?? "/to").description)
        }
        if let definition {
            session.annotations.setManager(ManagedPlace(.trait, former), nil, in: hierarchy)
            session.annotations.setManager(ManagedPlace(.trait, name), definition, in: hierarchy)
        }
        session.streams.renames.append(RenameNote(trait: trait, from: former, to: name))
        definitionsChange()
        needs(format: 2)
        record(.renameTrait)
        text.json.member("trait", former)
        text.json.member("to", name)
        text.json.endObject()
    }

    /// Changes names that the facts of managed places contain. The places have no manager while `body` runs.
    private func keepingManagers(
        of places: [(place: ManagedPlace, manager: String)], _ body: () throws(SessionError) -> Void
    ) throws(SessionError) {
        for (place, _) in places { session.annotations.setManager(place, nil, in: hierarchy) }
        try body()
        for (place, manager) in places {
            session.annotations.setManager(place, manager, in: hierarchy)
        }
    }
}

extension ManagerTable {
    /// The managed values of a trait, in no order. O(table).
    func places(of trait: TraitIndex) -> [(place: ManagedPlace, manager: String)] {
        entries.values.flatMap { places in
            places.filter { $0.key.valueLayer != nil && $0.key.trait == trait }
                .map { ($0.key, names[Int($0.value)]) }
        }
    }
}

extension SessionState {
    /// The custom trait that an operation names.
    ///
    /// - Throws: `unknownTrait`, `systemTrait`.
    func customTrait(_ name: Reference) throws(SessionError) -> TraitIndex {
        let trait = try trait(name)
        let definition = hierarchy.definitions[trait]
        if definition.isSystem { throw SessionError(OperationError.systemTrait(definition.key)) }
        return trait
    }

    /// Builds what present registrations asked for again, after traits got other keys or the keys that they had before.
    /// Where an undo brings registrations back, it calls this again. O(registrations).
    ///
    /// - Parameter counts: whether the notes' digest follows; an undo restores it by itself.
    func refreshAsked(counts: Bool) {
        for (key, note) in registrationNotes.all {
            // The traits of a registration that has ended or was undone may be gone, too.
            guard let asked = note.asked, isPresent(key) else { continue }
            let fresh = RegistrationNote(
                label: note.label, createdAt: note.createdAt,
                asked: AskedTraits(
                    sets: asked.sets, others: asked.others, in: hierarchy.definitions),
                ttl: note.ttl)
            registrationNotes[key] = fresh
            if counts {
                registrationNotes.digest.remove(note.digest(of: key))
                registrationNotes.digest.add(fresh.digest(of: key))
            }
        }
    }
}
