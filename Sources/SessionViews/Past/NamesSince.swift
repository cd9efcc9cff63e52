// Which nodes and traits have got other names since a revision. A revert gives them their names back, so that
// registrations, scopes and streams stay with them.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// The other names of nodes and traits that are the same ones as then.
struct NamesSince {
    /// Earlier names by present names. What was deleted since may still be listed.
    private(set) var nodes: [String: String] = [:]
    private(set) var traits: [String: String] = [:]

    /// Follows the names through the commits after `revision`. Answers nothing where a commit is no longer retained.
    /// O(retained commits), and O(operations) of those that name or make nodes and traits, if one gave a new name.
    init(after revision: Int64, in session: SessionState) {
        guard revision < session.head, let all = session.commits(after: revision) else { return }
        var commits: [RetainedCommit] = []
        var hasNewNames = false
        for commit in all {
            hasNewNames = hasNewNames || commit.counts.changesNames
            if commit.counts.contains(where: Self.decides) { commits.append(commit) }
        }
        if !hasNewNames { return }
        let tape = JSONTape(limits: .logEntry)
        var nodes = Names()
        var traits = Names()
        // Only names that were given or given up matter, not those of all nodes that were made.
        for commit in commits where commit.counts.changesNames {
            Self.forEachOperation(of: commit, tape) { operation, kind in
                if kind == .renameNode { nodes.note(operation, "node") }
                if kind == .renameTrait { traits.note(operation, "trait") }
            }
        }
        for commit in commits {
            Self.forEachOperation(of: commit, tape) { operation, kind in
                switch kind {
                case .renameNode: nodes.rename(operation, "node")
                case .createNode: nodes.make(operation, "node")
                case .renameTrait: traits.rename(operation, "trait")
                case .defineTrait: traits.make(operation, "trait")
                default: break
                }
            }
        }
        self.nodes = nodes.others
        self.traits = traits.others
    }

    private static func decides(_ kind: OperationKind) -> Bool {
        switch kind {
        case .renameNode, .createNode, .renameTrait, .defineTrait: true
        default: false
        }
    }

    static func forEachOperation(
        of commit: RetainedCommit, _ tape: JSONTape, _ body: (JSONValue, OperationKind) -> Void
    ) {
        commit.withOperations { text in
            // The log's entries are valid JSON. Any other text counts as one without operations.
            try? tape.withDocument(text) { list in
                for operation in list.elements {
                    guard let name = operation.member("op")?.string,
                        let kind = OperationKind(name.bytes)
                    else { continue }
                    body(operation, kind)
                }
            }
        }
    }
}

/// The names of nodes, or of traits, while they are followed.
private struct Names {
    private var mentioned: Set<String> = []
    /// Earlier names by present names; nil for what was made since.
    private var earlier: [String: String?] = [:]

    /// The names that differ.
    var others: [String: String] { earlier.compactMapValues(\.self).filter { $0.key != $0.value } }

    mutating func note(_ operation: JSONValue, _ member: StaticString) {
        if let from = operation.member(member)?.string { mentioned.insert(from.string) }
        if let to = operation.member("to")?.string { mentioned.insert(to.string) }
    }

    mutating func rename(_ operation: JSONValue, _ member: StaticString) {
        guard let from = operation.member(member)?.string?.string,
            let to = operation.member("to")?.string?.string
        else { return }
        earlier[to] = .some(earlier[from] ?? from)
        // Whatever gets the name next was made or renamed, which is noted then.
        earlier[from] = nil
    }

    mutating func make(_ operation: JSONValue, _ member: StaticString) {
        guard let name = operation.member(member)?.string?.string, mentioned.contains(name) else {
            return
        }
        earlier[name] = .some(nil)
    }
}

/// New names that depend on each other: one may be given only when its holder has given it up.
struct NameExchange {
    /// Wanted names by present names. No name is wanted twice.
    private var wanted: [String: String]

    init(_ wanted: [String: String]) { self.wanted = wanted }

