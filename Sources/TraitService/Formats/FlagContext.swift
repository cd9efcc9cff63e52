// The body of a flag evaluation. The protocol lets clients send members that a server does not know, so these are
// ignored everywhere but in the member `traitd`, which is ours.

import HTTPServer
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

/// `{"context":{"targetingKey","traitd":{"under"?,"supplied"?}?,…}}`. Views into the body.
struct FlagContext {
    private let targetingKey: JSONString
    private var under: JSONString?
    private var supplied: JSONValue?
    /// The pointer before the names of the members.
    private var place = "/context/traitd/"

    /// - Throws: errors with a fact `errorCode`.
    init(_ json: JSONValue) throws(SessionError) {
        guard json.kind == .object else {
            throw SessionError.malformed("The body has to be an object", json, at: "")
                .evaluating(.parseError)
        }
        guard let context = json.member("context") else {
            throw SessionError(
                .missingMember, "Send a `context` with a `targetingKey`, the name of a node.",
                pointer: ""
            ).evaluating(.targetingKeyMissing)
        }
        guard context.kind == .object else {
            throw SessionError.malformed("The context has to be an object", context, at: "/context")
                .evaluating(.invalidContext)
        }
        guard let key = context.member("targetingKey") else {
            throw SessionError(
                .missingMember, "The context needs a `targetingKey`, the name of a node.",
                pointer: "/context"
            ).evaluating(.targetingKeyMissing)
        }
        guard let name = key.string else {
            throw SessionError.malformed(
                "The targeting key has to be a string", key, at: "/context/targetingKey"
            ).evaluating(.invalidContext)
        }
        targetingKey = name
        let dotted = Self.dotted(in: context)
        guard let own = context.member("traitd") else {
            place = "/context/traitd."
            try take(dotted)
            return
        }
        if let (name, _) = dotted.first {
            throw SessionError(
                .malformedBody, "Give `traitd` or `traitd.\(name)`, not both.",
                pointer: "/context/traitd.\(name)"
            ).evaluating(.invalidContext)
        }
        guard own.kind == .object else {
            throw SessionError.malformed(
                "The member traitd has to be an object", own, at: "/context/traitd"
            ).evaluating(.invalidContext)
        }
        try take(own.members.map { ($0.key.string, $0.value) })
    }

    /// Attributes such as `traitd.under`, for contexts that have no objects.
    private static func dotted(in context: JSONValue) -> [(name: String, JSONValue)] {
        context.members.compactMap { key, value in
            key.bytes.starts(with: "traitd.".utf8) ? (String(key.string.dropFirst(7)), value) : nil
        }
    }

    private mutating func take(
        _ members: [(name: String, value: JSONValue)]
    ) throws(SessionError) {
        for (name, value) in members {
            let pointer = place + name.pointerToken
            switch name {
            case "under":
                guard let node = value.string else {
                    throw SessionError.malformed(
                        "`under` is the name of a node", value, at: pointer
                    )
                    .evaluating(.invalidContext)
                }
                under = node
            case "supplied":
                guard value.kind == .object else {
                    throw SessionError.malformed(
                        "`supplied` is an object of trait and value", value, at: pointer
                    ).evaluating(.invalidContext)
                }
                supplied = value
            default:
                throw SessionError(
                    .unknownMember,
                    "The member traitd has no '\(name.prefix(140))'. It has under and supplied.",
                    pointer: pointer,
                    didYouMean: Suggestion.nearest(to: name, among: ["under", "supplied"])
                ).evaluating(.invalidContext)
            }
        }
    }

    func target(in session: SessionState) throws(SessionError) -> FlagTarget {
        do throws(SessionError) {
            return try session.flagTarget(targetingKey, under: under, supplied: supplied)
        } catch {
            var error = error
            if let pointer = error.pointer, pointer.hasPrefix("/context/traitd/") {
                error.pointer = place + pointer.dropFirst("/context/traitd/".count)
            }
            throw error.evaluating(.invalidContext)
        }
    }
}
