// Writes sessions into a log other than by appending: from a backup, or from a damaged directory.

import SessionLog

extension SQLiteLog {
    /// Adds a session that begins with a snapshot. For logs that nothing else uses at the time.
    ///
    /// - Throws: `snapshotMismatch` when a session of that name or uid is there, `unavailable` when
    ///   it cannot be written. Nothing is left then.
    package func install(
        _ session: LogSession, at snapshot: LogSnapshot
    ) throws(LogFailure) {
        do {
            _ = try installAll([(session, snapshot)]) { $0 }
        } catch let failure as LogFailure {
            throw failure
        } catch {
            throw LogFailure(.unavailable, "'\(session.name)' cannot be installed: \(error)")
        }
    }

    /// Adds several sessions in one transaction: all, or none when this throws or the process ends. One
    /// session at a time is made and written.
    ///
    /// - Parameter make: makes the session and the snapshot of a source.
    /// - Returns: the sessions with their revisions.
    /// - Throws: the errors of `install` and `make`.
    package func installAll<Source>(
        _ sources: [Source], _ make: (Source) throws -> (session: LogSession, snapshot: LogSnapshot)
    ) throws -> [(session: LogSession, revision: Int64)] {
        try queue.sync {
            if let failure { throw LogFailure(.unavailable, failure) }
            var staged: [StoredSession] = []
            do {
                let connection = try openConnection
                try connection.execute("BEGIN IMMEDIATE")
                do {
                    for source in sources {
                        let (session, snapshot) = try make(source)
                        staged.append(try insert(session, snapshot, behind: staged, connection))
                    }
                    try connection.execute("COMMIT")
                } catch {
                    connection.rollBack()
                    throw error
                }
            } catch let error as StorageError {
                note(error)
                throw LogFailure(
                    error.unavailability, "the sessions cannot be written: \(error)")
            }
            for stored in staged { adopt(stored) }
            if let last = staged.last, acknowledgedDescriptor >= 0 {
                _ = AcknowledgedMark(
                    sequence: index.lastSequence, revision: last.head, session: last.session
                ).write(to: acknowledgedDescriptor)
            }
            copyLongWriteAheadLog()
            return staged.map { ($0.session, $0.head) }
        }
    }

    /// Inserts a session and its snapshot in the open transaction.
    private func insert(
        _ session: LogSession, _ snapshot: LogSnapshot, behind staged: [StoredSession],
        _ connection: Connection
    ) throws -> StoredSession {
        guard index.sessions[session] == nil, index.names[session.name] == nil,
            !staged.contains(where: { $0.session.name == session.name })
        else {
            throw LogFailure(.snapshotMismatch, "there is a session '\(session.name)' already")
        }
        guard hasRoom(for: Int64(snapshot.payload.count) * 2, free: freeBytes) else {
            throw LogFailure(.unavailable, "the disk has no room for '\(session.name)'")
        }
        let made = StoredSnapshot(
            number: index.lastSnapshot + Int64(staged.count) + 1, revision: snapshot.revision,
            checksum: snapshot.checksum, bytes: snapshot.payload.count,
            payloadChecksum: snapshot.payload.withUnsafeBytes {
                StoredSnapshot.checksum(
                    of: $0, revision: snapshot.revision, after: snapshot.checksum)
            })
        let number = index.lastNumber + Int64(staged.count) + 1
        let insert = try connection.statement(
            "INSERT INTO sessions VALUES (?1, ?4, ?5, ?2, ?3)", number, snapshot.revision,
            Int64(bitPattern: snapshot.checksum))
        try insert.bind(4, session.name)
        try insert.bind(5, session.uid)
        try insert.run()
        try connection.insert(made, of: number, isComplete: true)
        for part in options.parts(of: snapshot, made.number) {
            try connection.insert(part, of: snapshot)
        }
        let stored = StoredSession(number: number, session: session)
        stored.base = snapshot.revision
        stored.head = snapshot.revision
        stored.baseChecksum = snapshot.checksum
        stored.headChecksum = snapshot.checksum
        stored.snapshots = [made]
        return stored
    }

    /// The session is on disk.
    private func adopt(_ stored: StoredSession) {
        index.lastNumber = stored.number
        for snapshot in stored.snapshots {
            index.lastSnapshot = snapshot.number
            index.bytes += Int64(snapshot.bytes)
        }
        index.sessions[stored.session] = stored
        index.names[stored.session.name] = stored
        shared.withLock { $0.names[stored.session.name] = stored.session }
    }
}
