// What a stream listens to. Streams with equal filters share a feed, so a filter has a key that is
// equal for equal filters, in every process.

import TraitEngine

struct FeedFilter: Sendable {
    enum Subject: Sendable {
        /// Every commit, and the changes of all registrations.
        case session
        /// Registrations at and below a node of the trait tree, and the commits that they hear of.
        case subtree(NodeIndex, String)
        /// Named registrations and watches, in the order in which they were named.
        case members([Member])
    }

    /// A registration as a stream knows it, or a watch: a node and traits that are no part of the
    /// session's state.
    struct Member: Sendable {
        let index: RegistrationIndex
        /// Nil for a watch.
        let id: String?
        let node: String
        /// Of a watch.
        let traits: [String]
        /// The revision that made the registration: what happens later concerns it.
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

    /// Whether the session looks out for it only while the feed is there, so that nothing is known
    /// from before.
    var isLive: Bool {
        if withCollections { return true }
        switch subject {
        case .session: return false
        case .subtree: return true
        case .members: return hasWatches
        }
    }

    /// Whether the filter lets the note of a commit through. The same for every stream with that
    /// filter, whenever it reads: records are numbered by it.
    ///
    /// - Parameter ended: the members that are gone, with the revision that ended them. Their indices
    ///   are used again.
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

    /// The nodes whose scopes concern it; none for a whole session, which all concern.
    var nodes: Set<String> { Set(members.map(\.node)) }

    var registrations: [RegistrationIndex] { members.map(\.index) }
}
