// Snapshots are written in parts, each a transaction of its own, and count when the last part is
// there. Truncation is written down first and carried out later: a crash in between changes nothing.

import Glibc
import SessionLog

extension SQLiteLog {
    package func write(
        _ snapshot: LogSnapshot, of session: LogSession
    ) throws(LogFailure) {
        let begun = try reading { () throws(LogFailure) -> (StoredSession, Int64)? in
            let stored = try self.stored(session, for: snapshot)
            if let newest = stored.snapshots.last, snapshot.revision < newest.revision {
                return nil
            }
            return (stored, try begin(snapshot, of: stored))
        }
        guard let (stored, number) = begun else { return }
        do throws(LogFailure) {
            for part in options.parts(of: snapshot, number) {
                try reading { () throws(LogFailure) in
                    try persisting("write a snapshot") { (connection) throws(StorageError) in
                        try connection.insert(part, of: snapshot)
                    }
                    // Before the next part, so that the write-ahead log stays small.
                    copyLongWriteAheadLog()
                }
            }
            try reading { () throws(LogFailure) in
                // The session may have ended since the snapshot began.
                let present = try self.stored(session, for: snapshot)
                guard present === stored else { throw Self.mismatch(snapshot) }
                try finish(snapshot, as: number, of: stored)
            }
        } catch {
            // The parts that were written are garbage, and deleted like other garbage.
            queue.sync {
                garbage.snapshots.append(number)
                if failure == nil { scheduleUpkeep() }
            }
            throw error
        }
    }

    /// The session, if the snapshot belongs to its entries.
    private func stored(
        _ session: LogSession, for snapshot: LogSnapshot
    ) throws(LogFailure) -> StoredSession {
        guard let stored = index.sessions[session], snapshot.revision > 0 else {
            throw Self.mismatch(snapshot)
        }
        let checksum: UInt64?
        switch snapshot.revision {
        case stored.head: checksum = stored.headChecksum
        case stored.base: checksum = stored.baseChecksum
        case let revision:
            checksum =
                stored.place(of: revision) == nil
                ? nil : try entry(of: stored, revision).checksum
        }
        guard checksum == snapshot.checksum else { throw Self.mismatch(snapshot) }
        return stored
    }

    private static func mismatch(_ snapshot: LogSnapshot) -> LogFailure {
        LogFailure(
            .snapshotMismatch,
            "the log has no entry of revision \(snapshot.revision) with that checksum")
    }

    private func begin(
        _ snapshot: LogSnapshot, of stored: StoredSession
    ) throws(LogFailure) -> Int64 {
        guard snapshot.payload.count <= options.entryBytesMax else {
            throw LogFailure(
                .unavailable,
                "a snapshot of \(snapshot.payload.count) bytes could not be read again; the most is"
                    + " \(options.entryBytesMax)")
        }
        let needed = Int64(snapshot.payload.count) * 2
        guard hasRoom(for: needed, free: freeBytes) else {
            counters.change { $0.refusedForSpace += 1 }
            throw LogFailure(.unavailable, "the disk has no room for a snapshot of \(needed) bytes")
        }
        index.lastSnapshot += 1
        let begun = StoredSnapshot(
            number: index.lastSnapshot, revision: snapshot.revision, checksum: snapshot.checksum,
            bytes: snapshot.payload.count, payloadChecksum: 0)
        try persisting("begin a snapshot") { (connection) throws(StorageError) in
            try connection.insert(begun, of: stored.number, isComplete: false)
        }
        return begun.number
    }

