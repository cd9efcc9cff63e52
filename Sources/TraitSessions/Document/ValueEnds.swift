// When overrides of a node end, in a document: `"expiresAt":{"TRAIT":"2027-01-31T08:00:00Z"}` beside `overrides`. A
// document may be older than these times. An import reads them as they are, and the server ends what is over. An apply
// and a new session leave out the overrides that are over.

import JSONCodec
import TraitEngine

/// The member `expiresAt` of a node.
struct ValueEnds {
    /// The names of traits, as the document has them, with the times in milliseconds since 1970.
    let times: [(name: String, time: Int64)]

    /// - Parameter overrides: the member `overrides` of the node.
    /// - Throws: `malformedBody` for anything but an object of trait and time, `missingMember` for a trait that the node
    ///   does not override.
    init(_ json: JSONValue, overrides: JSONValue?) throws(SessionError) {
        guard json.kind == .object else {
            throw .wrongType("expiresAt", "an object of trait and time", json)
        }
        var times: [(name: String, time: Int64)] = []
        for (key, time) in json.members {
            let pointer = "/expiresAt/" + key.string.pointerToken
            guard overrides?.member(key.bytes) != nil else {
                throw SessionError(
                    .missingMember,
                    "The node has no override of '\(key.string.prefix(140))' that could end. Name the trait in `overrides` as in `expiresAt`.",
                    pointer: pointer)
            }
            times.append((key.string, try ValueEnd.time(time, at: pointer)))
        }
        self.times = times
    }
}

extension DocumentReader {
    /// Reads when overrides of a node end.
    mutating func readEnds(
        _ json: JSONValue, of node: JSONValue, _ index: NodeIndex
    ) throws(SessionError) {
        let ends = try ValueEnds(json, overrides: node.member("overrides"))
        for (name, time) in ends.times {
            expiries.append(Expiry(node: index, trait: try trait(name), time: time))
        }
    }
}

extension Transaction {
    /// Has overrides end that a node of a new session comes with, and removes those that are over.
    ///
    /// - Parameter id: the name of the node, which was created.
    mutating func setEnds(
        _ json: JSONValue, of node: JSONValue, _ id: UnsafeRawBufferPointer
    ) throws(SessionError) {
        let ends = try ValueEnds(json, overrides: node.member("overrides"))
        guard let index = hierarchy.node(id) else { return }
        for (name, time) in ends.times {
            let trait = try session.trait(named: name, "/expiresAt/" + name.pointerToken)
            guard let value = hierarchy.override(trait, of: index) else { continue }
            if time <= session.environment.now() {
                remove(.overrides, index, trait)
            } else {
                try set(.overrides, index, trait, value, expiresAt: time)
            }
        }
    }
}
