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
    /// How many `state` records have begun.
    private var count = 0
    /// The last registration that was visited, for the feed of a session or subtree.
    private var last: RegistrationIndex?
    /// How many registrations were visited.
    private var position = 0
    /// The record that is partly written.
    private var open: OpenState?
    private var pairs = PairSum()

    /// The digest of a cache with the state written so far.
    var digest: UInt64 { pairs.sum }

    /// Made while the session's lock is held.
    init(_ writer: RecordWriter, of session: SessionState) {
        self.writer = writer
        members = writer.feed.liveMembers.map(\.index).filter(session.hierarchy.isAlive)
    }

    /// Writes on until the text has `budget` bytes or `registrationsMax` registrations were visited; a value is
    /// never cut. The caller may drain `json` between two calls.
    ///
    /// - Returns: whether the state is complete.
    mutating func write(
        from session: SessionState, registrationsMax: Int, budget: Int, into json: inout JSONWriter
    ) -> Bool {
        var left = registrationsMax
        while true {
            guard goOn(session, budget, into: &json) else { return false }
            let next = next(in: session)
            if next.isEmpty { break }
            for registration in next {
                if left == 0 || json.count >= budget { return false }
                last = registration
                position += 1
                left -= 1
                guard isIncluded(registration, in: session) else { continue }
                count += 1
                open = session.beginState(of: registration, writer, into: &json)
                guard goOn(session, budget, into: &json) else { return false }
            }
        }
        writer.writeSync(at: session.head, count: count, digest: digest, into: &json)
        return true
    }

    /// Goes on with the record that is partly written. Returns whether the record is complete.
    private mutating func goOn(
        _ session: SessionState, _ budget: Int, into json: inout JSONWriter
    ) -> Bool {
        guard var record = open else { return true }
        guard session.write(&record, &pairs, budget, into: &json) else {
            open = record
            return false
        }
        open = nil
        writer.format.end(into: &json)
        return true
    }

    /// Whether a registration is in the feed's subtree; true for other feeds. O(depth).
    private func isIncluded(_ registration: RegistrationIndex, in session: SessionState) -> Bool {
        guard case .subtree(let root, _) = writer.feed.filter.subject else { return true }
        var next: NodeIndex? = session.hierarchy.registrationInfo(registration).node
        while let node = next {
            if node == root { return true }
            next = session.hierarchy.traitParent(of: node)
        }
        return false
    }

    private func next(in session: SessionState) -> ArraySlice<RegistrationIndex> {
        if writer.feed.filter.hasCommits {
            return session.hierarchy.registrations(after: last, limit: Self.listedAtATime)[...]
        }
        return members.dropFirst(position)
    }
}

/// A `state` record that is partly written: a thousand values may have 16 KiB each.
private struct OpenState {
    let node: NodeIndex
    /// The traits that are not written yet.
    var traits: TraitSet
    var isInTraits = true
    /// The colours and images that are not written yet, and the kind of the open member.
    var dynamics: ArraySlice<(kind: DynamicKind, name: String)>
    var openKind: DynamicKind?

    init(_ info: RegistrationInfo) {
        node = info.node
        traits = info.traits.subtracting(TraitDefinitions.privateTraits)
        let colors = info.colors.map { (kind: DynamicKind.color, name: $0) }
        dynamics = (colors + info.images.map { (kind: DynamicKind.image, name: $0) })[...]
    }
}

extension SessionState {
    /// Begins the `state` record of one registration or watch.
    fileprivate func beginState(
        of registration: RegistrationIndex, _ writer: RecordWriter, into json: inout JSONWriter
    ) -> OpenState {
        let info = hierarchy.registrationInfo(registration)
        writer.beginPlain(.state, head, isResumable: false, into: &json)
        json.member("registration", ifPresent: info.identifier)
        json.member("node", hierarchy.identifier(of: info.node))
        json.beginObject("traits")
        return OpenState(info)
    }

    /// Writes on until the text has `budget` bytes. Returns whether all members are written.
    fileprivate func write(
        _ record: inout OpenState, _ pairs: inout PairSum, _ budget: Int,
        into json: inout JSONWriter
    ) -> Bool {
        if record.isInTraits {
            guard writeTraits(of: &record, &pairs, budget, into: &json) else { return false }
            json.endObject()
            record.isInTraits = false
        }
        while let (kind, name) = record.dynamics.first {
            if json.count >= budget { return false }
            record.dynamics.removeFirst()
            if record.openKind != kind {
                if record.openKind != nil { json.endObject() }
                record.openKind = kind
                json.key(kind == .color ? "colors" : "images")
                json.beginObject()
            }
            guard let value = dynamicValue(kind, name, at: record.node) else { continue }
            json.key(name)
            json.raw(value)
        }
        if record.openKind != nil { json.endObject() }
        return true
    }

    private func writeTraits(
        of record: inout OpenState, _ pairs: inout PairSum, _ budget: Int,
        into json: inout JSONWriter
    ) -> Bool {
        let definitions = hierarchy.definitions
        var node = hierarchy.identifier(of: record.node)
        var rest = record.traits
        hierarchy.words(of: record.traits, at: record.node) { trait, word in
            if json.count >= budget { return }
            rest.remove(trait)
            let encoding = encodings.encoding(of: trait, in: definitions)
            json.member(encoding.member)
            let start = json.count
            encoding.write(hierarchy.value(from: word, of: trait), into: &json)
            node.withUTF8 { node in
                encoding.member.withUnsafeBytes { member in
                    pairs.add(
                        node: UnsafeRawBufferPointer(node),
                        trait: UnsafeRawBufferPointer(rebasing: member[1..<member.count - 2]),
                        UnsafeRawBufferPointer(rebasing: json.bytes[start...]))
                }
            }
        }
        record.traits = rest
        return rest.isEmpty
    }
}

extension SessionState {
    /// The value of a colour or image at a node, as JSON; nil when it is not defined.
    func dynamicValue(_ kind: DynamicKind, _ name: String, at node: NodeIndex) -> [UInt8]? {
        guard let value = hierarchy.definitions.dynamic(kind, named: name),
            let choice = try? hierarchy.resolveDynamic(kind, name, at: node)
        else { return nil }
        return Array(value.variants[choice.index].value.utf8)
    }
}
