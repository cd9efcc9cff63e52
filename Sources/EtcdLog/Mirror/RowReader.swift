// Reads rows from etcd into the mirror: the ones that the watch did not bring, and pieces of large ones.

import Background
import SessionLog

struct RowReader: Sendable {
    let client: EtcdClient
    let keys: Keys
    let mirror: Mirror
    let space: LogSpace

    /// Rows that one answer has; each has at most half a MiB.
    private static let rowsAtATime: Int64 = 64
    /// Pieces that one answer has.
    private static let piecesAtATime: Int64 = 16
    /// The time of the first try for answers of many MiB.
    static let largeTry = Duration.seconds(4)

    // MARK: - Rows

    /// The entries of a row, with its pieces.
    func entries(of row: Row, _ uid: String, last: Int64) throws(LogFailure) -> [LogEntry] {
        let entries: [LogEntry]
        switch row.content {
        case .entries(let list): entries = list
        case .pieces(let count, let bytes):
            let content = try pieces(keys.pieces(uid, last, row.tag), count: count, bytes: bytes)
            entries = try Row.entries(in: content[...])
        }
        guard entries.last?.revision == last else {
            throw LogFailure(
                .damaged(revision: last), "a row of '\(uid)' in etcd ends with another revision")
        }
        return entries
    }

    /// Whether the mirror has a row, or is to get it with the answer to an append of this process.
    func isKnown(_ key: String, _ tag: UInt64) -> Bool {
        if mirror.outgoingTag(of: key) == tag { return true }
        return keys.place(ofRow: key).map { mirror.head(of: $0.uid) >= $0.last } ?? false
    }

    /// Takes one row over, and reads those before it that are missing.
    ///
    /// - Throws: `unavailable`. A session that is damaged is stopped instead.
    func take(_ value: EtcdKeyValue) throws(LogFailure) {
        guard let (uid, _) = keys.place(ofRow: value.key) else { return }
        do throws(LogFailure) {
            if try deliver(value) == .taken { return }
        } catch {
            if error.isPassing { throw error }
            // Its pieces may be truncated; what is there now decides.
        }
        try catchUp(uid)
    }

    /// - Throws: `unavailable` when a piece cannot be read, and what is wrong with a row that is damaged.
    private func deliver(_ value: EtcdKeyValue) throws(LogFailure) -> Mirror.Delivery {
        guard let (uid, last) = keys.place(ofRow: value.key) else { return .taken }
        if mirror.head(of: uid) >= last { return .taken }
        let row = try Row(value.value)
        let entries = try entries(of: row, uid, last: last)
        return mirror.deliver(entries, to: uid, name: row.name, at: value.changedAt)
    }

    /// Reads the rows of a session that the mirror has not, and finds out whether the session is still there.
    ///
    /// - Throws: `unavailable`. A session that is damaged is stopped instead.
    func catchUp(_ uid: String) throws(LogFailure) {
        var isSecond = false
        while true {
            let known = mirror.head(of: uid)
            do throws(LogFailure) {
                if try readOn(uid, after: known) || isStopped(uid) { return }
                isSecond = false
            } catch {
                if error.isPassing { throw error }
                // Another replica may truncate the session between two reads.
                if isSecond { return mirror.fail(uid, error) }
                isSecond = true
            }
        }
    }

    /// Reads the next rows, and returns whether these were all.
    private func readOn(_ uid: String, after known: Int64) throws(LogFailure) -> Bool {
        let answer = try client.ask(
            "/v3/kv/txn",
            EtcdRequest.transaction(then: [
                .range(EtcdRange(key: keys.head(uid))),
                .range(EtcdRange(key: keys.snapshotList(uid))),
                .range(keys.rows(of: uid, after: known, limit: Self.rowsAtATime)),
            ]), firstTry: Self.largeTry)
        guard let value = answer.found(at: 0).values.first else {
            mirror.forget(uid, at: answer.revision)
            return true
        }
        let head = try Head(value.value)
        var list = SnapshotList()
        if let value = answer.found(at: 1).values.first { list = try SnapshotList(value.value) }
        let session = LogSession(name: head.name, uid: uid)
        guard list.base <= head.revision else {
            throw LogFailure(
                .damaged(), "the snapshots of '\(uid)' in etcd are newer than its head")
        }
        // Followers are told of a new session with its first row, so that they can load it.
        if list.base > known { mirror.restart(session, list, madeAt: value.changedAt) }
        do throws(LogFailure) {
            try take(answer.found(at: 2), of: uid)
            if let name = mirror.name(of: uid), name != head.name {
                throw Self.misnamed(head.name, name)
            }
            let now = mirror.head(of: uid)
            if now == known, now < head.revision { throw missing(uid) }
            if head.isDeleted, list.base == head.revision { mirror.noteDeleted(session) }
            return now >= head.revision
        } catch {
            // Without a row that can be read, the session is there all the same, to be refused by its name.
            if error.isPassing { throw error }
            if !mirror.contains(uid) { mirror.restart(session, list, madeAt: value.changedAt) }
            throw error
        }
    }

