// The work between batches, a bounded slice at a time: copying the write-ahead log into the
// database, and deleting rows that nothing needs. While batches come, rows are deleted with them.

import Background
import DequeModule
import SessionLog

/// Rows to be deleted. None of them is needed to open the log, so a crash loses nothing.
struct Garbage {
    var places = Deque<Int64>()
    /// The newest sequence number that was ever among `places`.
    private(set) var lastPlace: Int64 = 0
    /// Numbers of snapshots whose parts and row go.
    var snapshots = Deque<Int64>()
    /// Numbers of forgotten sessions. Their rows are deleted last, as the other rows refer to them.
    var sessions = Deque<Int64>()
    /// Numbers that were taken from `sessions` when the database had marked them as forgotten.
    var markedSessions = Deque<Int64>()

    var isEmpty: Bool {
        places.isEmpty && snapshots.isEmpty && sessions.isEmpty && markedSessions.isEmpty
    }

    mutating func add(_ place: Int64) {
        places.append(place)
        lastPlace = max(lastPlace, place)
    }

    /// The first places in runs without a gap, which are deleted together. O(count).
    fileprivate func runs(ofFirst count: Int) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for place in places.prefix(count) {
            if let last = runs.last, place == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...place
            } else {
                runs.append(place...place)
            }
        }
        return runs
    }

    /// Removes the garbage that a slice has deleted. O(rows of the slice).
    fileprivate mutating func remove(_ slice: UpkeepSlice) {
        for _ in 0..<slice.marked { markedSessions.append(sessions.removeFirst()) }
        places.removeFirst(slice.places)
        snapshots.removeFirst(slice.snapshots)
        markedSessions.removeFirst(slice.sessions)
    }
}

/// How much of each kind of garbage a slice of upkeep has deleted, from the front.
struct UpkeepSlice {
    /// Sessions that were marked as forgotten.
    var marked = 0
    var places = 0
    var snapshots = 0
    var sessions = 0
    /// Bytes of the deleted entries.
    var bytes: Int64 = 0
}

extension SQLiteLog {
    /// `base` of a session whose rows are all to be deleted.
    static let forgottenBase = Int64.max

    /// How long no batch comes before garbage is deleted in transactions of its own.
    private static let quietTime = Duration.milliseconds(10)

    /// Has a slice of upkeep run when the calls before it are done. Runs on the queue.
    func scheduleUpkeep(after time: Duration? = nil) {
        queue.check()
        if isUpkeepScheduled { return }
        isUpkeepScheduled = true
        if let time {
            queue.async(after: time) { [weak self] in self?.takeUpkeep() }
        } else {
            queue.async { [weak self] in self?.takeUpkeep() }
        }
    }

    private func takeUpkeep() {
        isUpkeepScheduled = false
        guard failure == nil, let connection else { return }
        copyLongWriteAheadLog()
        guard !garbage.isEmpty else { return }
        if appendsSinceUpkeep > 0 {
            appendsSinceUpkeep = 0
            return scheduleUpkeep(after: Self.quietTime)
        }
        var slice = UpkeepSlice()
        do throws(StorageError) {
            try connection.transaction { () throws(StorageError) in
                slice = try delete(upTo: options.upkeepRowsMax, on: connection)
            }
        } catch {
            // Tried again after the next append.
            note(error)
            return
        }
        removeGarbage(slice)
        if !garbage.isEmpty { scheduleUpkeep() }
    }

    /// The slice is deleted from the database.
    func removeGarbage(_ slice: UpkeepSlice) {
        garbage.remove(slice)
        index.bytes -= slice.bytes
        counters.change { $0.logBytes = index.bytes }
    }

    /// Deletes garbage: at most `rowsMax` rows of each kind. Runs inside a transaction.
    func delete(
        upTo rowsMax: Int, on connection: Connection
    ) throws(StorageError) -> UpkeepSlice {
        var slice = UpkeepSlice()
        for number in garbage.sessions.prefix(rowsMax) {
            try connection.statement(
                "UPDATE sessions SET base = ?2 WHERE number = ?1", number, Self.forgottenBase
            ).run()
            slice.marked += 1
        }
        // A session's rows are deleted only when the session is marked as forgotten.
        if slice.marked < garbage.sessions.count { return slice }
        try connection.statement(
            "UPDATE marks SET sequence = max(sequence, ?1)", garbage.lastPlace
        ).run()
        slice.places = min(rowsMax, garbage.places.count)
        for run in garbage.runs(ofFirst: slice.places) {
            slice.bytes += try Self.deleteEntries(run, on: connection)
        }
        if slice.places == rowsMax { return slice }
        if let number = garbage.snapshots.first {
            if try Self.deleteParts(of: number, on: connection) { slice.snapshots = 1 }
            return slice
        }
        for number in garbage.markedSessions.prefix(rowsMax) {
            try connection.statement("DELETE FROM sessions WHERE number = ?1", number).run()
            slice.sessions += 1
        }
        return slice
    }

    /// Returns the bytes of the entries.
    private static func deleteEntries(
        _ places: ClosedRange<Int64>, on connection: Connection
    ) throws(StorageError) -> Int64 {
        let sum = try connection.statement(
            "SELECT sum(length(entry)) FROM entries WHERE sequence BETWEEN ?1 AND ?2",
            places.lowerBound, places.upperBound)
        var bytes: Int64 = 0
        while try sum.step() { bytes += sum.integer(0) }
        try connection.statement(
            "DELETE FROM entries WHERE sequence BETWEEN ?1 AND ?2", places.lowerBound,
            places.upperBound
        ).run()
        return bytes
    }

    private static let partsAtATime: Int64 = 4

    /// Returns whether none is left.
    private static func deleteParts(
        of number: Int64, on connection: Connection
    ) throws(StorageError) -> Bool {
        // A complete snapshot that lacks a part would count as damaged.
        try connection.statement(
            "UPDATE snapshots SET isComplete = 0 WHERE number = ?1 AND isComplete = 1", number
        ).run()
        let parts = parts(of: number)
        let find = try connection.statement(
            "SELECT id FROM parts WHERE id BETWEEN ?1 AND ?2 LIMIT ?3", parts.lowerBound,
            parts.upperBound, partsAtATime)
        var ids: [Int64] = []
        while try find.step() { ids.append(find.integer(0)) }
        for id in ids { try connection.statement("DELETE FROM parts WHERE id = ?1", id).run() }
        if ids.count == partsAtATime { return false }
        try connection.statement("DELETE FROM snapshots WHERE number = ?1", number).run()
        return true
    }

    /// Copies the write-ahead log when it is long, once for each append until that succeeds.
    func copyLongWriteAheadLog() {
        if walPages.pointee >= options.checkpointPages, !hasCopyFailed { copyWriteAheadLog() }
    }

    /// Copies the write-ahead log into the database, so that it begins anew. A failure changes
    /// nothing: the log has everything, and grows until the next attempt.
    func copyWriteAheadLog() {
        queue.check()
        guard let connection else { return }
        do throws(StorageError) {
            try connection.checkpoint()
            walPages.pointee = 0
            checkpointFailures = 0
            hasCopyFailed = false
            counters.change { $0.checkpoints += 1 }
        } catch {
            hasCopyFailed = true
            note(error)
            // There may be room again.
            if error.isFull { return }
            checkpointFailures += 1
            if checkpointFailures >= Self.checkpointFailuresMax {
                stop("the database in '\(directory.path)' cannot be written: \(error)")
            }
        }
    }

    /// Failed attempts in a row after which the log stops. Each is made after another batch.
    private static let checkpointFailuresMax = 100
}
