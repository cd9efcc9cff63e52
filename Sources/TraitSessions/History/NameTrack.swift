// The names that a node or a trait had. A request has one of them, mostly the present one; operations of earlier and
// later commits have others.

import JSONCodec

/// Follows one name through commits, back from the newest, and on from where it was given up.
///
/// Confined to one thread at a time.
package final class NameTrack {
    private let isNode: Bool
    /// The name before the commits that were looked at.
    private var name: String
    /// Other names that commits gave, newest first while they are looked at, oldest first then.
    private var changes: [(revision: Int64, from: String, to: String)] = []
    /// Whether it is known what has the name at the end of the commits.
    private var isFound = false
    /// The name that was given up, for one that nothing has at the end.
    private var next: String?
    /// The commits after that, newest first, that give other names.
    private var later: [RetainedCommit] = []
    private let tape = JSONTape(limits: .logEntry)

    /// - Parameter name: a node, or the key of a trait.
    package init(_ name: String, isNode: Bool) {
        self.name = name
        self.isNode = isNode
    }

    private var renaming: OperationKind { isNode ? .renameNode : .renameTrait }
    private var making: OperationKind { isNode ? .createNode : .defineTrait }

    /// Looks at the commit before those that were looked at. O(1), and O(operations) where it has the name and makes or
    /// renames something.
    package func look(at commit: RetainedCommit) {
        let renames = commit.counts.contains { $0 == renaming }
        if !isFound, renames { later.append(commit) }
        guard renames || !isFound && commit.counts.contains(where: { $0 == making }),
            commit.withOperations({ CommitFilter.contains($0, Array(name.utf8)) })
        else { return }
        forEachOperation(of: commit) { operations in
            for (kind, from, to) in operations.reversed() {
                if kind == making {
                    if from == name { isFound = true }
                } else if to == name {
                    isFound = true
                    changes.append((commit.revision, from, to))
                    name = from
                } else if from == name, !isFound {
                    isFound = true
                    next = to
                    changes.append((commit.revision, from, to))
                }
            }
        }
    }

    /// Ends the looking back.
    package func finish() {
        changes.reverse()
        defer { later = [] }
        guard var name = next, let start = changes.last?.revision else { return }
        for commit in later.reversed() where commit.revision >= start {
            var isAfter = commit.revision > start
            forEachOperation(of: commit) { operations in
                for (kind, from, to) in operations where kind == renaming {
                    if isAfter, from == name {
                        changes.append((commit.revision, from, to))
                        name = to
                    } else if from == changes.last?.from, to == name {
                        isAfter = true
                    }
                }
            }
        }
    }

    /// The names before a commit, in it and after it. O(log other names).
    package func names(at revision: Int64) -> Set<String> {
        let first = changes.firstPlace { $0.revision >= revision }
        var names: Set = [first > 0 ? changes[first - 1].to : name]
        for change in changes[first...].prefix(while: { $0.revision == revision }) {
            names.insert(change.to)
        }
        return names
    }

    /// The name after a commit.
    package func name(after revision: Int64) -> String {
        let next = changes.firstPlace { $0.revision > revision }
        return next > 0 ? changes[next - 1].to : name
    }

    /// Calls `body` with the operations that make or rename: nodes, or traits.
    private func forEachOperation(
        of commit: RetainedCommit,
        _ body: ([(kind: OperationKind, from: String, to: String)]) -> Void
    ) {
        commit.withOperations { text in
            // The log's entries are valid JSON. Any other text counts as one without operations.
            try? tape.withDocument(text) { list in
                body(
                    list.elements.compactMap { operation in
                        guard let op = operation.member("op")?.string,
                            let kind = OperationKind(op.bytes), kind == renaming || kind == making,
                            let from = operation.member(isNode ? "node" : "trait")?.string
                        else { return nil }
                        return (kind, from.string, operation.member("to")?.string?.string ?? "")
                    })
            }
        }
    }
}

extension JSONLimits {
    /// For entries that this program has written.
    package static let logEntry = JSONLimits(
        depthMax: 1_000, documentBytesMax: JSONLimits.documentBytesCeiling,
        valuesMax: JSONLimits.documentBytesCeiling)
}
