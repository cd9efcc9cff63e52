// The registrations and watches that a stream is asked for, in a body or a query.

import JSONCodec
import TraitEngine
import TraitSessions

/// A node and traits, by the names that a client gave.
struct AskedWatch {
    let node: String
    let traits: [String]
    /// Of a body.
    var pointer: String?
}

/// `{"watches":[{"node","traits"}…]?,"registrations":[…]?}`, copied out of the request.
struct StreamMembersBody {
    private(set) var registrations: [String] = []
    private(set) var watches: [AskedWatch] = []

    /// - Throws: `malformedBody`, `unknownMember`, and the limit for more than `most` of either.
    init(_ json: JSONValue, most: Int) throws(SessionError) {
        let object = try ObjectReader(json, "a stream", members: ["watches", "registrations"])
        if let list = object["registrations"] {
            registrations = try Self.names(list, "/registrations", most)
        }
        if let list = object["watches"] {
            guard list.kind == .array else {
                throw object.wrongType("watches", "an array of watches", list)
            }
            try Self.check(list.count, most)
            for watch in list.elements {
                let pointer = "/watches/\(watches.count)"
                let member: ObjectReader
                do throws(SessionError) {
                    member = try ObjectReader(watch, "a watch", members: ["node", "traits"])
                } catch {
                    throw error.inside(at: pointer)
                }
                guard let node = try member.string("node"), let traits = member["traits"] else {
                    throw SessionError(
                        .missingMember, "A watch has a `node` and `traits`.", pointer: pointer)
                }
                watches.append(
                    AskedWatch(
                        node: node, traits: try Self.names(traits, pointer + "/traits", 1_000),
                        pointer: pointer))
            }
        }
        if registrations.isEmpty, watches.isEmpty {
            throw SessionError(
                .missingMember,
                "Name `watches` or `registrations`; GET …/events streams the whole session.",
                pointer: "")
        }
    }

    private static func names(
        _ list: JSONValue, _ pointer: String, _ most: Int
    ) throws(SessionError) -> [String] {
        guard list.kind == .array else {
            throw SessionError(
                .malformedBody, "It has to be an array of names; it is \(list.summary).",
                pointer: pointer)
        }
        try check(list.count, most)
        var names: [String] = []
        for element in list.elements {
            guard let name = element.string?.string else {
                throw SessionError(
                    .malformedBody, "A name is a string; it is \(element.summary).",
                    pointer: "\(pointer)/\(names.count)")
            }
            names.append(name)
        }
        return names
    }

    private static func check(_ count: Int, _ most: Int) throws(SessionError) {
        if count <= most { return }
        throw .limit(
            .malformedParameter,
            "A stream names at most streamRegistrationsMax=\(most) registrations and watches.",
            name: "streamRegistrationsMax", value: most)
    }
}

extension Session {
    /// Runs while the lock is held.
    func watches(
        _ asked: [AskedWatch]
    ) throws(SessionError) -> [(node: NodeIndex, traits: TraitSet)] {
        var found: [(node: NodeIndex, traits: TraitSet)] = []
        for watch in asked {
            guard let pointer = watch.pointer else {
                let node = try node(named: watch.node, "watch")
                found.append((node, try traits(.names(watch.traits))))
                continue
            }
            guard let node = hierarchy.node(watch.node) else {
                throw SessionError(
                    .unknownNode, "The session '\(name)' has no node '\(watch.node.prefix(140))'."
                ).inside(at: pointer + "/node")
            }
            do throws(SessionError) {
                found.append((node, try traits(.names(watch.traits))))
            } catch {
                throw error.inside(at: pointer + "/traits")
            }
        }
        return found
    }
}
