// The log in etcd, which several processes share. A revision of a session is one transaction that compares
// the session's head, so etcd decides between writers; everything that is read comes from a mirror of the
// log, which a watch and confirmations keep at the heads.

import SessionLog

package final class EtcdLog: SessionLog {
    package let properties: LogProperties
    let client: EtcdClient
    let keys: Keys
    let mirror = Mirror()
    let reader: RowReader
    let watcher: Watcher
    let confirmer: Confirmer
    let membership: Membership
    let upkeep: Upkeep
    let turns = Turns()
    let counters = LogCounters()

    static let maxEntryBytes = 536_870_911
    static let maxBatchEntries = 1_000
    static let maxBatchBytes = 1_048_576
    /// A transaction costs etcd about as much as ten sessions in it, so few large transactions are cheaper than many.
    /// 64 writers of 64 sessions had 0.8 of the present rate with four transactions at a time, and as much with one.
    static let appendsAtATime = 2

    /// Reads the whole log, and follows it from then on. O(log).
    ///
    /// - Throws: `unavailable` when etcd does not answer within the deadline or libcurl is missing, `unsupported` when
    ///   a later release wrote the log, `replaced` when etcd was restored or replaced by another cluster, `damaged`
    ///   when the log itself is not readable. A session that is damaged throws where it is read.
    package init(_ options: EtcdLogOptions) throws(LogFailure) {
        properties = LogProperties(
            durability: "replicated", maxEntryBytes: Self.maxEntryBytes,
            maxBatchEntries: Self.maxBatchEntries, maxBatchBytes: Self.maxBatchBytes,
            appendsAtATime: Self.appendsAtATime, waitMax: options.deadline)
        client = EtcdClient(options)
        keys = Keys(prefix: options.prefix)
        reader = RowReader(
            client: client, keys: keys, mirror: mirror, space: LogSpace(client))
        watcher = Watcher(reader)
        membership = Membership(client, keys)
        confirmer = Confirmer(reader, watcher, membership)
        upkeep = Upkeep(reader, confirmer)
        do throws(EtcdFailure) {
            // Names a missing library at once.
            _ = try options.connect()
        } catch {
            throw error.logFailure
        }
        var starting = Starting(reader: reader, takesForeign: options.takesForeign)
        let revision = try starting.run()
        reader.space.measure()
        membership.note(starting.processes)
        guard watcher.start(from: revision &+ 1), confirmer.start(), upkeep.start(),
            !options.isMember || membership.start()
        else {
            close()
            throw LogFailure(.outOfMemory, "the system starts no thread for the log in etcd")
        }
    }

    deinit { close() }

    /// Ends all requests. Appends that are under way return `unknown`, and everything later fails.
    package func close() {
        upkeep.close()
        membership.close()
        watcher.close()
        confirmer.close()
        client.close()
    }

    // MARK: - Reading

    package func sessions() throws(LogFailure) -> [LogSession] { mirror.sessions() }

    package func session(named name: String) throws(LogFailure) -> LogSession? {
        mirror.session(named: name)
    }

    package func bounds(of session: LogSession) throws(LogFailure) -> LogBounds? {
        try mirror.read(session.uid) { $0.bounds } ?? nil
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry] {
        try mirror.read(session.uid) { $0.tail(after: revision, limit: limit) } ?? []
    }

    // MARK: - Sharing it with other writers

    package func follow(_ follower: any LogFollower) -> LogSubscription {
        mirror.followers.add(follower)
    }

    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        confirmer.confirm(question, then: then)
    }

    package var statistics: LogStatistics? {
        var statistics = counters.statistics
        statistics.denied = client.deniedCount
        statistics.watchRestarts = watcher.restarts
        return statistics
    }

    package var contact: LogContact? {
        LogContact(
            silence: client.silence, lag: upkeep.lag, space: reader.space.use,
            replica: membership.name, refusal: membership.refusal,
            members: upkeep.members)
    }

    package var age: Duration? { upkeep.age }

    package var commonVersions: LogVersions? { membership.common }
    package var isShortOfSpace: Bool { reader.space.isShort }

    package var trouble: String? { client.closedReason }

    package var isReplaced: Bool { client.isReplaced }
}
