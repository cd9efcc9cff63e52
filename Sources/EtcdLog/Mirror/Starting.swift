// Fills the mirror when the log is opened: everything at one revision of etcd, from which the watch goes on.

import SessionLog

struct Starting {
    let reader: RowReader
    /// Whether a log that was made in another cluster is read, too: to adopt it.
    var takesForeign = false
    /// The usage by the rows that were read.
    private(set) var usage = LogUsage()
    /// The keys of the processes that shared the log when it was claimed.
    private(set) var processes: [EtcdKeyValue] = []

    /// Keys that one answer has at most. etcd counts the rest of the range for each, so answers are large.
    private static let keysAtATime: Int64 = 5_000
    private static let rowsAtATimeMin: Int64 = 64
    /// The bytes of an answer with rows that the next limit aims at.
    private static let answerBytes = 8_388_608
    /// A server with a short deadline for requests starts as well.
    private static let deadlineMin = Duration.seconds(30)

    private var keys: Keys { reader.keys }

    /// Reads the whole log. O(log).
    ///
    /// - Returns: the revision of etcd that was read.
    /// - Throws: `unavailable` without etcd, `replaced` when etcd was restored or replaced by another cluster,
    ///   `unsupported` when a later release wrote the log. A session that is damaged is not read further and ends
    ///   nothing.
    mutating func run() throws(LogFailure) -> Int64 {
        let revision = try claim()
        try read(at: revision)
        return revision
    }

    /// Reads everything as of a revision of etcd. O(log).
    mutating func read(at revision: Int64) throws(LogFailure) {
        var usage = LogUsage()
        var heads: [String: (Head, Int64)] = [:]
        var lists: [String: SnapshotList] = [:]
        var failures: [String: LogFailure] = [:]
        try page(keys.heads, at: revision) { (value, uid) throws(LogFailure) in
            do throws(LogFailure) {
                let head = try Head(value.value)
                heads[uid] = (head, value.changedAt)
                if head.isDeleted { usage.ended += 1 } else { usage.live += 1 }
            } catch {
                failures[uid] = error
            }
        }
        try page(keys.snapshotLists, at: revision) { (value, uid) throws(LogFailure) in
            do throws(LogFailure) {
                let list = try SnapshotList(value.value)
                lists[uid] = list
                usage.snapshotBytes += list.snapshots.reduce(0) { $0 + Int64($1.bytes) }
            } catch {
                failures[uid] = error
            }
        }
        var sessions: [String: MirroredSession] = [:]
        for (uid, (head, changedAt)) in heads {
            sessions[uid] = MirroredSession(
                LogSession(name: head.name, uid: uid), madeAt: changedAt,
                lists[uid] ?? SnapshotList())
            sessions[uid]?.failure = failures[uid]
        }
        try page(keys.rows, at: revision) { (value, _) throws(LogFailure) in
            guard let (uid, last) = keys.place(ofRow: value.key) else { return }
            usage.rowBytes += Int64(value.value.count)
            if sessions[uid] == nil, let failure = failures[uid] {
                sessions[uid] = Self.unreadable(value, uid, failure)
            }
            try take(value, &sessions[uid], uid, last, &usage)
        }
        for (uid, (head, _)) in heads { Self.finish(&sessions[uid], at: head) }
        reader.mirror.begin(sessions.values.filter { $0.failure == nil })
        // Once more: another replica may have truncated pieces of rows meanwhile.
        for session in sessions.values where session.failure != nil {
            try reader.catchUp(session.session.uid)
            // A list of snapshots that is not readable shows nothing of the session.
            if !reader.mirror.contains(session.session.uid) { reader.mirror.begin([session]) }
        }
        self.usage = usage
    }

