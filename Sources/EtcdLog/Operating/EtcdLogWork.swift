// Work of a command on the log in etcd: adding the sessions of a backup, and adopting a log whose etcd was
// restored or replaced.

import SessionLog

/// Adds sessions to a log beside servers that use it.
package final class EtcdImport {
    private let reader: RowReader
    private let installer: Installer

    /// - Throws: as `EtcdLog.init` does.
    package init(_ options: EtcdLogOptions) throws(LogFailure) {
        let client = EtcdClient(options)
        reader = RowReader(
            client: client, keys: Keys(prefix: options.prefix), mirror: Mirror(),
            space: LogSpace(client))
        installer = Installer(reader)
        var starting = Starting(reader: reader)
        _ = try starting.claim()
        reader.space.measure()
    }

    deinit { reader.client.close() }

    /// Adds several sessions: all, or none when this throws or the process ends. One session at a time is made and
    /// written.
    ///
    /// - Parameters:
    ///   - names: the names of the sources.
    ///   - make: makes the session and the snapshot of a source.
    /// - Returns: the sessions with their revisions.
    /// - Throws: `snapshotMismatch` when a name is taken or there twice, `unavailable`, and the errors of `make`.
    package func installAll<Source>(
        _ sources: [Source], names: [String],
        _ make: (Source) throws -> (session: LogSession, snapshot: LogSnapshot)
    ) throws -> [(session: LogSession, revision: Int64)] {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            throw LogFailure(.snapshotMismatch, "there is a session '\(name)' already")
        }
        try installer.checkCount(names.count)
        _ = try installer.checkFree(names)
        do {
            try installer.begin()
            var staged: [StagedSession] = []
            for source in sources {
                let (session, snapshot) = try make(source)
                staged.append(try installer.stage(session, snapshot))
            }
            try installer.commit(staged)
            return staged.map { ($0.session, $0.head.revision) }
        } catch {
            // The next run removes keys that are left over.
            do throws(LogFailure) { try installer.removeOwnGarbage() } catch {}
            throw error
        }
    }
}

/// Gives every session of a log a new uid, so that stream tokens, entity tags and idempotency keys of commits that a
/// restored etcd lacks fit nothing. It can be run again wherever it was ended.
package final class EtcdAdoption {
    /// The log, as it is read before anything changes.
    package let log: EtcdLog
    /// The names of servers that have registered themselves (`ReplicaName.all`).
    package let replicas: [String]
    /// Why etcd was noticed to be restored or replaced; nil when it looks as it was.
    package let suspicion: String?
    private let installer: Installer

    /// Reads the log. O(log).
    ///
    /// - Throws: as `EtcdLog.init` does, but for a log of another cluster; `unavailable` when there is no log.
    package init(_ options: EtcdLogOptions) throws(LogFailure) {
        let keys = Keys(prefix: options.prefix)
        let client = EtcdClient(options)
        defer { client.close() }
        let (epoch, replicas, answer) = try Epoch.read(client, keys)
        guard let epoch else {
            throw LogFailure(.unavailable, "there is no log under \(options.prefix) in this etcd")
        }
        suspicion = epoch.suspicion(in: answer.clusterID)
        self.replicas = replicas
        var options = options.withoutUpkeep
        options.takesForeign = true
        log = try EtcdLog(options)
        installer = Installer(log.reader)
    }

    /// The sessions that cannot be read, so that they keep their uid.
    package var refused: [(session: LogSession, failure: LogFailure)] { log.mirror.failures }

    /// Has servers refuse the log until `finish`.
    package func begin() throws(LogFailure) {
        try put(.beingAdopted)
        try installer.begin()
    }

    private func put(_ epoch: Epoch) throws(LogFailure) {
        _ = try log.client.ask("/v3/kv/put", EtcdRequest.put(log.keys.epoch, epoch.bytes))
    }

    /// Has a session go on under a new uid, without its history.
    package func replace(
        _ old: LogSession, with new: LogSession, at snapshot: LogSnapshot
    ) throws(LogFailure) {
        let head = Head(
            revision: snapshot.revision, checksum: snapshot.checksum, isDeleted: false,
            name: old.name)
        try installer.replace(old, at: head, with: try installer.stage(new, snapshot))
    }

    /// Removes what sessions that have ended still have, and has servers accept the log again.
    package func finish() throws(LogFailure) {
        for session in log.mirror.sessions(endedFor: .zero) { try log.reader.forget(session) }
        try installer.removeGarbage()
        let answer = try log.client.ask(
            "/v3/kv/range", EtcdRequest.range(EtcdRange(key: log.keys.epoch)))
        try put(Epoch(in: answer.clusterID))
    }
}
