// Definitions and registrations.

import TraitEngine
import TraitJSON

extension Transaction {
    package mutating func defineTrait(_ definition: TraitDefinition) throws(SessionError) {
        let hierarchy = hierarchy
        let isKnown = hierarchy.definitions.index(of: definition.key) != nil
        _ = try refusing { () throws(OperationError) in try hierarchy.defineTrait(definition) }
        if !isKnown { manage(ManagedPlace(.trait, definition.key), isSame: false) }
        needs(format: definition.neededFormat)
        definitionsChange()
        record(.defineTrait)
        text.json.member("trait", definition.key)
        text.json.key("definition")
        DefinitionWriter.write(definition, into: &text.json)
        text.json.endObject()
    }

    /// Deletes the definition of that name, which is there.
    package mutating func delete(_ kind: DefinitionKind, _ name: String) throws(SessionError) {
        let hierarchy = hierarchy
        try checkSearching()
        try refusing { () throws(OperationError) in
            switch kind {
            case .trait:
                if let trait = hierarchy.definitions.index(of: name) {
                    try hierarchy.deleteTrait(trait)
                }
            case .environmentKey: try hierarchy.deleteEnvironmentKey(name)
            case .color: try hierarchy.deleteDynamic(.color, name)
            case .image: try hierarchy.deleteDynamic(.image, name)
            }
        }
        disown(ManagedPlace(kind.managed, name))
        if kind == .trait || kind == .environmentKey { definitionsChange() }
        record(kind.operations.delete)
        text.json.member(kind.member, name)
        text.json.endObject()
    }

    /// Drops the prepared encodings, which are stored by trait index and stale now.
    mutating func definitionsChange() {
        changesDefinitions = true
        session.encodings.reset()
    }

    /// - Parameters:
    ///   - label: the client's description of the registration, for people.
    ///   - ttl: seconds for which the registration outlives its last stream; nil for no lease.
    package mutating func register(
        _ identifier: String, node: NodeIndex, for subject: RegistrationSubject, label: String?,
        ttl: Int64?
    ) throws(SessionError) {
        let hierarchy = hierarchy
        _ = try refusing { () throws(OperationError) in
            try hierarchy.register(
                identifier, node: node, traits: subject.traits, colors: subject.colors,
                images: subject.images)
        }
        let key = RegistrationKey(id: identifier, revision: revision)
        session.registrationNotes[key] = RegistrationNote(
            label: label, createdAt: time, asked: subject.asked, ttl: ttl)
        manage(ManagedPlace(node, .registration, identifier), isSame: false)
        registered.append(key)
        record(.register)
        text.json.member("registration", identifier)
        write("node", node: node)
        subject.write(of: hierarchy.definitions, asAsked: true, into: &text.json)
        text.json.member("label", ifPresent: label)
        text.json.member("ttl", ifPresent: ttl)
        text.json.endObject()
    }

    package mutating func unregister(_ registration: RegistrationIndex) {
        let info = hierarchy.registrationInfo(registration)
        record(.unregister)
        text.json.member("registration", info.identifier ?? "")
        text.json.endObject()
        disown(ManagedPlace(info.node, .registration, info.identifier ?? ""))
        hierarchy.unregister(registration)
    }
}
