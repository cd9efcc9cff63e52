// What is done between batches, a bounded slice at a time: copying the write-ahead log into the
// database, and deleting rows that nothing needs.

import DequeModule
import SessionLog

/// Rows to be deleted. None of them is needed to open the log, so a crash loses nothing.
struct Garbage {
    var places = Deque<Int64>()
    /// The newest sequence number that was ever among `places`.
    private(set) var lastPlace: Int64 = 0
    /// Numbers of snapshots whose parts and row go.
    var snapshots: [Int64] = []
    /// Numbers of forgotten sessions. Their rows go last, as they tell what the other rows are.
    var sessions: [Int64] = []
    /// Those of `sessions` that the database knows to be forgotten.
    var markedSessions: [Int64] = []

    var isEmpty: Bool {
        places.isEmpty && snapshots.isEmpty && sessions.isEmpty && markedSessions.isEmpty
    }

    mutating func add(_ place: Int64) {
        places.append(place)
        lastPlace = max(lastPlace, place)
    }
}

extension SQLiteLog {
    /// `base` of a session whose rows are all to be deleted.
    static let forgottenBase = Int64.max

    /// Has a slice of upkeep run when the calls before it are done. Runs on the queue.
    func scheduleUpkeep() {
        if isUpkeepScheduled { return }
        isUpkeepScheduled = true
        queue.async { [weak self] in self?.takeUpkeep() }
    }

    private func takeUpkeep() {
        isUpkeepScheduled = false
        guard failure == nil, let connection else { return }
        if walPages.pointee >= options.checkpointPages { copyWriteAheadLog() }
        guard !garbage.isEmpty else { return }
        var next = garbage
        do throws(StorageError) {
            try connection.transaction { () throws(StorageError) in
                try Self.collect(&next, on: connection, rowsMax: options.upkeepRowsMax)
            }
        } catch {
            // Tried again after the next append.
            counters.failedFlushes.add(1, ordering: .relaxed)
            return
        }
        garbage = next
        if !garbage.isEmpty { scheduleUpkeep() }
    }

    /// Deletes some of the rows.
    static func collect(
        _ garbage: inout Garbage, on connection: Connection, rowsMax: Int
    ) throws(StorageError) {
        for number in garbage.sessions {
            let update = try connection.statement("UPDATE sessions SET base = ?2 WHERE number = ?1")
            try update.bind(1, number)
            try update.bind(2, forgottenBase)
            try update.run()
        }
        garbage.markedSessions += garbage.sessions
        garbage.sessions = []
        let mark = try connection.statement("UPDATE marks SET sequence = max(sequence, ?1)")
        try mark.bind(1, garbage.lastPlace)
        try mark.run()
        let delete = try connection.statement("DELETE FROM entries WHERE sequence = ?1")
        var left = rowsMax
        while left > 0, let place = garbage.places.popFirst() {
            try delete.bind(1, place)
            try delete.run()
            left -= 1
        }
        if left == 0 { return }
        if let number = garbage.snapshots.last {
            if try deleteParts(of: number, on: connection) { garbage.snapshots.removeLast() }
            return
        }
        for number in garbage.markedSessions {
            let delete = try connection.statement("DELETE FROM sessions WHERE number = ?1")
            try delete.bind(1, number)
            try delete.run()
        }
        garbage.markedSessions = []
    }

    private static let partsAtATime: Int64 = 4

    /// Returns whether none is left.
    private static func deleteParts(
        of number: Int64, on connection: Connection
    ) throws(StorageError) -> Bool {
        let find = try connection.statement(
            "SELECT id FROM parts WHERE id BETWEEN ?1 AND ?2 LIMIT ?3")
        try find.bind(1, number << partBits)
        try find.bind(2, (number + 1) << partBits - 1)
        try find.bind(3, partsAtATime)
        var ids: [Int64] = []
        while try find.step() { ids.append(find.integer(0)) }
        for id in ids {
            let delete = try connection.statement("DELETE FROM parts WHERE id = ?1")
            try delete.bind(1, id)
            try delete.run()
        }
        if ids.count == partsAtATime { return false }
        let delete = try connection.statement("DELETE FROM snapshots WHERE number = ?1")
        try delete.bind(1, number)
        try delete.run()
        return true
    }

    /// Copies the write-ahead log into the database, so that it begins anew. A failure changes
    /// nothing: the log has everything, and grows until the next attempt.
    func copyWriteAheadLog() {
        guard let connection else { return }
        do throws(StorageError) {
            try connection.checkpoint()
            walPages.pointee = 0
            checkpointFailures = 0
            counters.checkpoints.add(1, ordering: .relaxed)
        } catch {
            counters.failedFlushes.add(1, ordering: .relaxed)
            checkpointFailures += 1
            if checkpointFailures >= Self.checkpointFailuresMax {
                stop("the database in '\(directory.path)' cannot be written: \(error)")
            }
        }
    }

    /// Failed attempts in a row after which the log stops. Each is made after another batch.
    private static let checkpointFailuresMax = 100
}
