// Snapshots are written in parts, each a transaction of its own, and count when the last part is
// there. Truncation is written down first and carried out later: a crash in between changes nothing.

import CSQLite
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
            var offset = 0
            var part: Int64 = 0
            while offset < snapshot.payload.count {
                let end = min(offset + options.snapshotPartBytes, snapshot.payload.count)
                try reading { () throws(LogFailure) in
                    try write(snapshot, offset..<end, as: number << Self.partBits + part)
                }
                offset = end
                part += 1
            }
            try reading { () throws(LogFailure) in
                // The session may have ended meanwhile.
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
            counters.refusedForSpace.add(1, ordering: .relaxed)
            throw LogFailure(.unavailable, "the disk has no room for a snapshot of \(needed) bytes")
        }
        index.lastSnapshot += 1
        let number = index.lastSnapshot
        try persisting("begin a snapshot") { (connection) throws(StorageError) in
            let insert = try connection.statement(
                "INSERT INTO snapshots VALUES (?1, ?2, ?3, ?4, ?5, 0, 0)")
            try insert.bind(1, number)
            try insert.bind(2, stored.number)
            try insert.bind(3, snapshot.revision)
            try insert.bind(4, snapshot.checksum)
            try insert.bind(5, Int64(snapshot.payload.count))
            try insert.run()
        }
        return number
    }

    private func write(
        _ snapshot: LogSnapshot, _ range: Range<Int>, as id: Int64
    ) throws(LogFailure) {
        try persisting("write a snapshot") { (connection) throws(StorageError) in
            let insert = try connection.statement("INSERT INTO parts VALUES (?1, ?2)")
            try insert.bind(1, id)
            let failed = snapshot.payload.withUnsafeBytes { bytes -> StorageError? in
                do throws(StorageError) {
                    try insert.bind(2, UnsafeRawBufferPointer(rebasing: bytes[range]))
                    try insert.run()
                    return nil
                } catch {
                    return error
                }
            }
            if let failed { throw failed }
        }
        // Before the next part, so that the write-ahead log stays small.
        copyLongWriteAheadLog()
    }

    private func finish(
        _ snapshot: LogSnapshot, as number: Int64, of stored: StoredSession
    ) throws(LogFailure) {
        let checksum = snapshot.payload.withUnsafeBytes {
            StoredSnapshot.checksum(of: $0, revision: snapshot.revision, after: snapshot.checksum)
        }
        try persisting("finish a snapshot") { (connection) throws(StorageError) in
            let update = try connection.statement(
                "UPDATE snapshots SET payloadChecksum = ?2, isComplete = 1 WHERE number = ?1")
            try update.bind(1, number)
            try update.bind(2, checksum)
            try update.run()
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
        counters.logBytes.store(index.bytes, ordering: .relaxed)
        counters.snapshots.add(1, ordering: .relaxed)
        counters.lastSnapshotAt.store(Self.milliseconds, ordering: .relaxed)
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
                let update = try connection.statement(
                    "UPDATE sessions SET base = ?2, baseChecksum = ?3 WHERE number = ?1")
                try update.bind(1, stored.number)
                try update.bind(2, last)
                try update.bind(3, checksum)
                try update.run()
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
