// The bodies of answers to writes. A body is written while the commit is applied, also in a dry
// run, and again when the write is decided again.

import JSONCodec
import TraitEngine

extension SessionState {
    func write(
        _ outcome: CommitOutcome, of proposal: Proposal, into body: inout JSONWriter
    ) {
        let isDryRun = proposal.options.dryRun
        switch proposal.answer {
        case .commit:
            write(
                outcome, isDryRun: isDryRun, showsChanges: proposal.options.changes, into: &body)
        case .node(let id):
            guard let node = hierarchy.node(id) else { return }
            NodeWriter.write(node, of: self, into: &body) {
                self.writeRevision(outcome, isDryRun, into: &$0)
            }
            body.newline()
        case .registration(let id):
            guard let registration = hierarchy.registration(named: id) else { return }
            write(registration, into: &body) {
                self.writeRevision(outcome, isDryRun, into: &$0)
            }
            body.newline()
        case .assumed, .planned: break
        case .scope(let node, let method):
            writeScope(node, method, outcome, isDryRun, into: &body)
        }
    }

    /// `"uid","revision","dryRun"?` of the open object.
    private func writeRevision(
        _ outcome: CommitOutcome, _ isDryRun: Bool, into body: inout JSONWriter
    ) {
        body.member("uid", uid)
        body.member("revision", outcome.revision)
        body.flag("dryRun", when: isDryRun)
    }

    /// `"revision","unchanged"?,"dryRun"?` of the open object.
    private func writeOutcome(
        _ outcome: CommitOutcome, _ isDryRun: Bool, into body: inout JSONWriter
    ) {
        body.member("revision", outcome.revision)
        body.flag("unchanged", when: outcome.isUnchanged)
        body.flag("dryRun", when: isDryRun)
    }

    /// `{"uid","revision","unchanged"?,"dryRun"?,"traits":{…}}`.
    private func writeScope(
        _ node: String, _ method: String, _ outcome: CommitOutcome, _ isDryRun: Bool,
        into body: inout JSONWriter
    ) {
        guard let node = hierarchy.node(node), let scope = hierarchy.scope(node, method) else {
            return
        }
        body.beginObject()
        body.member("uid", uid)
        writeOutcome(outcome, isDryRun, into: &body)
        writeTraits(
            scope.reads.subtracting(TraitDefinitions.privateTraits), at: node, .plain, into: &body)
        body.endText()
    }

    /// `{"session","uid","revision","unchanged"?,"dryRun"?,…,"notified","ended"?,"changes"?}`, and what `more` adds.
    package func write(
        _ outcome: CommitOutcome, isDryRun: Bool, showsChanges: Bool, into body: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        body.beginObject()
        body.raw(identity.answerOpening)
        writeOutcome(outcome, isDryRun, into: &body)
        more(&body)
        body.member("notified", outcome.notified)
        outcome.ended?.write(into: &body)
        if showsChanges || isDryRun {
            writeChanges(outcome, limit: limits.answeredChangesMax, into: &body)
        }
        body.endText()
    }

    /// `"counts":{kind: count},"operations":[…],"operationsTruncated"?` of the open object.
    package func writeOperations(
        of opened: OpenCommit, _ outcome: CommitOutcome, into body: inout JSONWriter
    ) {
        let transaction = opened.transaction
        body.beginObject("counts")
        if !outcome.isUnchanged {
            for (kind, count) in transaction.counts.kinds {
                body.key(kind.rawValue)
                body.value(count)
            }
        }
        body.endObject()
        body.key("operations")
        let start = opened.payload.operations
        let end = transaction.listedEnd ?? transaction.text.json.count
        var list = Array(
            transaction.text.json.bytes[start..<(outcome.isUnchanged ? start + 1 : end)])
        list.append(UInt8(ascii: "]"))
        list.withUnsafeBytes { body.raw($0) }
        if transaction.listedEnd != nil, !outcome.isUnchanged {
            body.member("operationsTruncated", true)
        }
    }

    private func writeChanges(
        _ outcome: CommitOutcome, limit: Int, into body: inout JSONWriter
    ) {
        body.beginArray("changes")
        let start = body.count
        var written = 0
        for case .change(let note) in outcome.notes {
            guard let id = note.id else { continue }
            if written == limit || body.count - start > limits.answeredChangesBytesMax { break }
            body.beginObject()
            body.member("registration", id)
            body.member("node", note.node)
            note.writeChanges(into: &body)
            body.endObject()
            written += 1
        }
        body.endArray()
        writeInvalidations(outcome, limit: limit, into: &body)
        body.flag("truncated", when: outcome.notified > written)
    }

    /// The tracked scopes that went stale, when there are some.
    private func writeInvalidations(
        _ outcome: CommitOutcome, limit: Int, into body: inout JSONWriter
    ) {
        let stale = outcome.notes.lazy.compactMap { note -> InvalidationNote? in
            if case .invalidation(let note) = note { note } else { nil }
        }.prefix(limit)
        if stale.isEmpty { return }
        body.beginArray("invalidations")
        for note in stale {
            body.beginObject()
            note.write(into: &body)
            body.endObject()
        }
        body.endArray()
    }
}

// MARK: - Deleted parts

extension SessionState {
    /// The parts of the whole session, which end with it. O(nodes).
    func everything() -> EndedParts {
        let hierarchy = hierarchy
        var counts = EndedCounts(nodes: hierarchy.nodeCount, scopes: hierarchy.scopeCount)
        hierarchy.forEachNode { node, _ in
            counts.overrides += hierarchy.overrides(of: node).count
            return .descend
        }
        let names = hierarchy.registrations(limit: limits.answeredChangesMax).compactMap {
            hierarchy.registrationInfo($0).identifier
        }
        return EndedParts(counts, registrations: hierarchy.registrationCount, names: names)
    }

    /// The nodes and scopes that the commit deletes, and the registrations that end; nil when there are none.
    func ended(with commit: Commit, _ transaction: Transaction) -> EndedParts? {
        let counts = transaction.ended
        if commit.isUnchanged
            || counts.nodes + counts.scopes == 0 && commit.endedRegistrations.isEmpty
        {
            return nil
        }
        let named = commit.endedRegistrations.lazy.compactMap(\.identifier)
        let names = Array(named.prefix(limits.answeredChangesMax))
        let isAll = names.count < limits.answeredChangesMax
        return EndedParts(
            counts, registrations: isAll ? names.count : named.reduce(0) { count, _ in count + 1 },
            names: names)
    }
}
