// Appending: one transaction and one flush for each batch, of any size.

import Background
import CSQLite
import Glibc
import SessionLog

extension SQLiteLog {
    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        if batch.isEmpty { return [] }
        let results = queue.sync { appendNow(batch) }
        for (part, result) in zip(batch, results)
        where result == .appended && !part.entries.isEmpty {
            followers.appended(part.entries, to: part.session)
        }
        return results
    }

    private func appendNow(_ batch: [LogAppend]) -> [AppendResult] {
        if let failure { return batch.map { _ in .unavailable(reason: failure) } }
        var staged = StagedBatch(index)
        let results = judge(batch, &staged)
        if staged.entries.isEmpty { return results }
        func ended(by outcome: AppendResult) -> [AppendResult] {
            zip(batch, results).map { part, result in
                result == .appended && !part.entries.isEmpty ? outcome : result
            }
        }
        do throws(StorageError) {
            try persist(staged)
        } catch {
            if error.isFull {
                counters.change { $0.refusedForSpace += 1 }
                return ended(by: full("the disk is full"))
            }
            stop(
                "writing to '\(directory.path)' failed \(options.flushAttemptsMax + 1) times:"
                    + " \(error.description)")
            return ended(by: .unknown(reason: failure ?? error.description))
        }
        guard isStillThere else {
            stop("the files in '\(directory.path)' were removed or replaced while they were in use")
            return ended(by: .unknown(reason: failure ?? ""))
        }
        staged.apply(to: &index)
        if !staged.names.isEmpty {
            shared.withLock { for (name, holder) in staged.names { $0.names[name] = holder } }
        }
        counters.change { $0.logBytes = index.bytes }
        noteAcknowledged(staged)
        if walPages.pointee >= options.checkpointPages || !garbage.isEmpty { scheduleUpkeep() }
        return results
    }

    /// Decides each part, in order.
    private func judge(_ batch: [LogAppend], _ staged: inout StagedBatch) -> [AppendResult] {
        var entriesLeft = Self.maxBatchEntries
        var room: Int64?
        return batch.map { part in
            guard part.entries.count <= entriesLeft else {
                entriesLeft = 0
                return .refused(reason: "the batch has more than \(Self.maxBatchEntries) entries")
            }
            entriesLeft -= part.entries.count
            if let reason = part.malformation(for: properties) { return .refused(reason: reason) }
            // A tombstone makes room, so it is taken as long as the disk takes it.
            if !part.entries.isEmpty, part.entries.last?.kind != .tombstone {
                let free = room ?? freeBytes
                // In the write-ahead log and then in the database.
                let needed = part.entries.reduce(0) { $0 + Int64($1.storedBytes) * 2 }
                guard hasRoom(for: needed, free: free) else {
                    counters.change { $0.refusedForSpace += 1 }
                    return full("the disk is nearly full")
                }
                room = free - needed
            }
            return staged.add(part, to: index)
        }
    }

    private func full(_ reason: String) -> AppendResult {
        .full(
            reason: reason,
            disk: DiskRoom(
                freeBytes: max(0, freeBytes), minFreeBytes: options.minFreeDiskBytes))
    }

    /// Whether writing `needed` bytes leaves enough of the disk free. Pages of the database that are free
    /// count as well: deleting sessions makes room, although the file stays as long as it is. Half of
    /// the reserve has to be on the disk itself, for the write-ahead log.
    ///
    /// - Parameter free: bytes that the disk has left.
    func hasRoom(for needed: Int64, free: Int64) -> Bool {
        if free - needed >= options.minFreeDiskBytes { return true }
        guard free - needed >= options.minFreeDiskBytes / 2, let connection,
            let pages = try? connection.integer("PRAGMA freelist_count")
        else { return false }
        let reusable = pages * Int64(TRAITD_PAGE_BYTES)
        return free - needed >= options.minFreeDiskBytes - reusable
    }

    var freeBytes: Int64 { options.freeBytes?() ?? directory.freeBytes ?? 0 }

    /// Whether the paths still lead to the files that are open.
    private var isStillThere: Bool {
        FileIdentity(directory.databasePath) == databaseIdentity
            && FileIdentity(directory.walPath) == walIdentity
    }

    /// Writes a batch, and again when its flush fails. After a failed flush the content of the disk is
    /// unknown, and reading does not show it: the same pages are written again by the same
    /// connection, until a flush of all of them succeeds.
    private func persist(_ staged: StagedBatch) throws(StorageError) {
        appendsSinceUpkeep += 1
        hasCopyFailed = false
        if !garbage.isEmpty {
            // Twice the new rows: the garbage of a truncation is gone long before the next one.
            let rows = max(Self.rowsWithBatchMin, 2 * staged.rows.count)
            // A failure to delete garbage must not prevent the batch.
            do throws(StorageError) {
                let slice = try write(staged, upkeepRowsMax: min(options.upkeepRowsMax, rows))
                return removeGarbage(slice)
            } catch {
                note(error)
            }
        }
        var attempt = 0
        while true {
            do throws(StorageError) {
                _ = try write(staged, upkeepRowsMax: 0)
                return
            } catch {
                note(error)
                if error.isFull || attempt == options.flushAttemptsMax { throw error }
            }
            Uptime.pause(options.flushRetry * (1 << attempt))
            attempt += 1
        }
    }

    /// Counts a transaction that failed, unless for lack of room.
    func note(_ error: StorageError) {
        if !error.isFull { counters.change { $0.failedFlushes += 1 } }
    }

    /// Rows of upkeep that go with the smallest batch.
    private static let rowsWithBatchMin = 16

    /// Writes a batch, and deletes some garbage in the same transaction: a flush for each would take
    /// twice the time.
    ///
    /// - Returns: the garbage that is deleted.
    private func write(
        _ staged: StagedBatch, upkeepRowsMax: Int
    ) throws(StorageError) -> UpkeepSlice {
        let connection = try openConnection
        var slice = UpkeepSlice()
        try connection.statement("BEGIN IMMEDIATE").run()
        do throws(StorageError) {
            for (session, next) in staged.sessions where next.isNew {
                let insert = try connection.statement(
                    "INSERT INTO sessions VALUES (?1, ?2, ?3, 0, 0)", next.number)
                try insert.bind(2, session.name)
                try insert.bind(3, session.uid)
                try insert.run()
            }
            var sequence = index.lastSequence
            let insert = try connection.statement("INSERT INTO entries VALUES (?1, ?2)")
            for row in staged.rows {
                sequence += 1
                encode(staged.entries[row.entries], of: row.session)
                try insert.bind(1, sequence)
                try insert.run(2, encoded[...])
            }
            if upkeepRowsMax > 0, !garbage.isEmpty {
                slice = try delete(upTo: upkeepRowsMax, on: connection)
            }
            let start = Uptime.now
            try connection.statement("COMMIT").run()
            counters.note(entries: staged.entries.count, flush: start.duration(to: .now))
            return slice
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func encode(_ entries: ArraySlice<LogEntry>, of session: Int64) {
        encoded.removeAll(keepingCapacity: encoded.capacity <= Self.encodedBytesKept)
        for entry in entries { StoredRow.append(entry, of: session, to: &encoded) }
    }

    /// The buffer for one row is given back when a row was larger than this.
    private static let encodedBytesKept = 1_048_576

    var openConnection: Connection {
        get throws(StorageError) {
            queue.check()
            guard let connection else {
                throw StorageError(code: SQLITE_MISUSE, message: "the log is closed")
            }
            return connection
        }
    }

    private func noteAcknowledged(_ staged: StagedBatch) {
        guard acknowledgedDescriptor >= 0, let session = staged.lastSession,
            let last = staged.sessions[session]
        else { return }
        _ = AcknowledgedMark(sequence: staged.lastSequence, revision: last.head, session: session)
            .write(to: acknowledgedDescriptor)
    }
}
