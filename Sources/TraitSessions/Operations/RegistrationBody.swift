// A registration as a body or an operation describes it.

import JSONCodec
import TraitEngine
import TraitJSON

/// `{"node","traits":[…] or "set","colors":[…]?,"images":[…]?,"label"?,"ttl"?}`; in a document also `asked`
/// and `createdAt`.
package struct RegistrationBody {
    let object: ObjectReader
    /// The member that holds the identifier.
    let identifierPointer: String
    let isDocumented: Bool

    /// - Throws: `malformedBody`, `unknownMember`.
    package init(_ json: JSONValue, isDocumented: Bool = false) throws(SessionError) {
        object = try ObjectReader(
            json, "a registration",
            members: RegistrationSubject.members(
                beside: ["id", "node", "label", "ttl"]
                    + (isDocumented ? ["asked", "createdAt"] : [])))
        identifierPointer = "/id"
        self.isDocumented = isDocumented
    }

    /// The members of an operation, which were checked.
    init(_ object: ObjectReader) {
        self.init(object, identifierPointer: "/registration")
    }

    private init(_ object: ObjectReader, identifierPointer: String) {
        self.object = object
        self.identifierPointer = identifierPointer
        isDocumented = false
    }

    package func identifier() throws(SessionError) -> String? { try object.identifier("id") }

    package func requiredIdentifier() throws(SessionError) -> String {
        try object.requiredIdentifier("id")
    }

    /// Checks the members that need no session.
    package func check() throws(SessionError) {
        _ = try label()
        _ = try ttl()
    }

    /// Seconds for which the registration outlives its last stream; nil for no lease.
    package func ttl() throws(SessionError) -> Int64? { try object.timeToLive() }

    package func label() throws(SessionError) -> String? { try object.string("label") }

    func copied(into arena: OperationArena) -> RegistrationBody {
        RegistrationBody(arena.copy(object), identifierPointer: identifierPointer)
    }
}

extension ObjectReader {
    /// `ttl` of a registration, in seconds; nil when there is none.
    ///
    /// - Throws: `malformedBody` when the time is not from one second to `ttlSecondsMax`.
    func timeToLive() throws(SessionError) -> Int64? {
        guard let ttl = try integer("ttl") else { return nil }
        let most = ServiceLimits().ttlSecondsMax
        if (1...Int64(most)).contains(ttl) { return ttl }
        throw SessionError(
            .malformedBody, "A `ttl` has from 1 to \(most) seconds; it is \(ttl).", pointer: "/ttl"
        )
    }
}