    /// Gives as many of the wanted names as possible: all but those that others hold and keep.
    ///
    /// - Parameters:
    ///   - holder: the present name of what has a name already; nil for none.
    ///   - rename: gives a new name.
    mutating func carryOut(
        holder: (String) -> String?,
        rename: (_ from: String, _ to: String) throws(SessionError) -> Void
    ) throws(SessionError) {
        for first in wanted.keys.sorted() where wanted[first] != nil {
            var chain = [first]
            while let last = chain.last, let name = wanted[last],
                let other = holder(name)
            {
                // A trait may hold a name as its identifier.
                if other != last, other == chain[0] {
                    let free = Self.freeName(holder)
                    try rename(other, free)
                    wanted[free] = wanted.removeValue(forKey: other)
                    chain[0] = free
                    break
                }
                if other == last || wanted[other] == nil {
                    for name in chain { wanted[name] = nil }
                    chain = []
                    break
                }
                chain.append(other)
            }
            for name in chain.reversed() {
                if let other = wanted.removeValue(forKey: name) { try rename(name, other) }
            }
        }
    }

    private static func freeName(_ holder: (String) -> String?) -> String {
        var number = 1
        while holder("renamed-\(number)") != nil { number += 1 }
        return "renamed-\(number)"
    }
}

extension Transaction {
    /// Gives nodes and traits the names that they had, where nothing else has them now.
    ///
    /// - Parameters:
    ///   - earlier: the session at the revision that the names are of.
    ///   - roots: only nodes that are or were below these nodes, and no traits; nil for all.
    /// - Returns: the roots, by their names now.
    mutating func giveBackNames(
        of earlier: Session, roots: [String]?
    ) throws(SessionError) -> [String]? {
        let hierarchy = hierarchy
        let names = earlier.withState { a -> NamesSince in
            var names = NamesSince(after: a.head, in: session)
            let tops = roots.map { names in
                (
                    earlier: Set(names.compactMap { a.hierarchy.node($0) }),
                    present: Set(names.compactMap { hierarchy.node($0) })
                )
            }
            names.keep { earlier, present in
                guard let one = a.hierarchy.node(earlier), let other = hierarchy.node(present)
                else { return false }
                guard let tops else { return true }
                return a.hierarchy.stands(one, below: tops.earlier)
                    || hierarchy.stands(other, below: tops.present)
            } traits: { earlier, present in
                roots == nil && a.hierarchy.definitions.index(of: earlier) != nil
                    && hierarchy.definitions.index(of: present) != nil
            }
            return names
        }
        try give(nodes: names.nodes, traits: names.traits)
        guard let roots else { return nil }
        return earlier.withState { a in
            var present: [String] = []
            var others: [String] = []
            for root in roots {
                let isThere = a.hierarchy.node(root) != nil || hierarchy.node(root) != nil
                let former = names.nodes[root].flatMap { hierarchy.node($0) == nil ? nil : $0 }
                present.append(isThere ? root : former ?? root)
                if isThere, let former { others.append(former) }
            }
            return present + others
        }
    }

    /// Gives names, by present names, where nothing else has and keeps them.
    mutating func give(
        nodes: [String: String], traits: [String: String]
    ) throws(SessionError) {
        let hierarchy = hierarchy
        var traits = NameExchange(traits)
        try traits.carryOut { name in
            hierarchy.definitions.index(of: name).map { hierarchy.definitions[$0].key }
        } rename: { from, to throws(SessionError) in
            try reference(to) { (transaction, to) throws(SessionError) in
                try transaction.rename(try transaction.session.trait(named: from, ""), to: to)
            }
        }
        var nodes = NameExchange(nodes)
        try nodes.carryOut { name in
            hierarchy.node(name) == nil ? nil : name
        } rename: { from, to throws(SessionError) in
            guard let node = hierarchy.node(from) else { return }
            try reference(to) { (transaction, to) throws(SessionError) in
                try transaction.rename(node, to: to)
            }
        }
    }

    private mutating func reference(
        _ name: String,
        _ body: (inout Transaction, Reference) throws(SessionError) -> Void
    ) throws(SessionError) {
        try Array(name.utf8).withBytes { bytes throws(SessionError) in
            try body(&self, Reference(bytes))
        }
    }
}

extension NamesSince {
    fileprivate mutating func keep(
        nodes isNode: (_ earlier: String, _ present: String) -> Bool,
        traits isTrait: (_ earlier: String, _ present: String) -> Bool
    ) {
        nodes = nodes.filter { isNode($0.value, $0.key) }
        traits = traits.filter { isTrait($0.value, $0.key) }
    }
}

extension Hierarchy {
    /// Whether a node is one of these, or structurally below one. O(depth).
    fileprivate func stands(_ node: NodeIndex, below tops: Set<NodeIndex>) -> Bool {
        var place: NodeIndex? = node
        while let current = place {
            if tops.contains(current) { return true }
            place = parent(of: current)
        }
        return false
    }
}
