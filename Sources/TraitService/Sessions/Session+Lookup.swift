// From names to indices, with the errors that teach. All of it runs while the lock is held.

import JSONCodec
import TraitEngine

extension Session {
    /// The node that the path names.
    func node(_ identifier: UnsafeRawBufferPointer) throws(Problem) -> NodeIndex {
        if let node = hierarchy.node(identifier) { return node }
        let name = try Identifier.checked(identifier)
        throw Problem(
            .unknownNode,
            "The session '\(self.name)' has no node '\(name)'. PUT …/nodes/\(name) creates it.")
    }

    /// The node that a body names: the same problem, but 422.
    func node(_ json: JSONValue, _ pointer: String) throws(Problem) -> NodeIndex {
        try node(json, pointer, .unknownNode)
    }

    func node(
        _ json: JSONValue, _ pointer: String, _ code: ProblemCode
    ) throws(Problem) -> NodeIndex {
        guard let text = json.string else {
            throw Problem(
                .malformedBody, "A node's identifier is a string; it is \(json.summary).",
                pointer: pointer)
        }
        if let node = hierarchy.node(text.bytes) { return node }
        throw Problem(
            code,
            "The session '\(name)' has no node '\(text.string.prefix(140))'. Nodes are created before they are referred to."
        ).inside(at: pointer)
    }

    /// The node that a query parameter names.
    func node(named name: String, _ parameter: String) throws(Problem) -> NodeIndex {
        if let node = hierarchy.node(name) { return node }
        throw Problem(
            .unknownNode, "The session '\(self.name)' has no node '\(name.prefix(140))'."
        ).with("parameter", parameter)
    }

    /// The settable trait that the path names, by key or identifier.
    func trait(_ name: UnsafeRawBufferPointer) throws(Problem) -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: name) else {
            throw unknownTrait(String(decoding: name, as: UTF8.self))
        }
        return trait
    }

    /// The trait that a body or query names: the same problem, but 422.
    func trait(named name: String, _ pointer: String?) throws(Problem) -> TraitIndex {
        guard let trait = hierarchy.definitions.index(of: name) else {
            throw unknownTrait(name).inside(at: pointer)
        }
        return trait
    }

    func unknownTrait(_ name: String) -> Problem {
        let definitions = hierarchy.definitions
        let known = definitions.settable.map { definitions[$0].key }
        return Problem(
            .unknownTrait,
            "There is no trait '\(name.prefix(140))' in the session '\(self.name)'. GET /v1/sessions/\(self.name)/traits lists them; PUT defines one.",
            didYouMean: Suggestion.nearest(to: name, among: known))
    }

    func registration(
        _ identifier: UnsafeRawBufferPointer
    ) throws(Problem) -> RegistrationIndex {
        if let registration = hierarchy.registration(named: identifier) { return registration }
        let name = try Identifier.checked(identifier)
        throw Problem(
            .unknownRegistration,
            "The session '\(self.name)' has no registration '\(name)'. It may have gone with its node."
        )
    }

    /// A list of trait names and set names, as in `?traits=a,b` and in bodies.
    func traitSet(
        names: some Sequence<String>, _ pointer: (Int) -> String?
    ) throws(Problem) -> TraitSet {
        var set = TraitSet()
        for (position, name) in names.enumerated() {
            if let named = hierarchy.definitions.set(named: name) {
                set.formUnion(named)
                continue
            }
            let trait = try trait(named: name, pointer(position))
            if hierarchy.definitions[trait].origin == .systemPrivate {
                var problem = Problem(OperationError.privateTrait(name))
                problem.pointer = pointer(position)
                throw problem
            }
            set.insert(trait)
        }
        return set
    }
}

/// The rule for identifiers, for the moment in which one is not found.
enum Identifier {
    /// The identifier as text.
    /// - Throws: `malformedIdentifier` when no identifier can look like this.
    static func checked(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isValid(bytes) else { throw .malformedIdentifier(text) }
        return text
    }

    static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isValid(UnsafeRawBufferPointer($0)) }
    }

    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard (1...128).contains(bytes.count) else { return false }
        if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }), bytes.count <= 2 { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
