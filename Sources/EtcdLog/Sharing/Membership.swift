// This process among those that share the log. A key names each of them, and is bound to a lease of etcd, as are the
// notes of the process's streams. When the process dies, etcd removes both soon after. No commit depends on it.

import Background
import SessionLog
import Synchronization

final class Membership: Sendable {
    private struct State {
        /// The lease of etcd; nil until it is granted.
        var lease: Int64?
        /// The newest versions that all processes read; nil as long as none has told.
        var common: LogVersions?
        /// Why etcd does not permit what this process does; nil while it does.
        var refusal: String?
        var isClosed = false
    }

    private let client: EtcdClient
    private let keys: Keys
    /// Random, so that no two processes have one key, whatever their names are.
    private let tag = Keys.hex(MachineRandom.next())
    private let key: String
    private let state = Mutex(State())
    private let wake = Signal()

    /// How long etcd keeps the keys of a process that does not renew its lease.
    private static let secondsToLive: Int64 = 15
    private static let leavingMax = Duration.seconds(1)
    private static let renewEvery = Duration.seconds(4)

    init(_ client: EtcdClient, _ keys: Keys) {
        self.client = client
        self.keys = keys
        key = keys.replica(tag)
    }

    /// - Returns: whether the system starts the thread.
    func start() -> Bool { LogThread.start { self.run() } }

    /// Ends the thread. The name of this process goes at once if etcd answers soon. The notes of its streams go with
    /// the lease.
    func close() {
        let lease = state.withLock { state in
            defer { state.lease = nil }
            state.isClosed = true
            return state.lease
        }
        wake.signal()
        if lease == nil { return }
        do throws(EtcdFailure) {
            _ = try client.call(
                "/v3/kv/deleterange", EtcdRequest.delete(key), deadline: Self.leavingMax,
                firstTry: Self.leavingMax)
        } catch {
            // The lease runs out by itself.
        }
    }

    /// The lease of etcd to which the keys of this process are bound.
    func lease() throws(EtcdFailure) -> Int64 {
        let (known, isClosed) = state.withLock { ($0.lease, $0.isClosed) }
        if let known { return known }
        if isClosed { throw EtcdFailure(.closed, "the log is closed") }
        let granted = try client.call(
            "/v3/lease/grant", EtcdRequest.grant(seconds: Self.secondsToLive),
            deadline: client.options.deadline
        ).lease
        try putKey(lease: granted)
        let lease = state.withLock { state in
            let lease = state.lease ?? granted
            state.lease = lease
            return lease
        }
        if lease == granted { return lease }
        // Another thread was quicker. The key may be bound to the lease that is too many and runs out.
        do throws(EtcdFailure) {
            try putKey(lease: lease)
        } catch {
            lost(lease)
            throw error
        }
        return lease
    }

    /// Names this process. The key is bound to the lease of the last call.
    private func putKey(lease: Int64) throws(EtcdFailure) {
        let options = client.options
        _ = try client.call(
            "/v3/kv/put", EtcdRequest.put(key, Self.text(options), lease: lease),
            deadline: options.deadline)
    }

    /// etcd does not have the lease any more.
    func lost(_ lease: Int64) {
        state.withLock { if $0.lease == lease { $0.lease = nil } }
    }

    /// Why etcd does not permit what this process does, as far as known; nil while it does.
    var refusal: String? { state.withLock(\.refusal) }

    /// The name of the process as `traitd log status` shows it.
    var name: String { client.options.replica ?? tag }

    /// The newest versions that all processes of the log read, as far as known.
    var common: LogVersions? { state.withLock(\.common) }

    // MARK: - Versions

    private static func text(_ options: EtcdLogOptions) -> [UInt8] {
        let versions = options.versions.map { "format=\($0.format) semantics=\($0.semantics)" }
        let name = options.replica.map { "\(ReplicaName.word)=\($0)" }
        return Array([versions, name].compactMap { $0 }.joined(separator: " ").utf8)
    }

    /// Nil for a process that reads no sessions. Later versions of the program may tell more.
    static func versions(in text: [UInt8]) -> LogVersions? {
        let facts = ReplicaName.facts(in: text)
        guard let format = facts["format"].flatMap({ Int64($0) }),
            let semantics = facts["semantics"].flatMap({ Int64($0) })
        else { return nil }
        return LogVersions(format: format, semantics: semantics)
    }

    /// Reads the versions of all processes. etcd answers as long as it permits this process to write, too: it checks
    /// what a transaction might do.
    private func readVersions() throws(EtcdFailure) {
        let answer = try client.call(
            "/v3/kv/txn",
            EtcdRequest.transaction(
                if: [.isAbsent(keys.epoch)], then: [.put(key, [])],
                else: [.range(.all(keys.replicas))]), deadline: client.options.deadline)
        let values = answer.found(at: 0).values
        // A request that came late may have bound the name to a lease that has run out.
        if let lease = state.withLock({ $0.lease }), !values.contains(where: { $0.key == key }) {
            try putKey(lease: lease)
        }
        note(values)
        state.withLock { $0.refusal = nil }
    }

    /// Takes over the versions of all processes, whose keys were read.
    func note(_ processes: [EtcdKeyValue]) {
        let told = processes.compactMap { Self.versions(in: $0.value) }
        let common = told.reduce(client.options.versions) { $0?.common(with: $1) ?? $1 }
        state.withLock { $0.common = common }
    }

    // MARK: - Its own thread

    private func run() {
        while !state.withLock({ $0.isClosed }) {
            do throws(EtcdFailure) {
                try renew()
                try readVersions()
            } catch {
                // Tried again below. Who has to tell something meanwhile, gets the failure.
                if error.kind == .denied { state.withLock { $0.refusal = error.reason } }
            }
            _ = wake.wait(atMost: Self.renewEvery)
        }
    }

    private func renew() throws(EtcdFailure) {
        let lease = try lease()
        let answer = try client.call(
            "/v3/lease/keepalive", EtcdRequest.keepAlive(lease), deadline: client.options.deadline)
        if answer.secondsToLive > 0 { return }
        lost(lease)
        _ = try self.lease()
    }
}
