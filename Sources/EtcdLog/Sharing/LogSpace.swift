// How much of etcd's database is in use, and how much may be. Beyond its quota etcd refuses everything but deletions
// until an operator has disarmed an alarm, so appends end before that.

import Background
import SessionLog
import Synchronization

final class LogSpace: Sendable {
    private struct State {
        /// etcd's own limit; nil where it is not known, 0 for none.
        var quota: Int64?
        var quotaAskedAt: Uptime?
        /// Bytes in use when etcd was asked last.
        var used: Int64 = 0
        var askedAt: Uptime?
        var touchedAt: Uptime?
        /// Bytes that this process has sent since.
        var sent: Int64 = 0
    }

    private let client: EtcdClient
    private let state = Mutex(State())
    /// Read for each commit, so without the lock.
    private let isNearlyShort = Atomic(false)

    /// The limit without `--log-bytes-max`, in percent of etcd's quota.
    private static let quotaPercent: Int64 = 75
    /// etcd's default.
    private static let quotaDefault: Int64 = 2_147_483_648
    /// Appends end when this part of the limit is in use, and less is kept from this part on.
    private static let fullPercent: Int64 = 95
    private static let shortPercent: Int64 = 80
    /// The bytes that etcd uses for each byte that is sent, at most as a rule: rows, indices, pages.
    private static let bytesForEach: Int64 = 2
    /// etcd writes its database ten times a second.
    private static let pause = Duration.milliseconds(100)
    private static let touchPause = Duration.seconds(1)
    private static let quotaPause = Duration.seconds(600)
    /// How far back etcd is compacted at most while the database is short of room.
    private static let shortCompaction = Duration.seconds(60)

    init(_ client: EtcdClient) { self.client = client }

    /// Bytes in use, as far as known, and the most that may be.
    var use: LogSpaceUse {
        let (used, quota) = state.withLock { ($0.used, $0.quota) }
        return LogSpaceUse(used: used, max: limit(quota), isShort: isShort)
    }

    private func limit(_ quota: Int64?) -> Int64 {
        if let bytesMax = client.options.bytesMax { return bytesMax }
        let quota = quota ?? Self.quotaDefault
        return quota == 0 ? .max : quota / 100 * Self.quotaPercent
    }

    /// Whether the log keeps less history than usual, to make room.
    var isShort: Bool { isNearlyShort.load(ordering: .relaxed) }

    /// How far back etcd is compacted; nil to leave that to the operator.
    var compaction: Duration? {
        client.options.compaction.map { isShort ? min($0, Self.shortCompaction) : $0 }
    }

    /// Why nothing may be appended but ends of sessions; nil while there is room. Asks etcd when the limit may have
    /// been reached since it was asked last.
    func refusal(of bytes: Int) -> String? {
        if !mayBeFull(with: bytes) {
            state.withLock { $0.sent += Int64(bytes) }
            return nil
        }
        measure()
        let use = use
        guard Self.has(use.used, Self.fullPercent, of: use.max) else {
            state.withLock { $0.sent += Int64(bytes) }
            return nil
        }
        touch()
        let limit =
            client.options.bytesMax == nil
            ? "\(use.max), \(Self.quotaPercent) % of its quota" : "--log-bytes-max=\(use.max)"
        return "etcd's database has \(use.used) bytes in use, \(Self.fullPercent) % of \(limit)"
    }

    /// Writes a small value, and has the quota asked for again, which someone may have made larger. etcd counts pages
    /// that a compaction has set free only after another write, and while the log is full there may be none.
    private func touch() {
        let isDue = state.withLock { state in
            if let at = state.touchedAt, at.duration(to: .now) < Self.touchPause { return false }
            state.touchedAt = .now
            state.quotaAskedAt = nil
            return true
        }
        guard isDue, let endpoint = client.endpoint else { return }
        let key = Keys(prefix: client.options.prefix).room
        do throws(EtcdFailure) {
            _ = try client.ask(
                endpoint, "/v3/kv/put", EtcdRequest.put(key, []), within: client.options.firstTry)
        } catch {
            // etcd is full itself, or does not answer. The append is refused in any case.
        }
    }

    private func mayBeFull(with bytes: Int) -> Bool {
        state.withLock { state in
            let estimate = state.used + (state.sent + Int64(bytes)) * Self.bytesForEach
            return Self.has(estimate, Self.fullPercent, of: limit(state.quota))
        }
    }

    private static func has(_ used: Int64, _ percent: Int64, of max: Int64) -> Bool {
        used / percent >= max / 100
    }

    /// This process has sent so many bytes that are no appends.
    func note(sent bytes: Int) { state.withLock { $0.sent += Int64(bytes) } }

    /// Asks the member that requests go to, unless it was asked a moment ago. A member that does not answer leaves
    /// everything as it was: the append that follows tells.
    func measure() {
        let isRecent = state.withLock { state in
            state.askedAt.map { $0.duration(to: .now) < Self.pause } ?? false
        }
        guard !isRecent, let endpoint = client.endpoint else { return }
        do throws(EtcdFailure) {
            let timeout = client.options.firstTry
            take(
                try client.ask(
                    endpoint, "/v3/maintenance/status", Array("{}".utf8), within: timeout))
        } catch {
            // As above.
        }
    }

    /// Takes what a member says about its database.
    func take(_ status: EtcdAnswer) {
        askForQuota()
        state.withLock { state in
            state.used = status.databaseBytes
            state.sent = 0
            state.askedAt = .now
        }
        let use = use
        isNearlyShort.store(
            Self.has(use.used, Self.shortPercent, of: use.max), ordering: .relaxed)
    }

    /// Reads etcd's own limit from its metrics, from time to time, as a member may get another one.
    private func askForQuota() {
        if client.options.bytesMax != nil { return }
        let isDue = state.withLock { state in
            if let at = state.quotaAskedAt, at.duration(to: .now) < Self.quotaPause { return false }
            state.quotaAskedAt = .now
            return true
        }
        guard isDue, let endpoint = client.endpoint,
            let quota = Self.quota(of: endpoint, client)
        else { return }
        state.withLock { $0.quota = quota }
    }

    /// The limit of a member's database: 0 for none, nil where its metrics do not tell.
    static func quota(of endpoint: String, _ client: EtcdClient) -> Int64? {
        do throws(EtcdFailure) {
            let text = try client.text(
                of: "/metrics", at: endpoint, within: client.options.firstTry * 2)
            let name = "etcd_server_quota_backend_bytes "
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Double($0.dropFirst(name.count)) }.flatMap {
                Int64(exactly: max(0, $0))
            }
        } catch {
            // Members may serve their metrics elsewhere, or not at all.
            return nil
        }
    }
}
