// The text of a state: the present values of all registrations and watches of a feed.

import JSONCodec
import TraitEngine

/// Writes the `state` records of a feed and the `sync` record that ends them, in as many calls as
/// needed.
struct StateText {
    /// How many registrations of a session are listed at a time.
    private static let listedAtATime = 256

    private let writer: RecordWriter
    /// For a feed with members: the members at the head when the writing began. The feed itself
    /// loses a member only when the log has acknowledged the commit that ended it.
    private let members: [RegistrationIndex]
    /// How many `state` records are written.
    private var count = 0
    /// The last registration that was visited, for the feed of a session or subtree.
    private var last: RegistrationIndex?
    private var pairs = PairSum()

    /// The digest of a cache with the state written so far.
    var digest: UInt64 { pairs.sum }

    /// Made while the session's lock is held.
    init(_ writer: RecordWriter, of session: Session) {
        self.writer = writer
        members = writer.feed.liveMembers.map(\.index).filter(session.hierarchy.isAlive)
    }

    /// Writes the next records, until the text has `budget` bytes or `registrationsMax`
    /// registrations were visited. Runs while the session's lock is held.
    ///
    /// - Returns: whether the state is complete.
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

    /// How many registrations were visited.
    private var position = 0

    /// Whether a registration is in the feed's subtree; true for other feeds. O(depth).
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
            json.member("registration", ifPresent: info.identifier)
            json.member("node", node)
            json.beginObject("traits")
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
    /// The value of a colour or image at a node, as JSON; nil when it is not defined.
    func dynamicValue(_ kind: DynamicKind, _ name: String, at node: NodeIndex) -> [UInt8]? {
        guard let value = hierarchy.definitions.dynamic(kind, named: name),
            let choice = try? hierarchy.resolveDynamic(kind, name, at: node)
        else { return nil }
        return Array(value.variants[choice.index].value.utf8)
    }
}
