// Callers: the bearer of a token, or a process of the server's own user on a socket file. Requests, streams
// and the log name a caller by its accessor, as this type has no secret.

import HTTPServer
import JSONCodec
import Ledger
import SessionViews
import Synchronization
import TraitSessions

package final class Caller: Sendable {
    /// `k7f3m2pq`, or `unix:1000`.
    package let accessor: String
    package let name: String
    let allow: Access
    let scope: SessionScope
    /// Milliseconds since 1970.
    let expires: Int64?
    /// The hash of the token's secret; nil for a caller without a token.
    let hash: TokenHash?
    /// `{"id","name"}`, the caller as the `cause` of its commits shows it.
    let causeText: [UInt8]
    private let hasEnded = Atomic<Bool>(false)
    private let isAdmitted = Atomic<Bool>(false)
    /// The streams and waiting long polls to wake when the caller's token is revoked.
    private let listeners = Mutex<[ObjectIdentifier: WakeTarget]>([:])

    private init(
        _ accessor: String, _ name: String, _ allow: Access, _ scope: SessionScope,
        expires: Int64? = nil, hash: TokenHash? = nil
    ) {
        self.accessor = accessor
        self.name = name
        self.allow = allow
        self.scope = scope
        self.expires = expires
        self.hash = hash
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", accessor)
        writer.member("name", name)
        writer.endObject()
        causeText = writer.array()
    }

    convenience init(_ entry: TokenEntry) {
        self.init(
            entry.accessor, entry.name, entry.allow, SessionScope(entry.sessions),
            expires: entry.expires, hash: entry.hash)
    }

    /// A process that runs as the server's own user.
    convenience init(userID: UInt32) { self.init("unix:\(userID)", "user \(userID)", .admin, .all) }

    /// A caller for the same token, for requests after this caller's end.
    func successor() -> Caller {
        Caller(accessor, name, allow, scope, expires: expires, hash: hash)
    }

    /// Identifies the caller in the counts of memory by caller; no address has such a key.
    var memoryKey: CallerKey {
        let low = accessor.utf8.reduce(UInt64(0)) { $0 << 8 | $0 >> 56 ^ UInt64($1) }
        return CallerKey(high: .max, low: low)
    }

    /// Whether the entry says the same of the same secret.
    func agrees(with entry: TokenEntry) -> Bool {
        accessor == entry.accessor && name == entry.name && allow == entry.allow
            && scope.patterns == entry.sessions && expires == entry.expires && hash == entry.hash
    }

    func isExpired(at time: Int64) -> Bool { expires.map { $0 <= time } ?? false }

    /// Whether a request was let in with its token.
    var wasAdmitted: Bool { isAdmitted.load(ordering: .sequentiallyConsistent) }

    func admit() { isAdmitted.store(true, ordering: .sequentiallyConsistent) }

    // MARK: - The end

    /// Whether its token was removed, was changed, or has expired.
    var isRevoked: Bool { hasEnded.load(ordering: .relaxed) }

    /// Marks the caller as ended, and wakes the streams and long polls that have to end with it.
    func revoke() {
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        let all = listeners.withLock { listeners in
            defer { listeners = [:] }
            return listeners.values.map { WakeHandle($0) }
        }
        WakeHandle.wake(all)
    }

    /// Has `target` woken when the caller is revoked, at once if it is already.
    func listen(_ target: WakeTarget) {
        listeners.withLock { $0[ObjectIdentifier(target)] = target }
        if hasEnded.load(ordering: .sequentiallyConsistent) { WakeHandle(target).wake() }
    }

    func leave(_ target: WakeTarget) {
        listeners.withLock { $0[ObjectIdentifier(target)] = nil }
    }
}