    /// Marks the prefix as a log of this format, and checks the mark that is there.
    mutating func claim() throws(LogFailure) -> Int64 {
        let range = EtcdRange(key: keys.epoch)
        let outer = keys.outerEpochs
        let ranges = outer.map { EtcdRange(key: $0) } + [.all(keys.replicas)]
        var answer = try reader.client.ask(
            "/v3/kv/txn",
            EtcdRequest.transaction(then: ([range] + ranges).map { EtcdOperation.range($0) }))
        processes = answer.found(at: outer.count + 1).values
        if let at = outer.indices.first(where: { !answer.found(at: $0 + 1).values.isEmpty }) {
            throw LogFailure(
                .unavailable,
                "the prefix \(keys.prefix) lies among the keys of the log with the mark \(outer[at]): give another --log-prefix"
            )
        }
        if answer.found(at: 0).values.isEmpty, !reader.client.options.makesLog {
            reader.client.expect(clusterID: answer.clusterID)
            return answer.revision
        }
        if answer.found(at: 0).values.isEmpty {
            let epoch = Epoch(in: answer.clusterID).bytes
            answer = try reader.client.ask(
                "/v3/kv/txn",
                EtcdRequest.transaction(
                    if: [.isAbsent(keys.epoch)],
                    then: [.put(keys.epoch, epoch)], else: [.range(range)]))
            if answer.succeeded {
                reader.client.expect(clusterID: answer.clusterID)
                return answer.revision
            }
        }
        let epoch = try Epoch(answer.found(at: 0).values.first?.value ?? [], keys)
        if !takesForeign {
            if epoch.isUnfinished { throw LogFailure(.replaced, Epoch.unfinished) }
            guard epoch.clusterID == answer.clusterID else {
                throw LogFailure(.replaced, EtcdClient.replaced)
            }
        }
        reader.client.expect(clusterID: answer.clusterID)
        return answer.revision
    }

    /// Calls `body` with each key below a prefix and what follows the prefix.
    private func page(
        _ prefix: String, at revision: Int64,
        _ body: (EtcdKeyValue, String) throws(LogFailure) -> Void
    ) throws(LogFailure) {
        var range = EtcdRange.all(prefix, limit: Self.rowsAtATimeMin)
        range.revision = revision
        while true {
            let found = try reader.client.ask(
                "/v3/kv/range", EtcdRequest.range(range), firstTry: RowReader.largeTry,
                deadlineMin: Self.deadlineMin
            ).found(at: 0)
            var bytes = 0
            for value in found.values {
                bytes += value.value.count
                guard let rest = Keys.rest(of: value.key, after: prefix) else { continue }
                try body(value, rest)
            }
            guard found.hasMore, let last = found.values.last else { return }
            let isLong = bytes > Self.answerBytes
            let limit =
                isLong
                ? range.limit / 2 : bytes < Self.answerBytes / 4 ? range.limit * 4 : range.limit
            range = EtcdRange(
                key: last.key + "\0", end: range.end,
                limit: min(Self.keysAtATime, max(Self.rowsAtATimeMin, limit)), revision: revision)
        }
    }

    /// The session of a first row whose head is not readable, so that it is refused by its name; nil for other rows.
    private static func unreadable(
        _ value: EtcdKeyValue, _ uid: String, _ failure: LogFailure
    ) -> MirroredSession? {
        guard let row = try? Row(value.value), !row.name.isEmpty else { return nil }
        var session = MirroredSession(
            LogSession(name: row.name, uid: uid), madeAt: value.changedAt)
        session.failure = failure
        return session
    }

    private func take(
        _ value: EtcdKeyValue, _ session: inout MirroredSession?, _ uid: String, _ last: Int64,
        _ usage: inout LogUsage
    ) throws(LogFailure) {
        // Rows without a head belong to a session that is being forgotten.
        guard let known = session?.session, session?.failure == nil else { return }
        do throws(LogFailure) {
            let row = try Row(value.value)
            if !row.name.isEmpty, row.name != known.name {
                session = Self.unreadable(value, uid, RowReader.misnamed(known.name, row.name))
                return
            }
            if case .pieces(_, let bytes) = row.content { usage.rowBytes += Int64(bytes) }
            let entries = try reader.entries(of: row, uid, last: last)
            if try session?.take(entries) == nil {
                throw LogFailure(
                    .damaged(session: known, revision: (session?.head ?? 0) &+ 1),
                    "rows of '\(known.name)' in etcd are missing")
            }
        } catch {
            if error.isPassing { throw error }
            session?.failure = error
        }
    }

    /// Compares a session with its head.
    private static func finish(_ session: inout MirroredSession?, at head: Head) {
        // The rows of a session that has ended may be gone in part: it is being forgotten.
        if head.isDeleted { session?.noteDeleted() }
        guard let known = session, known.failure == nil, !head.isDeleted else { return }
        if known.head == head.revision, known.headChecksum == head.checksum { return }
        session?.failure = LogFailure(
            .damaged(session: known.session, revision: known.head &+ 1),
            "the rows of '\(known.session.name)' in etcd end at revision \(known.head), its head at"
                + " \(head.revision)")
    }
}
