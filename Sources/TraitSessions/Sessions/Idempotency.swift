// Requests with an `Idempotency-Key`, which are safe to send again. The outcome of such a write is
// part of its log entry, so every process that replays the log answers the same request with that
// outcome.

import DequeModule
import JSONCodec
import SessionLog
import Synchronization

/// A request with a key, from its arrival to its answer.
///
/// Confinement: `request` is completed before the request reaches a session, and immutable from then on.
package final class IdempotentRequest: @unchecked Sendable {
    /// Where a key is unique for its caller.
    package enum Scope: String, Sendable {
        /// The session that the request writes to.
        case session
        /// The server: the request creates a session and may leave its name to the server.
        case server
    }

    package let scope: Scope
    /// The caller that chose the key. Equal keys of different callers are different keys.
    package let caller: String
    package let key: String
    /// A digest of method, target and body: a key stands for one such request.
    package private(set) var request: UInt64
    private var hasBody = false
    private let claims: IdempotencyClaims?
    private let place: IdempotencyClaims.Place?
    private let hasEnded = Atomic<Bool>(false)

    package init(
        caller: String, key: String, request: UInt64, scope: Scope = .session,
        claims: IdempotencyClaims? = nil, place: IdempotencyClaims.Place? = nil
    ) {
        self.scope = scope
        self.caller = caller
        self.key = key
        self.request = request
        self.claims = claims
        self.place = place
    }

    deinit { end() }

    /// Adds the body's digest to that of method and target. Calls after the first have no effect.
    package func take(body digest: UInt64) {
        if hasBody { return }
        hasBody = true
        request = (request ^ digest) &* 0x9e37_79b9_7f4a_7c15
        request ^= request >> 32
    }

    /// Releases the claim of the key when the request is answered. May be called again, without
    /// effect.
    package func end() {
        guard let claims, let place else { return }
        if !hasEnded.exchange(true, ordering: .relaxed) { claims.remove(place) }
    }
}

/// The keys of all requests that are under way. One for each store. Only requests with a key take
/// its lock.
package final class IdempotencyClaims: Sendable {
    package struct Place: Hashable, Sendable {
        /// The session's name; empty for the server.
        let session: String
        let caller: String
        let key: String
    }

    private let places = Mutex(Set<Place>())

    package init() {}

    /// Claims the key until the request's `end`, or until the request is released.
    ///
    /// - Parameters:
    ///   - session: the session that the request writes to; nil for a key of scope `server`.
    ///   - target: a digest of method and target.
    /// - Throws: `idempotencyInFlight` while another request of this key is under way.
    package func claim(
        _ key: String, of caller: String, session: String?, target: UInt64
    ) throws(SessionError) -> IdempotentRequest {
        let place = Place(session: session ?? "", caller: caller, key: key)
        guard places.withLock({ $0.insert(place).inserted }) else {
            throw SessionError(
                .idempotencyInFlight,
                "A request with this key is still being carried out. Send it again when that one is answered, or in a second."
            )
        }
        return IdempotentRequest(
            caller: caller, key: key, request: target, scope: session == nil ? .server : .session,
            claims: self, place: place)
    }

    fileprivate func remove(_ place: Place) {
        places.withLock { _ = $0.remove(place) }
    }
}

