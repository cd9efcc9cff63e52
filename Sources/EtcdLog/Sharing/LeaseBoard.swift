// The notes of all processes about leases of sessions. Used by one thread.

import SessionLog

struct LeaseBoard {
    /// A note of this process.
    private struct Own {
        let uid: String
        var isHeld: Bool
    }

    /// A note of any process, by its key.
    private struct Note {
        let lease: LogLease
        let state: LogLeases.State
    }

    private let reader: RowReader
    private let membership: Membership
    private var own: [String: Own] = [:]
    /// The lease of etcd to which all notes of this process are bound; nil if some are not in etcd.
    private var bound: Int64?
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

    /// Tells the other processes. Returns when etcd has the notes.
    mutating func tell(_ notes: LeaseNotes?) throws(LogFailure) {
        var operations: [EtcdOperation] = []
        var told: [String] = []
        for (lease, note) in notes?.byLease ?? [:] {
            let key = reader.keys.note(of: lease, by: notes?.process ?? "")
            if note == .gone {
                if own.removeValue(forKey: key) != nil { operations.append(.delete(key)) }
            } else {
                own[key] = Own(uid: lease.uid, isHeld: note == .held)
                told.append(key)
            }
        }
        if own.isEmpty, operations.isEmpty { return }
        do throws(EtcdFailure) {
            try put(told, operations)
        } catch {
            bound = nil
            // etcd takes no ends of leases either while it is full.
            if error.kind != .full { throw error.logFailure }
        }
    }

    private mutating func put(
        _ told: [String], _ deletions: [EtcdOperation]
    ) throws(EtcdFailure) {
        for attempt in 1...Self.triesMax {
            let lease = try membership.lease()
            // The notes went with the lease before.
            let keys = bound == lease ? told : Array(own.keys)
            var rest = (deletions + keys.map { put($0, lease) })[...]
            do throws(EtcdFailure) {
                while !rest.isEmpty {
                    let some = Array(rest.prefix(Self.notesAtATime))
                    _ = try reader.client.call(
                        "/v3/kv/txn", EtcdRequest.transaction(then: some),
                        deadline: reader.client.options.deadline)
                    rest = rest.dropFirst(some.count)
                }
                bound = lease
                return
            } catch {
                guard error.kind == .leaseLost, attempt < Self.triesMax else { throw error }
                membership.lost(lease)
            }
        }
    }

    private func put(_ key: String, _ lease: Int64) -> EtcdOperation {
        .put(key, Self.value(isHeld: own[key]?.isHeld ?? false), lease: lease)
    }

    private static func value(isHeld: Bool) -> [UInt8] { Array((isHeld ? "held" : "renewed").utf8) }

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
            own = own.filter { reader.mirror.contains($0.value.uid) }
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
                    isHeld: value.value == Self.value(isHeld: true), change: value.changedAt))
        }
    }
}
