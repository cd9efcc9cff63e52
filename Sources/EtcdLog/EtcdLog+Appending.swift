// Appending: one transaction for as many parts of a batch as can be decided together. It is sent until etcd
// answers, always with the same bytes: the comparison lets one copy win, and the row's tag shows a writer
// that an earlier copy has won.

import Background
import SessionLog

extension EtcdLog {
    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        var results = [AppendResult](
            repeating: .refused(reason: "the part was not decided"), count: batch.count)
        var entriesLeft = properties.maxBatchEntries
        var group = AppendGroup()
        for (index, part) in batch.enumerated() {
            if let result = refusal(of: part, &entriesLeft) {
                results[index] = result
                continue
            }
            let outgoing = OutgoingPart(part, at: index)
            if !group.takes(outgoing) {
                decide(&group, &results)
            }
            group.add(outgoing)
        }
        decide(&group, &results)
        return results
    }

    /// The result of a part that needs no answer of etcd.
    private func refusal(of part: LogAppend, _ entriesLeft: inout Int) -> AppendResult? {
        guard part.entries.count <= entriesLeft else {
            entriesLeft = 0
            return .refused(
                reason: "the batch has more than \(properties.maxBatchEntries) entries")
        }
        entriesLeft -= part.entries.count
        if let reason = part.malformation(for: properties) { return .refused(reason: reason) }
        guard let first = part.entries.first, let last = part.entries.last else { return nil }
        if part.expecting == 0, first.previous != 0 {
            return .refused(reason: LogAppend.brokenChain(first))
        }
        let bytes = part.entries.reduce(0) { $0 + $1.payload.count }
        if last.kind != .tombstone, let reason = reader.space.refusal(of: bytes) {
            counters.change { $0.refusedForSpace += 1 }
            return .full(reason: reason, disk: nil)
        }
        return nil
    }

    /// Sends the parts of a group until each has a result.
    private func decide(_ group: inout AppendGroup, _ results: inout [AppendResult]) {
        var parts = group.parts
        group = AppendGroup()
        do throws(EtcdFailure) {
            for part in parts {
                try reader.write(
                    part.pieces, keys.pieces(part.session.uid, part.last, part.tag), deadline: nil)
            }
            var failures = 0
            while !parts.isEmpty {
                turns.wait(for: parts)
                let known = parts.map { mirror.head(of: $0.session.uid) }
                let start = Uptime.now
                let rows = parts.filter { !$0.entries.isEmpty }.map {
                    (key: keys.row($0.session.uid, $0.last), tag: $0.tag)
                }
                mirror.noteOutgoing(rows, isOver: false)
                defer { mirror.noteOutgoing(rows, isOver: true) }
                var answer = try client.call(
                    "/v3/kv/txn", AppendGroup.request(parts, keys, writer: turns.writer),
                    deadline: nil)
                let time = start.duration(to: .now)
                turns.note(answer, of: parts, after: time)
                // A part without entries is only looked at.
                let isEmpty = parts.allSatisfy(\.entries.isEmpty)
                let isLook = isEmpty || !answer.succeeded
                if isLook, !isEmpty { answer = try look(parts) }
                if isLook, AppendGroup.isBehind(known, parts, answer) {
                    throw client.closeAsRestored()
                }
                let outcomes = AppendGroup.outcomes(parts, answer, isLook: isLook)
                for (part, outcome) in zip(parts, outcomes) {
                    if outcome == .appended { deliver(part, at: answer.revision) }
                    if let outcome { results[part.index] = outcome }
                }
                let appended = zip(parts, outcomes).filter { $1 == .appended }
                let count = appended.reduce(0) { $0 + $1.0.entries.count }
                if count > 0 { counters.note(entries: count, flush: time) }
                if isLook { takeConflicts(answer) }
                let rest = zip(parts, outcomes).filter { $0.1 == nil }.map(\.0)
                // What has failed a comparison may be gone when it is looked for: a name that was taken, for example.
                failures = rest.count == parts.count ? failures + 1 : 0
                if failures == Self.failuresMax {
                    throw EtcdFailure(.refused, "etcd refuses an append without a reason")
                }
                parts = rest
            }
        } catch {
            settle(parts, error, &results)
        }
    }

    /// Where the sessions are after a transaction that has failed or has no answer. An earlier try of it may have been
    /// carried out.
    private func look(_ parts: [OutgoingPart]) throws(EtcdFailure) -> EtcdAnswer {
        do throws(EtcdFailure) {
            return try client.call("/v3/kv/txn", AppendGroup.look(parts, keys), deadline: nil)
        } catch {
            throw EtcdFailure(error.kind, error.reason, mayHaveHappened: true)
        }
    }

    /// Gives results to parts that etcd refuses. An earlier try may have been carried out; etcd shows whether.
    private func settle(
        _ parts: [OutgoingPart], _ failure: EtcdFailure, _ results: inout [AppendResult]
    ) {
        var result = result(of: failure)
        var outcomes = [AppendResult?](repeating: nil, count: parts.count)
        if failure.mayHaveHappened, failure.kind != .closed {
            do throws(EtcdFailure) {
                let answer = try look(parts)
                outcomes = AppendGroup.outcomes(parts, answer, isLook: true)
                for (part, outcome) in zip(parts, outcomes) where outcome == .appended {
                    deliver(part, at: answer.revision)
                }
            } catch {
                result = .unknown(reason: error.reason)
            }
        }
        for (part, outcome) in zip(parts, outcomes) { results[part.index] = outcome ?? result }
    }

    private func result(of failure: EtcdFailure) -> AppendResult {
        switch failure.kind {
        case .full:
            counters.change { $0.refusedForSpace += 1 }
            return .full(reason: failure.reason, disk: nil)
        case .closed: return .unknown(reason: failure.reason)
        case .denied: return .denied(reason: failure.reason)
        default: return .refused(reason: failure.reason)
        }
    }

    private func deliver(_ part: OutgoingPart, at revision: Int64) {
        let (uid, name) = (part.session.uid, part.session.name)
        guard !part.entries.isEmpty,
            mirror.deliver(part.entries, to: uid, name: name, at: revision, isOwn: true) == .gap
        else { return }
        catchUp(uid)
    }

    /// How often a transaction may fail without a reason that can be seen afterwards.
    private static let failuresMax = 16

    /// The rows of an answer that show where the log is instead.
    private func takeConflicts(_ answer: EtcdAnswer) {
        for value in answer.found.flatMap(\.values) {
            do throws(LogFailure) {
                try reader.take(value)
            } catch {
                // The watch brings them as well.
            }
        }
    }

    private func catchUp(_ uid: String) {
        do throws(LogFailure) {
            try reader.catchUp(uid)
        } catch {
            // The watch, and at last the next sweep, bring what this process does not have.
        }
    }
}