/// The outcome of a request with a key, as a log entry records it beside the operations.
package struct RecordedOutcome: Sendable {
    let scope: IdempotentRequest.Scope
    let caller: String
    let key: String
    let request: UInt64
    package let revision: Int64
    /// When the request was committed, in milliseconds since 1970.
    let time: Int64
    let notified: Int
    let isNew: Bool
    /// The name that the server chose where the request gave none.
    let id: String?
    /// The answer's body, as JSON.
    package let answer: [UInt8]
    /// The session that the request created, or ended.
    package var session: LogSession?
    /// Whether the log keeps the tombstone of `session` for this outcome.
    var keepsTombstone = false

    /// Bytes that the outcome takes in the table, about.
    var heldBytes: Int { 368 + answer.count + key.utf8.count + caller.utf8.count }

    /// `"idempotency":{…}` of the open object.
    func write(into json: inout JSONWriter) {
        json.beginObject("idempotency")
        if scope == .server {
            json.member("scope", scope.rawValue)
        }
        json.member("caller", caller)
        json.member("key", key)
        json.member("request", hexadecimal: request)
        json.member("notified", notified)
        json.member("isNew", isNew)
        json.member("id", ifPresent: id)
        if !answer.isEmpty {
            answer.withUnsafeBytes { json.member("answer", raw: Self.trimmed($0)) }
        }
        json.endObject()
    }

    /// Without the newline that ends an answer.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        return UnsafeRawBufferPointer(rebasing: bytes.dropLast())
    }

    /// - Throws: `malformedBody` and the like.
    init(_ json: JSONValue, revision: Int64, time: Int64) throws(SessionError) {
        let object = try ObjectReader(
            json, "a recorded outcome",
            members: ["scope", "caller", "key", "request", "notified", "isNew", "id", "answer"])
        guard let request = UInt64(try object.requiredString("request"), radix: 16) else {
            throw object.wrongType(
                "request", "16 hexadecimal digits", try object.required("request"))
        }
        scope = try object.string("scope").flatMap { .init(rawValue: $0) } ?? .session
        caller = try object.requiredString("caller")
        key = try object.requiredString("key")
        self.request = request
        self.revision = revision
        self.time = time
        notified = Int(clamping: try object.requiredInteger("notified"))
        isNew = try object.bool("isNew") ?? false
        id = try object.string("id")
        answer = object["answer"].map { Array($0.rawBytes) + [UInt8(ascii: "\n")] } ?? []
    }

    init(
        _ request: IdempotentRequest, _ outcome: CommitOutcome, time: Int64, id: String?,
        answer: UnsafeRawBufferPointer
    ) {
        scope = request.scope
        caller = request.caller
        key = request.key
        self.request = request.request
        revision = outcome.revision
        self.time = time
        notified = outcome.notified
        isNew = outcome.isNew
        self.id = id
        self.answer = Array(answer)
    }

    /// The outcome of a request that ended a session.
    init(
        ending request: IdempotentRequest, _ session: LogSession, _ outcome: CommitOutcome,
        time: Int64, answer: UnsafeRawBufferPointer
    ) {
        self.init(request, outcome, time: time, id: nil, answer: answer)
        self.session = session
        keepsTombstone = true
    }

    /// The outcome of the same request, sent again.
    package var repeated: CommitOutcome {
        CommitOutcome(
            revision: revision, isUnchanged: false, isNew: isNew, notified: notified,
            isRepeated: true, recordedID: id, notes: [])
    }

    /// - Throws: `idempotencyKeyReused` when the key stands for another request.
    func check(_ request: IdempotentRequest) throws(SessionError) {
        if self.request == request.request { return }
        throw SessionError(
            .idempotencyKeyReused,
            "The key '\(key.prefix(140))' stands for another request. Take a new key.")
    }
}

/// The outcomes of the newest requests with a key, bounded by number, bytes and age
/// (`ServiceLimits`). Confined by the lock of the session or store that has the table.
struct RecordedOutcomes {
    private struct Name: Hashable {
        let scope: IdempotentRequest.Scope
        let session: String
        let caller: String
        let key: String

        init(_ outcome: RecordedOutcome, _ session: String) {
            scope = outcome.scope
            self.session = session
            caller = outcome.caller
            key = outcome.key
        }

        init(_ request: IdempotentRequest, _ session: String) {
            scope = request.scope
            self.session = session
            caller = request.caller
            key = request.key
        }
    }

    var count: Int { order.count }

    private let limits: ServiceLimits
    private var outcomes: [Name: RecordedOutcome] = [:]
    private var order = Deque<Name>()

    init(_ limits: ServiceLimits) { self.limits = limits }

