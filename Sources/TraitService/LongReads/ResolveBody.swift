// The body of a request that resolves traits of nodes.

import HTTPServer
import JSONCodec
import Ledger
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// `{"nodes":[…] or "under":…,"traits":[…] or "set":…,"colors":[…] or "all","images":…,"environment":…,
/// "assume":[operations],"changed":true}`.
struct ResolveBody {
    let object: ObjectReader

    init(_ json: JSONValue) throws(SessionError) {
        object = try ObjectReader(
            json, "a request to resolve",
            members: [
                "nodes", "under", "traits", "set", "colors", "images", "environment",
                Assumption.member, "changed",
            ])
        if object.has("nodes"), object.has("under") {
            throw SessionError(
                .malformedBody, "Give `nodes` or `under`, not both.", pointer: "/under")
        }
    }

    /// Whether only nodes are answered whose traits the assumption changes.
    func changed() throws(SessionError) -> Bool {
        guard try object.bool("changed") ?? false else { return false }
        guard object.has("assume") else {
            throw SessionError(
                .malformedBody,
                "`changed` compares with the state that is assumed: name operations in `assume`.",
                pointer: "/changed")
        }
        for member: StaticString in ["colors", "images", "environment"] where object.has(member) {
            throw SessionError(
                .malformedBody,
                "`changed` compares traits. Ask for \(member) of the nodes that it answers, or of all nodes without `changed`.",
                pointer: "/\(member)")
        }
        return true
    }

    /// The named traits; all settable traits when the body names none.
    func traits(in session: SessionState) throws(SessionError) -> TraitSet {
        guard object.has("traits") || object.has("set") else {
            return session.hierarchy.definitions.settable
        }
        let hasDynamics =
            object.has("colors") || object.has("images") || object.has("environment")
        let traits =
            hasDynamics
            ? try TraitList.readPossiblyNone(object, in: session)
            : try TraitList.read(object, in: session)
        return traits.subtracting(TraitDefinitions.privateTraits)
    }

    /// The named environment keys; `"all"` for those of the session.
    func environmentKeys(in session: SessionState) throws(SessionError) -> [EnvironmentKey] {
        guard let json = object["environment"] else { return [] }
        if let text = json.string, text == "all" {
            return session.hierarchy.definitions.environmentKeys
        }
        guard json.kind == .array else {
            throw object.wrongType("environment", "\"all\", or an array of names", json)
        }
        var keys: [EnvironmentKey] = []
        for element in json.elements {
            let pointer = "/environment/\(keys.count)"
            guard let name = element.string else {
                throw SessionError.malformed("A name is a string", element, at: pointer)
            }
            do throws(SessionError) {
                keys.append(try session.environmentKey(named: name.string))
            } catch {
                throw error.inside(at: pointer)
            }
        }
        return keys
    }

    /// The array of names; nil without `nodes`.
    func names() throws(SessionError) -> JSONValue? {
        guard let json = object["nodes"] else { return nil }
        guard json.kind == .array else {
            throw object.wrongType("nodes", "an array of node identifiers", json)
        }
        return json
    }

    func root(in session: SessionState) throws(SessionError) -> NodeIndex {
        guard object.has("under") else {
            throw SessionError(
                .missingMember, "Name the `nodes`, or the node `under` which all are meant.",
                pointer: "")
        }
        return try session.node(try object.required("under"), "/under")
    }
}