    private func finish(
        _ snapshot: LogSnapshot, as number: Int64, of stored: StoredSession
    ) throws(LogFailure) {
        let checksum = snapshot.payload.withUnsafeBytes {
            StoredSnapshot.checksum(of: $0, revision: snapshot.revision, after: snapshot.checksum)
        }
        try persisting("finish a snapshot") { (connection) throws(StorageError) in
            try connection.statement(
                "UPDATE snapshots SET payloadChecksum = ?2, isComplete = 1 WHERE number = ?1",
                number, Int64(bitPattern: checksum)
            ).run()
        }
        let made = StoredSnapshot(
            number: number, revision: snapshot.revision, checksum: snapshot.checksum,
            bytes: snapshot.payload.count, payloadChecksum: checksum)
        if stored.snapshots.last?.revision == snapshot.revision {
            index.discard(stored.snapshots.removeLast(), &garbage)
        }
        stored.snapshots.append(made)
        // A start begins with the oldest snapshot until the log is truncated beyond it.
        while stored.snapshots.count > Self.snapshotsMax {
            index.discard(stored.snapshots.remove(at: 1), &garbage)
        }
        index.bytes += Int64(made.bytes)
        counters.change { counts in
            counts.logBytes = index.bytes
            counts.snapshots += 1
            counts.lastSnapshotAt = Self.milliseconds
        }
        if !garbage.isEmpty { scheduleUpkeep() }
    }

    /// Snapshots of one session that are kept at most.
    private static let snapshotsMax = 4

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: - Truncating and forgetting

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session] else { return nil }
            let covered = stored.snapshots.last?.revision ?? 0
            let last = min(revision, stored.head)
            guard last > stored.base else { return nil }
            guard last <= covered else {
                throw LogFailure(
                    .notCovered(snapshot: covered),
                    "the newest snapshot is of revision \(covered); \(last) is beyond it")
            }
            let dropped = stored.oldest...last
            let checksum = try entry(of: stored, last).checksum
            try persisting("truncate") { (connection) throws(StorageError) in
                try connection.statement(
                    "UPDATE sessions SET base = ?2, baseChecksum = ?3 WHERE number = ?1",
                    stored.number, last, Int64(bitPattern: checksum)
                ).run()
            }
            while stored.base < last, !stored.places.isEmpty {
                if let place = stored.dropOldest() { garbage.add(place) }
            }
            stored.baseChecksum = checksum
            while let oldest = stored.snapshots.first, oldest.revision < last {
                index.discard(stored.snapshots.removeFirst(), &garbage)
            }
            scheduleUpkeep()
            return dropped
        }
    }

    package func forget(_ session: LogSession) throws(LogFailure) {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session] else { return }
            guard stored.isDeleted else {
                throw LogFailure(
                    .notDeleted, "the session '\(session.name)' has no tombstone")
            }
            // Its tombstone is on disk: the next start forgets it when the rows stay.
            index.forget(stored, &garbage)
            scheduleUpkeep()
        }
    }

    /// Runs a transaction of upkeep. On failure nothing of it happened.
    func persisting(
        _ what: String, _ body: (Connection) throws(StorageError) -> Void
    ) throws(LogFailure) {
        do throws(StorageError) {
            let connection = try openConnection
            try connection.transaction { () throws(StorageError) in try body(connection) }
        } catch {
            note(error)
            throw LogFailure(error.unavailability, "the log could not \(what): \(error)")
        }
    }
}

extension SQLiteLogOptions {
    /// The parts in which a snapshot is written, with their ids.
    func parts(of snapshot: LogSnapshot, _ number: Int64) -> [(id: Int64, range: Range<Int>)] {
        let count = snapshot.payload.count
        return stride(from: 0, to: count, by: snapshotPartBytes).enumerated().map { part, start in
            (
                number << SQLiteLog.partBits + Int64(part),
                start..<min(start + snapshotPartBytes, count)
            )
        }
    }
}

extension Connection {
    /// Inserts the row of a snapshot.
    ///
    /// - Parameter session: the number of its session.
    func insert(
        _ snapshot: StoredSnapshot, of session: Int64, isComplete: Bool
    ) throws(StorageError) {
        try statement(
            "INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", snapshot.number, session,
            snapshot.revision, Int64(bitPattern: snapshot.checksum), Int64(snapshot.bytes),
            Int64(bitPattern: snapshot.payloadChecksum), isComplete ? 1 : 0
        ).run()
    }

    func insert(
        _ part: (id: Int64, range: Range<Int>), of snapshot: LogSnapshot
    ) throws(StorageError) {
        try statement("INSERT INTO parts VALUES (?1, ?2)", part.id)
            .run(2, snapshot.payload[part.range])
    }
}