    private func take(_ rows: EtcdFound, of uid: String) throws(LogFailure) {
        for row in rows.values where try deliver(row) == .gap { throw missing(uid) }
    }

    /// The head of a session has another name than its first row.
    static func misnamed(_ head: String, _ row: String) -> LogFailure {
        LogFailure(.damaged(), "the head of '\(row)' in etcd has the name '\(head)'")
    }

    private func missing(_ uid: String) -> LogFailure {
        LogFailure(.damaged(), "rows of '\(uid)' in etcd are missing")
    }

    private func isStopped(_ uid: String) -> Bool {
        do throws(LogFailure) {
            return try mirror.read(uid) { _ in false } ?? false
        } catch {
            return true
        }
    }

    // MARK: - Pieces

    /// Writes pieces, one at a time, so that appends of others come in between.
    func write(
        _ pieces: [ArraySlice<UInt8>], _ prefix: String, deadline: Duration?
    ) throws(EtcdFailure) {
        for (index, piece) in pieces.enumerated() {
            try write(Array(piece), at: index, prefix, deadline: deadline)
        }
    }

    func write(
        _ piece: [UInt8], at index: Int, _ prefix: String, deadline: Duration?
    ) throws(EtcdFailure) {
        _ = try client.call(
            "/v3/kv/put", EtcdRequest.put(prefix + Keys.hex(index), piece), deadline: deadline)
        space.note(sent: piece.count)
    }

    /// Writes the pieces of a snapshot, which counts once a list names it.
    func store(_ snapshot: LogSnapshot, of uid: String) throws(LogFailure) -> StoredSnapshot {
        guard snapshot.payload.count <= EtcdLog.maxEntryBytes else {
            throw LogFailure(
                .unavailable,
                "a snapshot of \(snapshot.payload.count) bytes could not be read again; the most is"
                    + " \(EtcdLog.maxEntryBytes)")
        }
        let tag = MachineRandom.next()
        let sender = PieceSender(self, keys.snapshot(uid, snapshot.revision, tag))
        try Deflate.pack(snapshot.payload, inPiecesOf: Row.pieceBytes) {
            (piece) throws(LogFailure) in try sender.send(piece)
        }
        let sent = try sender.finish()
        return StoredSnapshot(
            revision: snapshot.revision, checksum: snapshot.checksum, bytes: sent.bytes,
            pieces: sent.pieces, tag: tag, check: StoredSnapshot.check(snapshot))
    }

    /// Reads all pieces below a prefix.
    ///
    /// - Throws: `damaged` when there are not as many pieces and bytes as there should be.
    func pieces(_ prefix: String, count: Int, bytes: Int) throws(LogFailure) -> [UInt8] {
        var content: [UInt8] = []
        var next = 0
        while next < count {
            var range = EtcdRange.all(prefix, limit: Self.piecesAtATime)
            range = EtcdRange(key: prefix + Keys.hex(next), end: range.end, limit: range.limit)
            let answer = try client.ask(
                "/v3/kv/range", EtcdRequest.range(range), firstTry: Self.largeTry)
            for value in answer.found(at: 0).values {
                guard value.key == prefix + Keys.hex(next),
                    content.count + value.value.count <= bytes
                else { break }
                content += value.value
                next += 1
            }
            if answer.found(at: 0).values.isEmpty { break }
        }
        guard next == count, content.count == bytes else {
            throw LogFailure(.damaged(), "pieces of a value in etcd are missing")
        }
        return content
    }
}
