// The index of a log's sessions in memory, and the changes that a batch makes to it. A batch is
// checked in memory and written; then its changes are applied to the index.

import SessionLog

/// The sessions of a log. Confined to the queue of the log.
struct LogIndex {
    /// Sessions with entries, deleted ones included.
    var sessions: [LogSession: StoredSession] = [:]
    /// The live sessions.
    var names: [String: StoredSession] = [:]
    /// The newest number of a session, and of a row of entries.
    var lastNumber: Int64 = 0
    var lastSequence: Int64 = 0
    var lastSnapshot: Int64 = 0
    /// Bytes of entries and snapshots.
    var bytes: Int64 = 0

    /// Makes garbage of all that the log has of a session.
    mutating func forget(_ stored: StoredSession, _ garbage: inout Garbage) {
        sessions[stored.session] = nil
        while !stored.places.isEmpty {
            if let place = stored.dropOldest() { garbage.add(place) }
        }
        for snapshot in stored.snapshots { discard(snapshot, &garbage) }
        garbage.sessions.append(stored.number)
    }

    mutating func discard(_ snapshot: StoredSnapshot, _ garbage: inout Garbage) {
        garbage.snapshots.append(snapshot.number)
        bytes -= Int64(snapshot.bytes)
    }
}

/// The changes of a batch: the sessions that it touches, as they will be.
struct StagedBatch {
    struct Staged {
        let number: Int64
        let session: LogSession
        var head: Int64
        var headChecksum: UInt64
        var isDeleted: Bool
        let isNew: Bool
        /// Sequence numbers of the rows of its new entries, one for each entry.
        var places: [Int64] = []
    }

    /// A row that the batch adds.
    struct Row {
        /// The number of the session.
        let session: Int64
        /// Where its entries are among the batch's.
        var entries: Range<Int>
    }

    private(set) var sessions: [LogSession: Staged] = [:]
    /// The new holders of names; nil frees a name.
    private(set) var names: [String: LogSession?] = [:]
    /// In the order of their sequence numbers.
    private(set) var rows: [Row] = []
    private(set) var entries: [LogEntry] = []
    private(set) var bytes: Int64 = 0
    private var lastNumber: Int64
    /// The sequence number of the last of `rows`.
    private(set) var lastSequence: Int64
    private(set) var lastSession: LogSession?

    init(_ index: LogIndex) {
        lastNumber = index.lastNumber
        lastSequence = index.lastSequence
    }

    private func staged(_ session: LogSession, in index: LogIndex) -> Staged? {
        if let known = sessions[session] { return known }
        return index.sessions[session].map {
            Staged(
                number: $0.number, session: session, head: $0.head,
                headChecksum: $0.headChecksum, isDeleted: $0.isDeleted, isNew: false)
        }
    }

    private func holder(of name: String, in index: LogIndex) -> LogSession? {
        if let changed = names[name] { return changed }
        return index.names[name]?.session
    }

    /// Adds a part whose form was checked, if the log is where the part expects it.
    mutating func add(_ part: LogAppend, to index: LogIndex) -> AppendResult {
        let session = part.session
        let known = staged(session, in: index)
        var next: Staged
        if part.expecting == 0 {
            let holder = holder(of: session.name, in: index)
            guard known == nil, holder == nil else {
                return .conflict(
                    LogConflict(
                        head: known?.head ?? 0, holder: holder,
                        isDeleted: known?.isDeleted ?? false))
            }
            lastNumber += part.entries.isEmpty ? 0 : 1
            next = Staged(
                number: lastNumber, session: session, head: 0, headChecksum: 0, isDeleted: false,
                isNew: true)
        } else {
            guard let known else { return .conflict(LogConflict(head: 0)) }
            guard known.head == part.expecting, !known.isDeleted else {
                return .conflict(LogConflict(head: known.head, isDeleted: known.isDeleted))
            }
            next = known
        }
        guard let first = part.entries.first, let last = part.entries.last else {
            return .appended
        }
        guard first.previous == next.headChecksum else {
            if part.expecting == 0 { lastNumber -= 1 }
            return .refused(reason: LogAppend.brokenChain(first))
        }
        next.places.reserveCapacity(next.places.count + part.entries.count)
        var rowBytes = 0
        for (position, entry) in part.entries.enumerated() {
            if position == 0 || !StoredRow.takes(entry, behind: rowBytes) {
                lastSequence += 1
                rows.append(Row(session: next.number, entries: entries.count..<entries.count))
                rowBytes = 0
            }
            next.places.append(lastSequence)
            entries.append(entry)
            rows[rows.count - 1].entries = rows[rows.count - 1].entries.lowerBound..<entries.count
            rowBytes += StoredRow.bytes(of: entry)
            bytes += Int64(StoredRow.bytes(of: entry))
        }
        next.head = last.revision
        next.headChecksum = last.checksum
        next.isDeleted = last.kind == .tombstone
        sessions[session] = next
        if next.isDeleted {
            names[session.name] = .some(nil)
        } else if part.expecting == 0 {
            names[session.name] = session
        }
        lastSession = session
        return .appended
    }

    /// Takes the batch over. It is on disk.
    func apply(to index: inout LogIndex) {
        for (session, staged) in sessions {
            let stored: StoredSession
            if let known = index.sessions[session] {
                stored = known
            } else {
                stored = StoredSession(number: staged.number, session: session)
                index.sessions[session] = stored
            }
            stored.places.append(contentsOf: staged.places)
            stored.head = staged.head
            stored.headChecksum = staged.headChecksum
            stored.isDeleted = staged.isDeleted
        }
        for (name, holder) in names {
            index.names[name] = holder.flatMap { index.sessions[$0] }
        }
        index.lastNumber = lastNumber
        index.lastSequence = lastSequence
        index.bytes += bytes
    }
}
