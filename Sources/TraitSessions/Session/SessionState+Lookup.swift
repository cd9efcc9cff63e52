// From names to indices, with the errors that teach.

import JSONCodec
import TraitEngine
import TraitJSON

extension SessionState {
    /// The node of that name.
    package func node(_ identifier: UnsafeRawBufferPointer) throws(SessionError) -> NodeIndex {
        if let node = hierarchy.node(identifier) { return node }
        let name = try Identifier.checked(identifier)
        throw SessionError(
            .unknownNode, "The session '\(self.name)' has no node '\(name)'.",
            hint: .createNode(name))
    }

    package func node(_ reference: Reference) throws(SessionError) -> NodeIndex {
        guard let pointer = reference.pointer else { return try node(reference.bytes) }
        if let node = hierarchy.node(reference.bytes) { return node }
        throw unknownNode(reference.string, .unknownNode).inside(at: pointer.description)
    }

    private func unknownNode(_ given: String, _ code: SessionErrorCode) -> SessionError {
        SessionError(
            code,
            "The session '\(name)' has no node '\(given.prefix(140))'. Nodes are created before they are referred to."
        )
    }

    func trait(_ reference: Reference) throws(SessionError) -> TraitIndex {
        if let trait = hierarchy.trait(named: reference.bytes) { return trait }
        if let pointer = reference.pointer {
            throw unknownTrait(reference.string).inside(at: pointer.description)
        }
        return try trait(reference.bytes)
    }

    func environmentKey(_ reference: Reference) throws(SessionError) -> EnvironmentKey {
        guard let pointer = reference.pointer else {
            return try environmentKey(named: try Identifier.checked(reference.bytes))
        }
        do throws(SessionError) {
            return try environmentKey(named: reference.string)
        } catch {
            throw error.inside(at: pointer.description)
        }
    }

    package func environmentKey(named name: String) throws(SessionError) -> EnvironmentKey {
        if let key = hierarchy.definitions.environmentKey(named: name) { return key }
        let known = hierarchy.definitions.environmentKeys.lazy.map(\.key)
        throw SessionError(
            .unknownEnvironmentKey,
            "The session '\(self.name)' has no environment key '\(name.prefix(140))'.",
            didYouMean: Suggestion.nearest(to: name, among: known), hint: .defineEnvironmentKey)
    }

    package func dynamic(
        _ kind: DynamicKind, _ reference: Reference
    ) throws(SessionError) -> DynamicValue {
        let name = try Identifier.checked(reference.bytes)
        if let value = hierarchy.definitions.dynamic(kind, named: name) { return value }
        let error = unknownDynamic(kind, name)
        throw reference.pointer.map { error.inside(at: $0.description) } ?? error
    }

    /// The colour or image of that name.
    package func dynamic(
        _ kind: DynamicKind, _ name: UnsafeRawBufferPointer
    ) throws(SessionError) -> DynamicValue {
        try dynamic(kind, Reference(name))
    }

    /// The node that a body names: the same problem, but 422.
    package func node(_ json: JSONValue, _ pointer: String) throws(SessionError) -> NodeIndex {
        try node(json, pointer, .unknownNode)
    }

    package func node(
        _ json: JSONValue, _ pointer: String, _ code: SessionErrorCode
    ) throws(SessionError) -> NodeIndex {
        guard let text = json.string else {
            throw .malformed("A node's identifier is a string", json, at: pointer)
        }
        if let node = hierarchy.node(text.bytes) { return node }
        throw unknownNode(text.string, code).inside(at: pointer)
    }

    /// The node that a query parameter names.
    package func node(named name: String, _ parameter: StaticString) throws(SessionError)
        -> NodeIndex
    {
        if let node = hierarchy.node(name) { return node }
        throw SessionError(
            .unknownNode, "The session '\(self.name)' has no node '\(name.prefix(140))'."
        ).with("parameter", parameter.description)
    }

