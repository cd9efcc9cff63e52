// Sessions that come into the log other than by appending: from a backup, or under another uid. Each begins with a
// snapshot, and its head, name and list of snapshots come in one transaction, so servers see it whole or not at all.
//
// What a snapshot has in etcd before that transaction, or an old uid after it, is named below `P/garbage/{tag}/`. A
// process that is killed leaves it there, and the next one removes it. The key without a uid says whether the work
// still goes on: a process that removes the garbage of another one changes it first, and the other's transaction
// compares it.

import Background
import SessionLog

/// A session that is not visible yet.
struct StagedSession {
    let session: LogSession
    let head: Head
    let list: SnapshotList

    /// What makes it visible.
    func operations(_ keys: Keys) -> [EtcdOperation] {
        [
            .put(keys.name(session.name), Array(session.uid.utf8)),
            .put(keys.head(session.uid), head.bytes),
            .put(keys.snapshotList(session.uid), list.bytes),
        ]
    }

    /// Bytes of keys and values, roughly.
    func bytes(_ keys: Keys) -> Int {
        3 * (keys.prefix.utf8.count + session.uid.utf8.count + 32)
            + 2 * session.name.utf8.count + head.bytes.count + list.bytes.count
    }
}

struct Installer {
    let reader: RowReader
    private let tag = Keys.hex(MachineRandom.next())

    private static let staged = Array("staged".utf8)
    private static let removed = Array("removed".utf8)
    /// Sessions of one transaction, in parts: 57 · 22 · 3 operations, where a part's 66 and the transaction's 60 are
    /// within 128.
    private static let sessionsAtATime = 22
    private static let partsMax = 57
    private static let bytesMax = 1_400_000
    /// Names that are looked up together.
    private static let namesAtATime = 64
    /// How often names are compared again because sessions were made meanwhile.
    private static let triesMax = 100

    private var client: EtcdClient { reader.client }
    private var keys: Keys { reader.keys }

    init(_ reader: RowReader) { self.reader = reader }

    // MARK: - Staging

    /// Removes what earlier runs have left, and begins. To be called once.
    func begin() throws(LogFailure) {
        try removeGarbage()
        try put(keys.garbage(tag), Self.staged)
    }

    /// Writes the snapshot of a session that is not visible yet.
    func stage(
        _ session: LogSession, _ snapshot: LogSnapshot
    ) throws(LogFailure) -> StagedSession {
        guard snapshot.revision > 0 else {
            throw LogFailure(.snapshotMismatch, "'\(session.name)' has no revision")
        }
        if let reason = reader.space.refusal(of: snapshot.payload.count) {
            throw LogFailure(.unavailable, reason)
        }
        try put(keys.garbage(tag, session.uid), [])
        let stored = try reader.store(snapshot, of: session.uid)
        var list = SnapshotList()
        list.base = snapshot.revision
        list.baseChecksum = snapshot.checksum
        list.snapshots = [stored]
        return StagedSession(
            session: session,
            head: Head(
                revision: snapshot.revision, checksum: snapshot.checksum, isDeleted: false,
                name: session.name), list: list)
    }

    private func put(_ key: String, _ value: [UInt8]) throws(LogFailure) {
        _ = try client.ask("/v3/kv/put", EtcdRequest.put(key, value))
    }

    /// Removes what belongs to no session, of this run and of others that were killed or still go on. The
    /// transactions of those fail then.
    func removeGarbage() throws(LogFailure) { try removeGarbage(below: keys.garbage) }

    /// Removes what this run has staged.
    func removeOwnGarbage() throws(LogFailure) { try removeGarbage(below: keys.garbage(tag)) }

    private func removeGarbage(below prefix: String) throws(LogFailure) {
        let found = try client.ask(
            "/v3/kv/range", EtcdRequest.range(.all(prefix)), firstTry: RowReader.largeTry
        ).found(at: 0).values
        var tags: Set<String> = []
        for value in found {
            let rest = Keys.rest(of: value.key, after: keys.garbage) ?? ""
            let words = rest.split(separator: "/", omittingEmptySubsequences: false)
            guard words.count == 2 else { continue }
            let (tag, uid) = (String(words[0]), String(words[1]))
            if tags.insert(tag).inserted { try put(keys.garbage(tag), Self.removed) }
            guard !uid.isEmpty else { continue }
            let head = try client.ask(
                "/v3/kv/range", EtcdRequest.range(EtcdRange(key: keys.head(uid))))
            // A transaction that was faster has made the session, and has deleted this mark with it.
            if head.found(at: 0).values.isEmpty { try reader.deleteContent(of: uid) }
        }
        for tag in tags {
            let prefix = keys.garbage(tag)
            try reader.delete(prefix, end: Keys.end(of: prefix))
        }
    }

