// The notes of all processes about leases of sessions. Used by one thread.
//
// The note of a renewal stays until the lease is over, as the renewal counts when its process has died. The note of a
// stream that keeps a lease goes with the process.

import SessionLog

struct LeaseBoard {
    /// A note of any process, by its key.
    private struct Note {
        let lease: LogLease
        let state: LogLeases.State
    }

    private let reader: RowReader
    private let membership: Membership
    /// The notes of streams of this process, each with the uid of its session.
    private var held: [String: String] = [:]
    /// The lease of etcd to which all these are bound; nil if some are not in etcd.
    private var bound: Int64?
    /// What etcd has to take, by the key of the note.
    private var untold: [String: LeaseNote] = [:]
    /// The notes that etcd had at a revision.
    private var notes: [String: Note] = [:]
    private var revision: Int64 = 0

    /// etcd takes 128 operations in one transaction.
    private static let notesAtATime = 100
    private static let triesMax = 3

    init(_ reader: RowReader, _ membership: Membership) {
        self.reader = reader
        self.membership = membership
    }

    // MARK: - Telling

    /// Tells the other processes. Returns when etcd has the notes, or why it has no room for them: the next call tells
    /// them again. No lease ends meanwhile, as that takes room, too.
    mutating func tell(_ notes: LeaseNotes?) throws(LogFailure) -> String? {
        for (lease, note) in notes?.byLease ?? [:] {
            add(note, of: lease, by: notes?.process ?? "")
        }
        if held.isEmpty, untold.isEmpty { return nil }
        do throws(EtcdFailure) {
            try put()
            return nil
        } catch {
            bound = nil
            guard error.kind == .full else { throw error.logFailure }
            return error.reason
        }
    }

    private mutating func add(_ note: LeaseNote, of lease: LogLease, by process: String) {
        let stream = reader.keys.note(of: lease, by: process)
        let renewal = reader.keys.renewal(of: lease)
        if note == .held {
            held[stream] = lease.uid
            untold[stream] = .held
        } else if held.removeValue(forKey: stream) != nil {
            untold[stream] = .gone
        }
        // For a stream, too: etcd may remove its note before all processes have read it.
        if note != .gone {
            untold[renewal] = .renewed
        } else if untold.removeValue(forKey: renewal) != nil || self.notes[renewal] != nil {
            untold[renewal] = .gone
        }
    }

    private mutating func put() throws(EtcdFailure) {
        for attempt in 1...Self.triesMax {
            let lease = held.isEmpty ? nil : try membership.lease()
            var all = untold
            // The notes of streams went with the lease before.
            if lease != bound { for key in held.keys { all[key] = .held } }
            var rest = all.map { operation($1, $0, lease) }[...]
            do throws(EtcdFailure) {
                while !rest.isEmpty {
                    let some = Array(rest.prefix(Self.notesAtATime))
                    _ = try reader.client.call(
                        "/v3/kv/txn", EtcdRequest.transaction(then: some),
                        deadline: reader.client.options.deadline)
                    rest = rest.dropFirst(some.count)
                }
                (bound, untold) = (lease, [:])
                return
            } catch {
                guard error.kind == .leaseLost, attempt < Self.triesMax, let lease else {
                    throw error
                }
                membership.lost(lease)
            }
        }
    }

    private func operation(_ note: LeaseNote, _ key: String, _ lease: Int64?) -> EtcdOperation {
        switch note {
        // Without a lease of etcd this process has no stream left that keeps one.
        case .held: lease.map { .put(key, Self.held, lease: $0) } ?? .delete(key)
        case .renewed: .put(key, Self.renewed)
        case .gone: .delete(key)
        }
    }

    private static let held = Array("held".utf8)
    private static let renewed = Array("renewed".utf8)

    // MARK: - Reading

    /// The notes of all processes. O(notes), of which etcd sends those that are new.
    mutating func read() throws(LogFailure) -> LogLeases {
        var answer = try ask(since: revision)
        merge(answer)
        if notes.count != Int(clamping: answer.found(at: 0).count) {
            // Notes were removed. Only all of them together tell which.
            answer = try ask(since: 0)
            notes = [:]
            merge(answer)
            held = held.filter { reader.mirror.contains($0.value) }
        }
        revision = answer.revision
        var leases = LogLeases()
        leases.mark = answer.revision
        for note in notes.values {
            if leases.states[note.lease]?.add(note.state) == nil {
                leases.states[note.lease] = note.state
            }
        }
        return leases
    }

    private func ask(since revision: Int64) throws(LogFailure) -> EtcdAnswer {
        let range = EtcdRange.all(
            reader.keys.notes, changedSince: revision == 0 ? 0 : revision + 1)
        return try reader.client.ask("/v3/kv/range", EtcdRequest.range(range))
    }

    private mutating func merge(_ answer: EtcdAnswer) {
        for value in answer.found(at: 0).values {
            guard let lease = reader.keys.lease(ofNote: value.key) else { continue }
            notes[value.key] = Note(
                lease: lease,
                state: LogLeases.State(
                    isHeld: value.value == Self.held, change: value.changedAt))
        }
    }
}