    /// The trait that a query parameter names.
    package func trait(
        named name: String, parameter: StaticString
    ) throws(SessionError) -> TraitIndex {
        do throws(SessionError) {
            return try trait(named: name, nil)
        } catch {
            throw error.with("parameter", parameter.description)
        }
    }

    /// The settable trait that the path names, by key or identifier.
    package func trait(_ name: UnsafeRawBufferPointer) throws(SessionError) -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: name) else {
            let name = String(decoding: name, as: UTF8.self)
            let error = unknownTrait(name)
            // 422 for one of UIKit's that the session was made without.
            throw hierarchy.definitions.absenceNote(of: name).isEmpty
                ? error : error.inside(at: nil)
        }
        return trait
    }

    /// The trait that a body or query names: the same problem, but 422.
    package func trait(named name: String, _ pointer: String?) throws(SessionError) -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: name) else {
            throw unknownTrait(name).inside(at: pointer)
        }
        return trait
    }

    package func unknownTrait(_ name: String) -> SessionError {
        let definitions = hierarchy.definitions
        let known = definitions.settable.lazy.map { definitions[$0].key }
        return SessionError(
            .unknownTrait,
            "There is no trait '\(name.prefix(140))' in the session '\(self.name)'."
                + definitions.absenceNote(of: name),
            didYouMean: Suggestion.nearest(to: name, among: known),
            hint: .listTraits(session: self.name))
    }

    /// The trait that stands for the values of an environment key, where no trait has the name.
    package func followed(_ name: String) -> TraitIndex? {
        let definitions = hierarchy.definitions
        return definitions.index(of: name) == nil ? definitions.followed(named: name) : nil
    }

    package func registration(
        _ identifier: UnsafeRawBufferPointer
    ) throws(SessionError) -> RegistrationIndex {
        if let registration = hierarchy.registration(named: identifier) { return registration }
        let name = try Identifier.checked(identifier)
        throw SessionError(
            .unknownRegistration,
            "The session '\(self.name)' has no registration '\(name)'. It may have gone with its node."
        )
    }

    /// A list of trait names and set names, as in `?traits=a,b` and in bodies.
    ///
    /// - Parameter withKeys: whether names of environment keys count, too.
    package func traitSet(
        names: some Sequence<String>, withKeys: Bool = false, _ pointer: (Int) -> String?
    ) throws(SessionError) -> TraitSet {
        var set = TraitSet()
        for (position, name) in names.enumerated() {
            if let named = hierarchy.definitions.set(named: name) {
                set.formUnion(named)
                continue
            }
            if withKeys, let trait = followed(name) {
                set.insert(trait)
                continue
            }
            let trait = try trait(named: name, pointer(position))
            if hierarchy.definitions[trait].origin == .systemPrivate {
                var error = SessionError(OperationError.privateTrait(name))
                error.pointer = pointer(position)
                throw error
            }
            set.insert(trait)
        }
        return set
    }
}

extension TraitDefinitions {
    /// Why one of UIKit's traits is not there, behind a message; empty for other names.
    func absenceNote(of name: String) -> String {
        !hasSystemTraits && Self.system.index(of: name) != nil
            ? " It is one of UIKit's, and the session's `systemTraits` is false." : ""
    }
}

extension SessionState {
    /// The note of a registration; nil for a watch.
    package func note(of info: RegistrationInfo) -> RegistrationNote? {
        info.identifier.flatMap {
            registrationNotes[RegistrationKey(id: $0, revision: info.createdRevision)]
        }
    }

    /// The registration that a key means; nil when it has ended.
    func registration(_ key: RegistrationKey) -> RegistrationIndex? {
        guard let index = hierarchy.registration(named: key.id),
            hierarchy.registrationInfo(index).createdRevision == key.revision
        else { return nil }
        return index
    }

    func isPresent(_ key: RegistrationKey) -> Bool { registration(key) != nil }
}