    // MARK: - Making visible

    /// The revision of etcd at which no live session has one of the names.
    ///
    /// - Throws: `snapshotMismatch` when one has.
    func checkFree(_ names: [String]) throws(LogFailure) -> Int64 {
        var revision = Int64.max
        for start in stride(from: 0, to: names.count, by: Self.namesAtATime) {
            let part = names[start..<min(start + Self.namesAtATime, names.count)]
            let answer = try client.ask(
                "/v3/kv/txn",
                EtcdRequest.transaction(
                    then: part.map { .range(EtcdRange(key: keys.name($0))) }))
            for (index, name) in part.enumerated() where !answer.found(at: index).values.isEmpty {
                throw LogFailure(
                    .snapshotMismatch, "there is a session '\(name)' already")
            }
            revision = min(revision, answer.revision)
        }
        return revision
    }

    /// - Throws: `unavailable` when one transaction cannot take so many sessions.
    func checkCount(_ count: Int) throws(LogFailure) {
        let max = Self.partsMax * Self.sessionsAtATime
        guard count > max else { return }
        throw LogFailure(
            .unavailable,
            "\(count) sessions are too many for one transaction of etcd, which takes \(max); add them in parts with --session"
        )
    }

    /// Makes all sessions visible, or none.
    ///
    /// - Throws: `snapshotMismatch` when a name is taken, `unavailable`. Nothing is visible then.
    func commit(_ sessions: [StagedSession]) throws(LogFailure) {
        guard let first = sessions.first?.session else { return }
        var operations: [EtcdOperation] = [
            .put(keys.list, []),
            .delete(keys.garbage(tag), end: Keys.end(of: keys.garbage(tag))),
        ]
        for start in stride(from: 0, to: sessions.count, by: Self.sessionsAtATime) {
            let part = sessions[start..<min(start + Self.sessionsAtATime, sessions.count)]
            operations.append(.part(part.flatMap { $0.operations(keys) }))
        }
        let bytes = sessions.reduce(0) { $0 + $1.bytes(keys) }
        try checkCount(sessions.count)
        guard bytes <= Self.bytesMax else {
            throw LogFailure(
                .unavailable,
                "the names of \(sessions.count) sessions are too long for one transaction of etcd; add them in parts with --session"
            )
        }
        for _ in 0..<Self.triesMax {
            let revision = try checkFree(sessions.map(\.session.name))
            let answer = try client.ask(
                "/v3/kv/txn",
                EtcdRequest.transaction(
                    if: [
                        .equals(keys.garbage(tag), Self.staged),
                        .areUnchanged(keys.names, since: revision),
                    ], then: operations,
                    else: [
                        .range(EtcdRange(key: keys.name(first.name))),
                        .range(EtcdRange(key: keys.garbage(tag))),
                    ]))
            // An earlier try may have been carried out without an answer.
            if answer.succeeded
                || answer.found(at: 0).values.first?.value == Array(first.uid.utf8)
            {
                return
            }
            guard answer.found(at: 1).values.first?.value == Self.staged else {
                throw LogFailure(
                    .unavailable,
                    "another 'traitd import' or 'traitd log adopt' began meanwhile; run it again")
            }
        }
        throw LogFailure(.unavailable, "servers make sessions too quickly; run it again")
    }

    /// Has a session go on under another uid. What the old one has is garbage from then on.
    ///
    /// - Throws: `unavailable` when the session has changed, which only a server does.
    func replace(
        _ old: LogSession, at head: Head, with new: StagedSession
    ) throws(LogFailure) {
        let answer = try client.ask(
            "/v3/kv/txn",
            EtcdRequest.transaction(
                if: [
                    .equals(keys.garbage(tag), Self.staged),
                    .equals(keys.head(old.uid), head.bytes),
                    .equals(keys.name(old.name), Array(old.uid.utf8)),
                ],
                then: new.operations(keys) + [
                    .put(keys.list, []), .delete(keys.head(old.uid)),
                    .delete(keys.snapshotList(old.uid)), .put(keys.garbage(tag, old.uid), []),
                    .delete(keys.garbage(tag, new.session.uid)),
                ],
                else: [.range(EtcdRange(key: keys.name(old.name)))]))
        guard
            answer.succeeded
                || answer.found(at: 0).values.first?.value == Array(new.session.uid.utf8)
        else {
            throw LogFailure(
                .unavailable,
                "the session '\(old.name)' changes: a server uses the log. Stop all servers and run it again"
            )
        }
        try reader.deleteContent(of: old.uid)
        try reader.delete(keys.garbage(tag, old.uid))
    }
}
