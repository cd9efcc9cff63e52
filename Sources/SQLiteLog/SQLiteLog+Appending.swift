// Appending: one transaction and one flush for each batch, whatever it holds.

import CSQLite
import Dispatch
import Glibc
import SessionLog

extension SQLiteLog {
    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        if batch.isEmpty { return [] }
        let (results, appended) = queue.sync { appendNow(batch) }
        for session in appended { subscribers.call(for: session) }
        return results
    }

    /// - Returns: the results, and the sessions that got entries.
    private func appendNow(_ batch: [LogAppend]) -> ([AppendResult], [LogSession]) {
        if let failure {
            return (batch.map { _ in .unavailable(reason: failure) }, [])
        }
        var staged = StagedBatch(index)
        var appended: [LogSession] = []
        var results = judge(batch, &staged, &appended)
        if staged.entries.isEmpty { return (results, []) }
        do throws(StorageError) {
            try persist(staged)
        } catch {
            let outcome: AppendResult
            if error.isFull {
                counters.refusedForSpace.add(1, ordering: .relaxed)
                outcome = full("the disk is full")
            } else {
                stop(
                    "writing to '\(directory.path)' failed \(options.flushAttemptsMax + 1) times:"
                        + " \(error.description)")
                outcome = .unknown(reason: failure ?? error.description)
            }
            for (position, part) in batch.enumerated()
            where results[position] == .appended && !part.entries.isEmpty {
                results[position] = outcome
            }
            return (results, [])
        }
        guard isStillThere else {
            stop("the files in '\(directory.path)' were removed or replaced while they were in use")
            for (position, part) in batch.enumerated()
            where results[position] == .appended && !part.entries.isEmpty {
                results[position] = .unknown(reason: failure ?? "")
            }
            return (results, [])
        }
        staged.apply(to: &index)
        if !staged.names.isEmpty {
            shared.withLock { for (name, holder) in staged.names { $0.names[name] = holder } }
        }
        counters.logBytes.store(index.bytes, ordering: .relaxed)
        noteAcknowledged(staged)
        if walPages.pointee >= options.checkpointPages || !garbage.isEmpty { scheduleUpkeep() }
        return (results, appended)
    }

    /// Decides each part, in order.
    private func judge(
        _ batch: [LogAppend], _ staged: inout StagedBatch, _ appended: inout [LogSession]
    ) -> [AppendResult] {
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
                guard free - needed >= options.minFreeDiskBytes else {
                    counters.refusedForSpace.add(1, ordering: .relaxed)
                    return full("the disk is nearly full")
                }
                room = free - needed
            }
            let result = staged.add(part, to: index)
            if result == .appended, !part.entries.isEmpty { appended.append(part.session) }
            return result
        }
    }

    private func full(_ reason: String) -> AppendResult {
        .full(
            reason: reason, freeBytes: max(0, freeBytes),
            minFreeBytes: options.minFreeDiskBytes)
    }

    var freeBytes: Int64 { options.freeBytes?() ?? directory.freeBytes ?? 0 }

    /// Whether the paths still lead to the files that are open.
    private var isStillThere: Bool {
        FileIdentity(directory.databasePath) == databaseIdentity
            && FileIdentity(directory.walPath) == walIdentity
    }

    /// Writes a batch, and again when its flush fails. A flush that failed proves nothing about what
    /// is on the disk, and neither does reading it: the same pages are written again by the same
    /// connection, until a flush of all of them succeeds.
    private func persist(_ staged: StagedBatch) throws(StorageError) {
        var attempt = 0
        while true {
            do throws(StorageError) {
                return try write(staged)
            } catch {
                counters.failedFlushes.add(1, ordering: .relaxed)
                if error.isFull || attempt == options.flushAttemptsMax { throw error }
            }
            usleep(UInt32(options.flushRetry / .microseconds(1)) << UInt32(attempt))
            attempt += 1
        }
    }

    private func write(_ staged: StagedBatch) throws(StorageError) {
        let connection = try openConnection
        try connection.statement("BEGIN IMMEDIATE").run()
        do throws(StorageError) {
            for (session, next) in staged.sessions where next.isNew {
                let insert = try connection.statement(
                    "INSERT INTO sessions VALUES (?1, ?2, ?3, 0, 0)")
                try insert.bind(1, next.number)
                try insert.bind(2, session.name)
                try insert.bind(3, session.uid)
                try insert.run()
            }
            var sequence = index.lastSequence
            let insert = try connection.statement("INSERT INTO entries VALUES (?1, ?2)")
            for (number, entry) in staged.entries {
                sequence += 1
                try self.insert(entry, of: number, as: sequence, insert)
            }
            let start = ContinuousClock.now
            try connection.statement("COMMIT").run()
            counters.note(entries: staged.entries.count, flush: start.duration(to: .now))
        } catch {
            // Some failures have rolled back already.
            if sqlite3_get_autocommit(connection.handle) == 0 {
                try? connection.execute("ROLLBACK")
            }
            throw error
        }
    }

    private func insert(
        _ entry: LogEntry, of number: Int64, as sequence: Int64, _ insert: Statement
    ) throws(StorageError) {
        encoded.removeAll(keepingCapacity: encoded.capacity <= Self.encodedBytesKept)
        withUnsafeBytes(of: number.littleEndian) { encoded.append(contentsOf: $0) }
        entry.encode(into: &encoded)
        try insert.bind(1, sequence)
        let result = encoded.withUnsafeBytes { bytes -> StorageError? in
            do throws(StorageError) {
                try insert.bind(2, bytes)
                try insert.run()
                return nil
            } catch {
                return error
            }
        }
        if let result { throw result }
    }

    /// The buffer for one entry is given back when an entry was larger than this.
    private static let encodedBytesKept = 1_048_576

    var openConnection: Connection {
        get throws(StorageError) {
            dispatchPrecondition(condition: .onQueue(queue))
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
        AcknowledgedMark(sequence: staged.lastSequence, revision: last.head, session: session)
            .write(to: acknowledgedDescriptor)
    }
}
