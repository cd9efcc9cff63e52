// The registrations and watches that a client asks a stream for, in a body or a query.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// A node and traits, by the names that a client gave.
struct AskedWatch {
    let node: String
    let traits: [String]
    /// Where the watch stands in the body; nil for a watch of a query.
    var pointer: String?
}

/// `{"watches":[{"node","traits"}…]?,"registrations":[…]?}`, copied out of the request.
struct StreamMembersBody {
    /// How many traits one watch may name.
    private static let traitsOfWatch = 1_000

    private(set) var registrations: [String] = []
    private(set) var watches: [AskedWatch] = []

    init(registrations: [String], watches: [AskedWatch]) {
        self.registrations = registrations
        self.watches = watches
    }

    /// The subject of the stream.
    func subject(in session: SessionState) throws(SessionError) -> StreamSubject {
        .members(registrations, try session.watches(watches))
    }

    /// - Throws: `malformedBody`, `unknownMember`, and the limit for more than `most` of either.
    init(_ json: JSONValue, most: Int) throws(SessionError) {
        let object = try ObjectReader(json, "a stream", members: ["watches", "registrations"])
        if let list = object["registrations"] {
            registrations = try Self.names(list, "/registrations", most, Self.tooMany(most))
        }
        if let list = object["watches"] {
            guard list.kind == .array else {
                throw object.wrongType("watches", "an array of watches", list)
            }
            if list.count > most { throw Self.tooMany(most) }
            for watch in list.elements {
                let pointer = "/watches/\(watches.count)"
                let member: ObjectReader
                let given: String?
                do throws(SessionError) {
                    member = try ObjectReader(watch, "a watch", members: ["node", "traits"])
                    given = try member.string("node")
                } catch {
                    throw error.prefixed(pointer)
                }
                guard let node = given, let traits = member["traits"] else {
                    throw SessionError(
                        .missingMember, "A watch has a `node` and `traits`.", pointer: pointer)
                }
                let names = try Self.names(
                    traits, pointer + "/traits", Self.traitsOfWatch,
                    SessionError(
                        .malformedBody, "A watch names at most \(Self.traitsOfWatch) traits.",
                        pointer: pointer + "/traits"))
                watches.append(AskedWatch(node: node, traits: names, pointer: pointer))
            }
        }
        if registrations.isEmpty, watches.isEmpty {
            throw SessionError(
                .missingMember,
                "Name `watches` or `registrations`; GET …/events streams the whole session.",
                pointer: "")
        }
    }

    /// - Parameters:
    ///   - most: how many names the array may have.
    ///   - tooMany: the error for more.
    private static func names(
        _ list: JSONValue, _ pointer: String, _ most: Int,
        _ tooMany: @autoclosure () -> SessionError
    ) throws(SessionError) -> [String] {
        guard list.kind == .array else {
            throw SessionError.malformed("It has to be an array of names", list, at: pointer)
        }
        if list.count > most { throw tooMany() }
        var names: [String] = []
        for element in list.elements {
            guard let name = element.string?.string else {
                throw SessionError.malformed(
                    "A name is a string", element, at: "\(pointer)/\(names.count)")
            }
            names.append(name)
        }
        return names
    }

    private static func tooMany(_ most: Int) -> SessionError {
        SessionError.limit(
            .malformedParameter,
            "A stream names at most streamRegistrationsMax=\(most) registrations and watches.",
            name: "streamRegistrationsMax", value: most)
    }
}

extension SessionState {
    /// The nodes and traits of watches.
    func watches(
        _ asked: [AskedWatch]
    ) throws(SessionError) -> [(node: NodeIndex, traits: TraitSet)] {
        var found: [(node: NodeIndex, traits: TraitSet)] = []
        for watch in asked {
            guard let pointer = watch.pointer else {
                let node = try node(named: watch.node, "watch")
                found.append((node, try traits(.names(watch.traits), withKeys: true)))
                continue
            }
            guard let node = hierarchy.node(watch.node) else {
                throw SessionError(
                    .unknownNode, "The session '\(name)' has no node '\(watch.node.prefix(140))'."
                ).inside(at: pointer + "/node")
            }
            do throws(SessionError) {
                found.append((node, try traits(.names(watch.traits), withKeys: true)))
            } catch {
                throw error.inside(at: pointer + "/traits")
            }
        }
        return found
    }
}
