// When overrides of a node end, in a document: `"expiresAt":{"TRAIT":"2027-01-31T08:00:00Z"}` beside `overrides`. A
// document may be older than these times. An import reads them as they are, and the server ends what is over. An apply
// and a new session leave out the overrides that are over.

import JSONCodec
import TraitEngine
import TraitJSON

/// The member `expiresAt` of a node.
package struct ValueEnds {
    /// The names of traits, as the document has them, with the times in milliseconds since 1970.
    package let times: [(name: String, time: Int64)]

    /// - Parameter overrides: the member `overrides` of the node.
    /// - Throws: `malformedBody` for anything but an object of trait and time, `missingMember` for a trait that the node
    ///   does not override.
    package init(_ json: JSONValue, overrides: JSONValue?) throws(SessionError) {
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

/// The member `under` of a node: the values that its temporary overrides cover.
package struct CoveredMembers {
    package struct Member {
        /// The name of the trait, as the document has it.
        package let name: String
        package let value: JSONValue
        /// Milliseconds since 1970.
        package let end: Int64?
        package var pointer: String { "/under/" + name.pointerToken }
    }

    package let members: [Member]

    /// - Parameter ends: the member `expiresAt` of the node.
    /// - Throws: `malformedBody` for anything but an object of trait and value, `missingMember` for a trait whose override
    ///   does not end.
    package init(_ json: JSONValue, ends: JSONValue?) throws(SessionError) {
        guard json.kind == .object else {
            throw .wrongType("under", "an object of trait and value", json)
        }
        var members: [Member] = []
        for (key, element) in json.members {
            let pointer = "/under/" + key.string.pointerToken
            guard ends?.member(key.bytes) != nil else {
                throw SessionError(
                    .missingMember,
                    "The node has no override of '\(key.string.prefix(140))' that ends, so none lies over this value. Name the trait in `expiresAt` as in `under`.",
                    pointer: pointer)
            }
            let object = try within(
                pointer, try ObjectReader(element, "a value", members: ["value", "expiresAt"]))
            let end = try object["expiresAt"].map { json throws(SessionError) in
                try ValueEnd.time(json, at: pointer + "/expiresAt")
            }
            let value = try within(pointer, try object.required("value"))
            members.append(Member(name: key.string, value: value, end: end))
        }
        self.members = members
    }
}

extension DocumentReader {
    /// Reads the values that overrides of a node cover.
    mutating func readCovered(
        _ json: JSONValue, of node: JSONValue, _ index: NodeIndex
    ) throws(SessionError) {
        for member in try CoveredMembers(json, ends: node.member("expiresAt")).members {
            let (trait, definition) = try holder(member.name, isEnvironment: false)
            let value = try within(
                member.pointer + "/value", try ValueReader.read(member.value, for: definition))
            covered.append(
                CoveredPlace(
                    node: index, trait: trait, value: CoveredValue(value: value, end: member.end)))
        }
    }

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
        let under = try node.member("under").map { under throws(SessionError) in
            try CoveredMembers(under, ends: json)
        }
        let now = session.environment.now()
        guard let index = hierarchy.node(id) else { return }
        for (name, time) in ends.times {
            let trait = try session.trait(named: name, "/expiresAt/" + name.pointerToken)
            guard let value = hierarchy.override(trait, of: index) else { continue }
            let below = under?.members.first {
                $0.name == name && ($0.end.map { $0 > now } ?? true)
            }
            if let below {
                try within(
                    below.pointer + "/value",
                    try set(.overrides, index, trait, json: below.value, expiresAt: below.end))
            }
            if time > now {
                try set(
                    .overrides, index, trait, value, expiresAt: time,
                    below == nil ? .usual : .over)
            } else if below == nil {
                remove(.overrides, index, trait)
            }
        }
    }
}
