// The filter of a stream: which commits and changes it gets. Streams with equal filters share a
// feed, so a filter has a key that is equal for equal filters, in every process.

import TraitEngine

package struct FeedFilter: Sendable {
    enum Subject: Sendable {
        /// Every commit, and the changes of all registrations.
        case session
        /// Registrations at and below a node of the trait tree, and the commits that notify them.
        case subtree(NodeIndex, String)
        /// Named registrations and watches, in the order of the request.
        case members([Member])

        /// Whether two subjects with equal keys are the same nodes and registrations: a name may be
        /// that of a newer one.
        func isSame(as other: Subject) -> Bool {
            switch (self, other) {
            case (.subtree(let left, _), .subtree(let right, _)): left == right
            case (.members(let left), .members(let right)):
                Set(left.map(\.index)) == Set(right.map(\.index))
            default: true
            }
        }
    }

    /// A registration, or a watch. A watch is a node and traits, and no part of the session's
    /// state.
    package struct Member: Sendable {
        let index: RegistrationIndex
        /// Nil for a watch.
        let id: String?
        let node: String
        /// The node, which may get another name.
        let place: NodeIndex
        /// The traits of a watch; empty for a registration.
        let traits: [String]
        /// The revision that made the registration. Only later commits concern it.
        let since: Int64
    }

    let subject: Subject
    /// Positions of the members, ascending by registration or watch and by node, so that a note is found
    /// in O(log members): a commit may have many notes.
    private let byIndex: [Int32]
    private let byNode: [Int32]
    let key: String

    /// - Parameter key: the key of the whole request, where some of its members do not exist.
    init(_ subject: Subject, key: String? = nil) {
        self.subject = subject
        self.key = key ?? Self.key(of: subject)
        guard case .members(let members) = subject else {
            (byIndex, byNode) = ([], [])
            return
        }
        let positions = members.indices.map { Int32(truncatingIfNeeded: $0) }
        byIndex = positions.sorted {
            members[Int($0)].index.rawValue < members[Int($1)].index.rawValue
        }
        byNode = positions.sorted {
            members[Int($0)].place.rawValue < members[Int($1)].place.rawValue
        }
    }

    /// Whether a member satisfies `isWanted` among those that `order` puts together.
    private func contains(
        in order: [Int32], precedes: (Member) -> Bool, isSame: (Member) -> Bool,
        _ isWanted: (Member) -> Bool
    ) -> Bool {
        let members = members
        let first = order.firstPlace { !precedes(members[Int($0)]) }
        for position in order[first...] {
            let member = members[Int(position)]
            guard isSame(member) else { return false }
            if isWanted(member) { return true }
        }
        return false
    }

    private static func key(of subject: Subject) -> String {
        switch subject {
        case .session: return "session"
        case .subtree(_, let node): return "subtree:" + node
        case .members(let members):
            var parts: [String] = []
            let registrations = members.compactMap(\.id)
            if !registrations.isEmpty {
                parts = ["registrations:" + registrations.sorted().joined(separator: ",")]
            }
            let watches = members.filter { $0.id == nil }.map {
                "watch:\($0.node):" + $0.traits.sorted().joined(separator: ",")
            }
            return (parts + watches.sorted()).joined(separator: ";")
        }
    }

    /// Bytes of the filter in memory, and of its places in the tables of feeds and of the engine, about.
    var heldBytes: Int {
        var bytes = Self.emptyBytes &+ key.utf8.count
        for member in members {
            bytes &+= Self.memberBytes &+ member.traits.count &* MemoryLayout<String>.stride
            // Longer texts have memory of their own.
            for text in [member.node, member.id ?? ""] where text.utf8.count > 15 {
                bytes &+= 32 &+ text.utf8.count
            }
        }
        return bytes
    }

    private static let emptyBytes = 1_024
    private static let memberBytes = 640

    var isSession: Bool { if case .session = subject { true } else { false } }

    /// Whether the stream has `commit` records.
    var hasCommits: Bool { if case .members = subject { false } else { true } }

    var members: [Member] { if case .members(let members) = subject { members } else { [] } }

    var hasWatches: Bool { members.contains { $0.id == nil } }

    /// Whether the session notes what the filter admits only while the feed exists, so that a new
    /// feed has no earlier commits.
    var isLive: Bool {
        switch subject {
        case .session: return false
        case .subtree: return true
        case .members: return hasWatches
        }
    }

    /// Whether the filter admits the note at a position of a commit. The result is the same for every stream with
    /// this filter at any time, since the numbers of records depend on it.
    ///
    /// - Parameter ended: the members that have ended, with the revision that ended them. Their
    ///   indices may be used again.
    func admits(
        _ position: Int, of commit: RetainedCommit, ended: [RegistrationIndex: Int64]
    ) -> Bool {
        let revision = commit.revision
        func listens(_ member: Member) -> Bool {
            if !ended.isEmpty, let end = ended[member.index], revision > end { return false }
            return member.id == nil || member.since < revision
        }
        return switch (subject, commit.notes[position]) {
        case (.session, .change(let note)): note.id != nil
        case (.session, .invalidation), (.session, .renamed): true
        case (.subtree, .renamed(let note)) where !note.isNode: true
        case (.subtree(let root, _), _):
            commit.subtrees?.contains(position, in: root) == true
        case (.members, .renamed(let note)):
            note.followers.contains { follower in
                contains(
                    in: byIndex, precedes: { $0.index.rawValue < follower.rawValue },
                    isSame: { $0.index == follower }, listens)
            }
        case (.members, .change(let note)):
            contains(
                in: byIndex, precedes: { $0.index.rawValue < note.registration.rawValue },
                isSame: { $0.index == note.registration }, listens)
        case (.members, .invalidation(let note)):
            contains(
                in: byNode, precedes: { $0.place.rawValue < note.place.rawValue },
                isSame: { $0.place == note.place }, listens)
        }
    }

    /// The nodes of the members, whose scopes concern the filter; empty for a session or a subtree.
    var nodes: Set<NodeIndex> { Set(members.map(\.place)) }

    var registrations: [RegistrationIndex] { members.map(\.index) }
}
