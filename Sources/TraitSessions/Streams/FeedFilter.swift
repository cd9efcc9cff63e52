// The filter of a stream: which commits and changes it gets. Streams with equal filters share a
// feed, so a filter has a key that is equal for equal filters, in every process.

import TraitEngine

struct FeedFilter: Sendable {
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
    struct Member: Sendable {
        let index: RegistrationIndex
        /// Nil for a watch.
        let id: String?
        let node: String
        /// The traits of a watch; empty for a registration.
        let traits: [String]
        /// The revision that made the registration. Only later commits concern it.
        let since: Int64
    }

    let subject: Subject
    /// Whether changes carry the previous and the current collection.
    let withCollections: Bool
    let key: String

    init(_ subject: Subject, withCollections: Bool = false) {
        self.subject = subject
        self.withCollections = withCollections
        key = Self.key(of: subject) + (withCollections ? ";collection" : "")
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

    var isSession: Bool { if case .session = subject { true } else { false } }

    /// Whether the stream has `commit` records.
    var hasCommits: Bool { if case .members = subject { false } else { true } }

    var members: [Member] { if case .members(let members) = subject { members } else { [] } }

    var hasWatches: Bool { members.contains { $0.id == nil } }

    /// Whether commits from before the feed are retained, but without the collections that it wants.
    var recordsCollectionsOnly: Bool {
        guard withCollections else { return false }
        if case .subtree = subject { return false }
        return !hasWatches
    }

    /// Whether the session notes what the filter admits only while the feed exists, so that a new
    /// feed has no earlier commits.
    var isLive: Bool {
        if withCollections { return true }
        switch subject {
        case .session: return false
        case .subtree: return true
        case .members: return hasWatches
        }
    }

    /// Whether the filter admits a note of a commit. The result is the same for every stream with
    /// this filter at any time, since the numbers of records depend on it.
    ///
    /// - Parameter ended: the members that have ended, with the revision that ended them. Their
    ///   indices may be used again.
    func admits(
        _ note: RetainedCommit.Note, of revision: Int64, ended: [RegistrationIndex: Int64]
    ) -> Bool {
        func listens(_ member: Member) -> Bool {
            if !ended.isEmpty, let end = ended[member.index], revision > end { return false }
            return member.id == nil || member.since < revision
        }
        return switch (subject, note) {
        case (.session, .change(let note)): note.id != nil
        case (.session, .invalidation): true
        case (.subtree(let root, _), .change(let note)):
            note.id != nil && note.within.contains(root.rawValue)
        case (.subtree(let root, _), .invalidation(let note)): note.within.contains(root.rawValue)
        case (.members(let members), .change(let note)):
            members.contains { $0.index == note.registration && listens($0) }
        case (.members(let members), .invalidation(let note)):
            members.contains { $0.node == note.node && listens($0) }
        }
    }

    /// The nodes of the members, whose scopes concern the filter; empty for a session or a subtree.
    var nodes: Set<String> { Set(members.map(\.node)) }

    var registrations: [RegistrationIndex] { members.map(\.index) }
}
