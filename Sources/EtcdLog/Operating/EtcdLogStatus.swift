// The status of the log for an operator: its members, its room, its sessions, and whether etcd was restored.

import SessionLog

package struct EtcdLogStatus: Sendable {
    package struct Member: Sendable {
        package let endpoint: String
        /// Why it does not answer; nil for one that does. What follows is then empty.
        package var failure: String?
        package var version = ""
        package var clusterID = ""
        package var isLeader = false
        package var hasLeader = false
        package var revision: Int64 = 0
        /// Bytes of the database in use, of its file, and the most that the file may have: 0 for no limit, nil where
        /// the member does not tell.
        package var bytesUsed: Int64 = 0
        package var fileBytes: Int64 = 0
        package var quotaBytes: Int64?
        /// The alarms of the member, such as `NOSPACE`.
        package var errors: [String] = []
    }

    package struct Refusal: Sendable {
        package let session: LogSession
        package let reason: String
    }

    package let prefix: String
    package let members: [Member]
    package let space: LogSpaceUse
    /// The newest revision of etcd, and the one to which it is compacted; 0 before the first compaction.
    package let revision: Int64
    package let compactedRevision: Int64
    /// The cluster that answers.
    package let clusterID: String
    /// The log's mark: its random tag, and the cluster in which it was made; nil when there is no log.
    package let epoch: (tag: String, clusterID: String)?
    package let usage: LogUsage
    /// Sessions that cannot be read, by name.
    package let refused: [Refusal]
    /// The names of the replicas that have registered themselves (`ReplicaName.all`).
    package let replicas: [String]
    /// Why etcd seems to be restored or replaced; nil when it does not.
    package let suspicion: String?
}

extension EtcdLogStatus {
    /// Asks each member, and reads the whole log. O(log). Changes nothing.
    ///
    /// - Throws: `unavailable` when no majority of members answers, `unsupported` when a later release wrote the log,
    ///   `damaged` when its mark or a head is not readable.
    package static func read(_ options: EtcdLogOptions) throws(LogFailure) -> EtcdLogStatus {
        let client = EtcdClient(options)
        defer { client.close() }
        let keys = Keys(prefix: options.prefix)
        let mirror = Mirror()
        let space = LogSpace(client)
        let reader = RowReader(client: client, keys: keys, mirror: mirror, space: space)
        let members = client.endpoints.map { member($0, client) }
        let (epoch, replicas, answer) = try Epoch.read(client, keys)
        space.measure()
        var starting = Starting(reader: reader)
        if epoch != nil { try starting.read(at: answer.revision) }
        let refused = mirror.failures.map {
            Refusal(session: $0.session, reason: $0.failure.reason)
        }
        return EtcdLogStatus(
            prefix: options.prefix, members: members, space: space.use, revision: answer.revision,
            compactedRevision: try compacted(client, keys), clusterID: answer.clusterID,
            epoch: epoch.map { ($0.tag, $0.clusterID) }, usage: starting.usage,
            refused: refused.sorted { $0.session.name < $1.session.name },
            replicas: replicas,
            suspicion: suspicion(epoch, answer.clusterID, members))
    }

    private static func suspicion(
        _ epoch: Epoch?, _ clusterID: String, _ members: [Member]
    ) -> String? {
        if let suspicion = epoch?.suspicion(in: clusterID) { return suspicion }
        let strangers = members.filter { $0.failure == nil && $0.clusterID != clusterID }
        guard let stranger = strangers.first else { return nil }
        return "\(stranger.endpoint) belongs to another cluster of etcd than the others"
    }

    private static func member(_ endpoint: String, _ client: EtcdClient) -> Member {
        var member = Member(endpoint: endpoint)
        do throws(EtcdFailure) {
            let timeout = min(client.options.deadline, client.options.firstTry * 5)
            let answer = try client.ask(
                endpoint, "/v3/maintenance/status", Array("{}".utf8), within: timeout)
            guard let state = answer.member else {
                throw EtcdFailure(.unanswered, "\(endpoint) answers with no status")
            }
            member.version = state.version
            member.clusterID = answer.clusterID
            member.hasLeader = state.leader != nil
            member.isLeader = state.leader == state.id
            member.revision = answer.revision
            member.bytesUsed = answer.databaseBytes
            member.fileBytes = state.databaseSize
            member.errors = state.errors
            member.quotaBytes = LogSpace.quota(of: endpoint, client)
        } catch {
            member.failure = error.reason
        }
        return member
    }

    /// The revision to which etcd is compacted. A watch from the first revision tells, but says nothing while that
    /// one is still there, so a read asks first.
    private static func compacted(_ client: EtcdClient, _ keys: Keys) throws(LogFailure) -> Int64 {
        var first = EtcdRange(key: keys.epoch)
        first.revision = 1
        do throws(EtcdFailure) {
            do throws(EtcdFailure) {
                _ = try client.call(
                    "/v3/kv/range", EtcdRequest.range(first), deadline: client.options.deadline)
                return 0
            } catch {
                guard error.kind == .compacted, let endpoint = client.endpoint else { throw error }
                return try compacted(at: endpoint, client, keys)
            }
        } catch {
            throw error.logFailure
        }
    }

    private static func compacted(
        at endpoint: String, _ client: EtcdClient, _ keys: Keys
    ) throws(EtcdFailure) -> Int64 {
        var revision: Int64?
        do throws(EtcdFailure) {
            try client.watch(
                keys.rows, from: 1, at: endpoint, on: try client.options.connect(),
                lineBytesMax: 65_536,
                timeout: client.options.deadline
            ) { (line) throws(EtcdFailure) in
                if let found = try WatchLines.compacted(line) { revision = found }
                return revision == nil
            }
        } catch {
            // Ending the watch is a failure, too.
            if revision == nil { throw error }
        }
        return revision ?? 0
    }
}
