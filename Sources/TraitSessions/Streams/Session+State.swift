// The state that a stream begins with when it is asked for.

import JSONCodec
import TraitEngine

/// The `state` records of a feed and the `sync` that ends them, and how much of it is written.
struct StateText {
    /// Registrations of a session that are looked up together.
    private static let listedAtATime = 256

    private let writer: RecordWriter
    /// Of a feed with members: those that were there at the head when the writing began. The feed
    /// itself loses a member only when the log has taken the commit that ended it.
    private let members: [RegistrationIndex]
    private var count = 0
    /// The registration looked at last, of a session's or a subtree's feed.
    private var last: RegistrationIndex?
    private var pairs = PairSum()

    /// What a cache of the state written so far adds up to.
    var digest: UInt64 { pairs.sum }

    /// Made while the session's lock is held.
    init(_ writer: RecordWriter, of session: Session) {
        self.writer = writer
        members = writer.feed.liveMembers.map(\.index).filter(session.hierarchy.isAlive)
    }

    /// Writes on until the text has `budget` bytes, or `registrationsMax` registrations more. Runs
    /// while the session's lock is held.
    ///
    /// - Returns: whether that is all.
    mutating func write(
        from session: Session, registrationsMax: Int, budget: Int, into json: inout JSONWriter
    ) -> Bool {
        var left = registrationsMax
        while true {
            let next = next(in: session)
            if next.isEmpty { break }
            for registration in next {
                if left == 0 || json.count >= budget { return false }
                if isIncluded(registration, in: session) {
                    session.writeState(of: registration, writer, &pairs, into: &json)
                    count += 1
                }
                last = registration
                position += 1
                left -= 1
            }
        }
        writer.writeSync(at: session.head, count: count, digest: digest, into: &json)
        return true
    }

    /// How many members are written.
    private var position = 0

    /// Whether a registration is in the subtree, if the feed is of one. O(depth).
    private func isIncluded(_ registration: RegistrationIndex, in session: Session) -> Bool {
        guard case .subtree(let root, _) = writer.feed.filter.subject else { return true }
        var next: NodeIndex? = session.hierarchy.registrationInfo(registration).node
        while let node = next {
            if node == root { return true }
            next = session.hierarchy.traitParent(of: node)
        }
        return false
    }

    private func next(in session: Session) -> ArraySlice<RegistrationIndex> {
        if writer.feed.filter.hasCommits {
            return session.hierarchy.registrations(after: last, limit: Self.listedAtATime)[...]
        }
        return members.dropFirst(position)
    }
}

extension Session {
    /// The `state` record of one registration or watch.
    fileprivate func writeState(
        of registration: RegistrationIndex, _ writer: RecordWriter, _ pairs: inout PairSum,
        into json: inout JSONWriter
    ) {
        let definitions = hierarchy.definitions
        let info = hierarchy.registrationInfo(registration)
        var node = hierarchy.identifier(of: info.node)
        writer.writePlain(.state, head, isResumable: false, into: &json) { json in
            if let id = info.identifier {
                json.key("registration")
                json.value(id)
            }
            json.key("node")
            json.value(node)
            json.key("traits")
            json.beginObject()
            let settable = info.traits.subtracting(TraitDefinitions.privateTraits)
            hierarchy.values(of: settable, at: info.node) { trait, value in
                let encoding = encodings.encoding(of: trait, in: definitions)
                json.member(encoding.member)
                let start = json.count
                encoding.write(value, into: &json)
                node.withUTF8 { node in
                    encoding.member.withUnsafeBytes { member in
                        pairs.add(
                            node: UnsafeRawBufferPointer(node),
                            trait: UnsafeRawBufferPointer(
                                rebasing: member[1..<member.count - 2]),
                            UnsafeRawBufferPointer(rebasing: json.bytes[start...]))
                    }
                }
            }
            json.endObject()
            writeDynamics(info, into: &json)
        }
    }

    /// `colors` and `images` of a registration's `state` record, when it names some.
    private func writeDynamics(_ info: RegistrationInfo, into json: inout JSONWriter) {
        let named: [(StaticString, DynamicKind, [String])] = [
            ("colors", .color, info.colors), ("images", .image, info.images),
        ]
        for (member, kind, names) in named where !names.isEmpty {
            json.key(member)
            json.beginObject()
            for name in names {
                guard let value = dynamicValue(kind, name, at: info.node) else { continue }
                json.key(name)
                json.raw(value)
            }
            json.endObject()
        }
    }
}

extension Session {
    /// What a colour or image is at a node, as JSON; nil when it is not defined.
    func dynamicValue(_ kind: DynamicKind, _ name: String, at node: NodeIndex) -> [UInt8]? {
        guard let value = hierarchy.definitions.dynamic(kind, named: name),
            let choice = try? hierarchy.resolveDynamic(kind, name, at: node)
        else { return nil }
        return Array(value.variants[choice.index].value.utf8)
    }
}
