// The body of a flag evaluation. The protocol lets clients send members that a server does not know, so these are
// ignored everywhere but in the member `traitd`, which is ours.

import HTTPServer
import JSONCodec
import TraitSessions

/// `{"context":{"targetingKey","traitd":{"under"?,"supplied"?}?,…}}`. Views into the body.
struct FlagContext {
    private let targetingKey: JSONString
    private var under: JSONString?
    private var supplied: JSONValue?

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
        guard let own = context.member("traitd") else { return }
        do throws(SessionError) {
            let object = try ObjectReader(own, "the member traitd", members: ["under", "supplied"])
            if let node = object["under"] {
                guard let name = node.string else {
                    throw object.wrongType("under", "the name of a node", node)
                }
                under = name
            }
            supplied = object["supplied"]
            if let supplied, supplied.kind != .object {
                throw object.wrongType("supplied", "an object of trait and value", supplied)
            }
        } catch {
            throw error.prefixed("/context/traitd").evaluating(.invalidContext)
        }
    }

    func target(in session: SessionState) throws(SessionError) -> FlagTarget {
        do throws(SessionError) {
            return try session.flagTarget(targetingKey, under: under, supplied: supplied)
        } catch {
            throw error.evaluating(.invalidContext)
        }
    }
}
