// Applies entries that a log has already. They are applied by the same code as new ones, but without
// conditions, and must lead to the same state.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

/// The buffers that a replay needs beside the session. Used by one replay at a time.
package final class Replayer {
    /// An entry holds operations, so it is deeper than the requests that it was made of, and has
    /// more values.
    let tape = JSONTape(
        limits: JSONLimits(
            depthMax: 1_000, documentBytesMax: JSONLimits.documentBytesCeiling,
            valuesMax: JSONLimits.documentBytesCeiling))
    let text = TextBuffer()
    /// Called with each operation before it is applied, and with the state that it meets.
    package var witness: ((JSONValue, SessionState) -> Void)?

    package init() {}

    /// Lends the decoded payload of the entry to `body`.
    package func withContent<R>(
        of entry: LogEntry, _ body: (EntryContent) throws(SessionError) -> R
    ) throws(SessionError) -> R {
        try entry.payload.withBytes { bytes throws(SessionError) in
            let json: JSONValue
            do throws(JSONError) {
                json = try tape.parse(bytes)
            } catch {
                throw error.code == .outOfMemory
                    ? SessionError(error)
                    : SessionError(.malformedJSON, "The payload is no JSON: \(error.reason).")
            }
            return try body(try EntryContent(json))
        }
    }
}

extension SessionState {
    /// Applies entries that the log holds.
    ///
    /// - Throws: where an entry does not follow the head, cannot be read, leads to another state, or is refused. The
    ///   session is then at the revision before.
    package func apply(
        _ entries: some Sequence<LogEntry>, with replayer: Replayer, wakes: inout WakeList
    ) throws(ReplayError) {
        for entry in entries {
            try surroundings.check(entry.revision, of: uid, name)
            do throws(ReplayError) {
                try apply(entry, with: replayer, wakes: &wakes)
            } catch {
                var error = error
                // What is tried again needs none, and a lack of memory leaves no room for it.
                if error.isFinal { error.evidence = ReplayError.Evidence(entry, self) }
                throw error
            }
        }
    }

    private func apply(
        _ entry: LogEntry, with replayer: Replayer, wakes: inout WakeList
    ) throws(ReplayError) {
        guard entry.revision == head + 1, entry.follows(queue.chain) else {
            throw differs(entry, "the entry does not follow revision \(head)")
        }
        guard Timestamp.range.contains(entry.time) else {
            throw differs(entry, "the entry is of no year from 1970 to 9999")
        }
        if entry.kind == .tombstone {
            queue.chain = entry.checksum
            return end(wakes: &wakes)
        }
        let commit: RetainedCommit
        do throws(SessionError) {
            commit = try replayer.withContent(of: entry) { content throws(SessionError) in
                let made = try replay(entry, content, with: replayer)
                return RetainedCommit(
                    entry: entry, payload: content.ranges, counts: made.counts,
                    notes: made.notes, places: made.places, noteBytes: made.noteBytes,
                    endings: made.endings, registers: made.changesRegistrations,
                    endedSubtrees: made.endedSubtrees, subtrees: made.subtrees)
            }
        } catch {
            throw ReplayError(
                error, session: name, revision: head + 1,
                reason: error.detail + (error.pointer.map { " (at \($0))" } ?? ""))
        }
        show(commit, wakes: &wakes)
    }

    /// Applies an own commit again that was undone.
    ///
    /// - Returns: the same commit, with notes for the registrations as they are now.
    func redo(
        _ commit: RetainedCommit, with replayer: Replayer
    ) throws(SessionError) -> RetainedCommit {
        try replayer.withContent(of: commit.entry) { content throws(SessionError) in
            commit.with(try replay(commit.entry, content, with: replayer))
        }
    }

    private func replay(
        _ entry: LogEntry, _ content: EntryContent, with replayer: Replayer
    ) throws(SessionError) -> RetainedCommit {
        let recorded = try content.idempotency.map { json throws(SessionError) in
            try RecordedOutcome(json, revision: entry.revision, time: entry.time)
        }
        var opened = open(replayer.text, time: entry.time, manager: content.manager)
        opened.transaction.isReplay = true
        do throws(SessionError) {
            var position = 0
            for json in content.operations.elements {
                replayer.witness?(json, self)
                try within(
                    "/operations/\(position)", try opened.transaction.apply(try Operation(json)))
                position += 1
            }
            for json in content.managers?.elements.map({ $0 }) ?? [] {
                try within("/managers", try opened.transaction.setManager(try NamedManager(json)))
            }
        } catch {
            abandon(opened.transaction)
            throw error
        }
        var wakes = WakeList()
        let decided = try complete(opened, wakes: &wakes) { _, _ in nil }
        guard let made = decided.commit else {
            throw SessionError(.internalError, "The entry changes nothing.")
        }
        guard digest.full == content.digest else {
            let digest = digest.full
            undoEngine(wakes: &wakes)
            registrationNotes.digest = decided.notesDigestBefore
            forget(opened.transaction)
            throw SessionError(
                .internalError,
                "The digest is \(String(digest, radix: 16)), the log has \(String(content.digest, radix: 16))."
            )
        }
        if let recorded { record(recorded) }
        return made
    }

    private func differs(_ entry: LogEntry, _ reason: String) -> ReplayError {
        ReplayError(session: name, revision: head + 1, reason: reason)
    }
}
