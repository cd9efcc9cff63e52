// A model of etcd 3.4: what its JSON gateway answers, as far as `EtcdLog` asks. One sequence of revisions stands for all
// members. Which member answers, late, twice or not at all, is up to the network. `CompareEtcd` holds the model to etcd.

import JSONCodec
import SeededRandom

package final class EtcdModel {
    /// The newest release that the model was compared with.
    package static let version = "3.4.23"

    package private(set) var clusterID: UInt64
    package let memberIDs: [UInt64]
    /// The index of the member that leads; nil during an election.
    package private(set) var leader: Int? = 0
    private(set) var term: Int64 = 2
    /// Requests that the log of raft has.
    var raftIndex: Int64 = 4
    /// Nanoseconds, as `advance` says.
    private(set) var now: UInt64 = 0

    var store = EtcdModelStore()
    var leases: [Int64: EtcdLease] = [:]
    private var backup = (store: EtcdModelStore(), leases: [Int64: EtcdLease]())
    var watches: [EtcdWatch] = []
    var access = EtcdModelAccess()
    package var space = EtcdModelSpace()
    /// etcd's `--max-request-bytes`.
    package var requestBytesMax = EtcdModel.requestBytesDefault
    var random: SeededRandom
    private let tape = JSONTape(hashSeed: 0)

    package init(seed: UInt64, members: Int = 1) {
        var random = SeededRandom(seed: seed, for: "etcd")
        clusterID = random.next()
        memberIDs = (0..<members).map { _ in random.next() }
        self.random = random
    }

    /// The newest revision.
    package var revision: Int64 { store.revision }

    /// The values of the keys with a prefix that have been there since a revision, or longer.
    package func values(ofKeysWith prefix: String, since revision: Int64) -> [[UInt8]] {
        var keys = EtcdKeys(key: Array(prefix.utf8), end: Array(prefix.utf8))
        keys.end[keys.end.count - 1] += 1
        var values: [[UInt8]] = []
        store.forEach(in: keys, at: .max) { if $1.create <= revision { values.append($1.value) } }
        return values
    }

    /// The revision to which the keys are compacted; below 0 before the first compaction.
    package var compactedRevision: Int64 { store.compacted }

    // MARK: - Time and elections

    /// Ends the leases whose time is over.
    package func advance(to time: UInt64) {
        now = max(now, time)
        while let end = nextLeaseEnd, end <= now { endDueLeases() }
    }

    /// From now on no member leads. What the network does with requests meanwhile is its own affair.
    package func loseLeader() { leader = nil }

    /// A member leads. As in etcd, leases have their whole time again.
    package func elect(_ member: Int) {
        leader = member
        term += 1
        for (id, lease) in leases { leases[id]?.end = now + lease.nanoseconds }
    }

    // MARK: - Backups

    package func backUp() { backup = (store.copy, leases) }

    /// Begins anew with what the backup has.
    package func restore(inOtherCluster: Bool) {
        if inOtherCluster { clusterID = random.next() }
        (store, leases) = (backup.store.copy, backup.leases)
        access.tokens = [:]
    }

    // MARK: - Requests

    /// Answers a request to a member.
    ///
    /// - Parameters:
    ///   - path: as in a URL, from its first slash on.
    ///   - headers: `name: value`, as libcurl takes them.
    ///   - body: empty for a GET request.
    package func answer(
        _ method: String, _ path: String, _ headers: [String], _ body: [UInt8], member: Int = 0
    ) -> EtcdModelAnswer {
        if let page = page(path) {
            return method == "GET" ? page : Self.plain(405, "Method Not Allowed\n")
        }
        guard Self.paths.contains(path) else {
            return Self.plain(
                404, path.hasPrefix("/v3/") ? "Not Found\n" : "404 page not found\n")
        }
        if method != "POST" { return Self.plain(405, "Method Not Allowed\n") }
        do throws(EtcdRefusal) {
            // The body is not lent any more while the request runs.
            let call = try parsed(body) { (json) throws(EtcdRefusal) in
                try EtcdCall(path, json)
            }
            let caller = EtcdCaller(model: self, headers: headers, member: member)
            if leader == nil, caller.needsLeader { throw .noLeader }
            return EtcdModelAnswer(status: 200, body: try run(call, caller))
        } catch {
            return error.answer
        }
    }

    private func run(_ call: EtcdCall, _ caller: EtcdCaller) throws(EtcdRefusal) -> [UInt8] {
        switch call {
        case .range(let request): try range(request, caller)
        case .put(let request): try put(request, caller)
        case .delete(let request): try delete(request, caller)
        case .transact(let request): try transact(request, caller)
        case .compact(let revision): try compact(revision, caller)
        case .grant(let id, let seconds): try grant(id, seconds: seconds, caller)
        case .keepAlive(let id): keepAlive(id, caller)
        case .revoke(let id): try revoke(id, caller)
        case .timeToLive(let id, let lists): timeToLive(id, listsKeys: lists, caller)
        case .status: status(caller)
        case .alarm(let request): try alarm(request, caller)
        case .defragment: defragment()
        case .members: members(caller)
        case .authenticate(let name, let password): try authenticate(name, password, caller)
        }
    }

    func parsed<Result>(
        _ body: [UInt8], _ read: (JSONValue) throws(EtcdRefusal) -> Result
    ) throws(EtcdRefusal) -> Result {
        // The gateway takes an empty body for an empty message.
        let body = body.isEmpty ? Array("{}".utf8) : body
        return try tape.withDocument(
            of: body, refusal: { EtcdRefusal(3, "\($0.reason)") }, read)
    }

    static func plain(_ status: Int, _ text: String) -> EtcdModelAnswer {
        EtcdModelAnswer(status: status, body: Array(text.utf8))
    }
}

/// Who asks, and which member.
struct EtcdCaller {
    let model: EtcdModel
    let headers: [String]
    let member: Int

    /// Whether a request asks to be refused while no member leads.
    var needsLeader: Bool {
        headers.contains { $0.lowercased() == "grpc-metadata-hasleader: true" }
    }

    /// An object with the header of an answer and further members.
    func answer(_ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        JSONWriter.text { json in
            json.beginObject()
            json.etcdHeader(model, member, model.store.revision)
            members(&json)
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// A 64-bit number, which the gateway writes as text. Like all zeros, 0 is left out.
    mutating func etcd(_ name: StaticString, _ number: Int64) {
        if number != 0 { member(name, String(number)) }
    }

    mutating func etcd(_ name: StaticString, _ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        EtcdModelBase64.encode(bytes).withUnsafeBytes { member(name, bytes: $0) }
    }

    mutating func etcdHeader(_ model: EtcdModel, _ member: Int, _ revision: Int64) {
        beginObject("header")
        self.member("cluster_id", String(model.clusterID))
        self.member("member_id", String(model.memberIDs[member]))
        etcd("revision", revision)
        etcd("raft_term", model.term)
        endObject()
    }

    /// The header of an answer within an answer, which has the revision alone.
    mutating func etcdHeader(_ revision: Int64) {
        beginObject("header")
        etcd("revision", revision)
        endObject()
    }

    mutating func etcd(_ history: EtcdHistory, _ version: EtcdVersion, keysOnly: Bool = false) {
        beginObject()
        etcd("key", history.key)
        etcd("create_revision", version.create)
        etcd("mod_revision", version.mod)
        etcd("version", version.version)
        if !keysOnly { etcd("value", version.value) }
        etcd("lease", version.lease)
        endObject()
    }
}