    /// The outcome of an identical request; nil when the key is new. Removes expired outcomes. O(1)
    /// amortised.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - session: the session that the key belongs to, in a table for several sessions.
    /// - Throws: `idempotencyKeyReused` when the key stands for another request.
    mutating func outcome(
        of request: IdempotentRequest, now: Int64, session: String = ""
    ) throws(SessionError) -> RecordedOutcome? {
        while let oldest = order.first, let known = outcomes[oldest],
            known.time < now - limits.idempotencyAgeMilliseconds
        {
            order.removeFirst()
            remove(oldest)
        }
        guard let known = outcomes[Name(request, session)],
            known.time >= now - limits.idempotencyAgeMilliseconds
        else { return nil }
        try known.check(request)
        return known
    }

    /// Bytes of the outcomes with their keys, about.
    private(set) var heldBytes = 0

    /// Amortised O(1).
    mutating func add(_ outcome: RecordedOutcome, session: String = "") {
        let name = Name(outcome, session)
        if outcomes[name] != nil {
            // A key is recorded again when its outcome has expired and is still there. Rare, so O(count).
            order.removeAll { $0 == name }
            remove(name)
        }
        order.append(name)
        outcomes[name] = outcome
        heldBytes += outcome.heldBytes
        while order.count > limits.idempotencyKeysMax
            || (heldBytes > limits.idempotencyBytesMax && order.count > 1),
            let oldest = order.popFirst()
        {
            remove(oldest)
        }
    }

    /// The outcome of the request that created the session, unless the limits removed it. O(1),
    /// since it is the oldest.
    var creation: RecordedOutcome? {
        order.first.flatMap { outcomes[$0] }.flatMap { $0.revision == 1 ? $0 : nil }
    }

    /// Removes the outcome of a request that the log refused. O(count).
    mutating func forget(_ outcome: RecordedOutcome) {
        let name = Name(outcome, "")
        order.removeAll { $0 == name }
        remove(name)
    }

    private mutating func remove(_ name: Name) {
        guard let outcome = outcomes.removeValue(forKey: name) else { return }
        heldBytes -= outcome.heldBytes
        if outcome.keepsTombstone, let session = outcome.session { forgotten.append(session) }
    }

    /// Ended sessions whose outcomes were removed, so that the log need not keep their tombstones.
    private var forgotten: [LogSession] = []

    /// Returns these sessions, once.
    mutating func takeForgotten() -> [LogSession] {
        defer { forgotten = [] }
        return forgotten
    }

    /// Notes that the log keeps the session's tombstone for the outcome of its creation. Returns
    /// false when that outcome was removed.
    mutating func keepTombstone(for creation: RecordedOutcome, of session: LogSession) -> Bool {
        let name = Name(creation, "")
        guard outcomes[name]?.session == session else { return false }
        outcomes[name]?.keepsTombstone = true
        return true
    }

    /// `"outcomes":[…]` of the open object, oldest first.
    func write(into json: inout JSONWriter) {
        Self.write(order.compactMap { outcomes[$0] }, into: &json)
    }

    static func write(_ outcomes: [RecordedOutcome], into json: inout JSONWriter) {
        json.beginArray("outcomes")
        for outcome in outcomes {
            json.beginObject()
            json.member("revision", outcome.revision)
            json.member("time", outcome.time)
            outcome.write(into: &json)
            json.endObject()
        }
        json.endArray()
    }

    /// Reads what `write` has written.
    ///
    /// - Parameter now: the time of outcomes that have none, in milliseconds since 1970.
    static func read(
        _ outcomes: JSONValue?, now: Int64
    ) throws(SessionError) -> [RecordedOutcome] {
        var list: [RecordedOutcome] = []
        for json in outcomes.map({ Array($0.elements) }) ?? [] {
            let recorded = try ObjectReader(
                json, "an outcome", members: ["revision", "time", "idempotency"])
            list.append(
                try RecordedOutcome(
                    try recorded.required("idempotency"),
                    revision: try recorded.requiredInteger("revision"),
                    time: try recorded.integer("time") ?? now))
        }
        return list
    }

    /// Removes the outcomes of undone commits.
    mutating func forget(after revision: Int64) {
        while let newest = order.last, outcomes[newest]?.revision ?? 0 > revision {
            remove(newest)
            order.removeLast()
        }
    }
}
