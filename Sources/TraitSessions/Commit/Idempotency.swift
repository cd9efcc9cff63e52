// Requests with an `Idempotency-Key`, which are safe to send again. They write to a session that is there:
// neither the creation nor the end of a session has a key. The outcome of such a write is part of its
// log entry, so every process that replays the log answers the same request with that outcome.

import DequeModule
import JSONCodec
import Synchronization
import TraitJSON

/// A request with a key, from its arrival to its answer.
///
/// Confinement: `request` is completed before the request reaches a session, and immutable from then on.
package final class IdempotentRequest: @unchecked Sendable {
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
        caller: String, key: String, request: UInt64, claims: IdempotencyClaims? = nil,
        place: IdempotencyClaims.Place? = nil
    ) {
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
        /// The session's name.
        let session: String
        let caller: String
        let key: String
    }

    private let places = Mutex(Set<Place>())

    package init() {}

    /// Claims the key until the request's `end`, or until the request is released.
    ///
    /// - Parameters:
    ///   - session: the name of the session that the request writes to.
    ///   - target: a digest of method and target.
    /// - Throws: `idempotencyInFlight` while another request of this key is under way.
    package func claim(
        _ key: String, of caller: String, session: String, target: UInt64
    ) throws(SessionError) -> IdempotentRequest {
        let place = Place(session: session, caller: caller, key: key)
        guard places.withLock({ $0.insert(place).inserted }) else {
            throw SessionError(
                .idempotencyInFlight,
                "A request with this key is still being carried out. Send it again when that one is answered, or in a second."
            )
        }
        return IdempotentRequest(
            caller: caller, key: key, request: target, claims: self, place: place)
    }

    fileprivate func remove(_ place: Place) {
        places.withLock { _ = $0.remove(place) }
    }
}

/// The outcome of a request with a key, as a log entry records it beside the operations.
package struct RecordedOutcome: Sendable {
    package let caller: String
    package let key: String
    let request: UInt64
    let revision: Int64
    /// When the request was committed, in milliseconds since 1970.
    let time: Int64
    let notified: Int
    let isNew: Bool
    /// The name that the server chose where the request gave none.
    let id: String?
    /// The answer's body, as JSON.
    let answer: [UInt8]
    /// Milliseconds of the clock by which the outcome ages (`SessionState.keyClock`).
    fileprivate(set) var agesFrom: Int64

    /// Bytes that the outcome takes in the table, about.
    var heldBytes: Int { 368 + answer.count + key.utf8.count + caller.utf8.count }

    /// `"idempotency":{…}` of the open object.
    func write(into json: inout JSONWriter) {
        json.beginObject("idempotency")
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
        caller = try object.requiredString("caller")
        key = try object.requiredString("key")
        request = try object.hexadecimal("request")
        self.revision = revision
        self.time = time
        agesFrom = time
        notified = Int(clamping: try object.requiredInteger("notified"))
        isNew = try object.bool("isNew") ?? false
        id = try object.string("id")
        answer = object["answer"].map { Array($0.rawBytes) + [UInt8(ascii: "\n")] } ?? []
    }

    init(
        _ request: IdempotentRequest, _ outcome: CommitOutcome, time: Int64, id: String?,
        answer: UnsafeRawBufferPointer
    ) {
        caller = request.caller
        key = request.key
        self.request = request.request
        revision = outcome.revision
        self.time = time
        agesFrom = time
        notified = outcome.notified
        isNew = outcome.isNew
        self.id = id
        self.answer = Array(answer)
    }

    /// The outcome of the same request, sent again.
    var repeated: CommitOutcome {
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
/// (`ServiceLimits`).
struct RecordedOutcomes {
    private struct Name: Hashable {
        let caller: String
        let key: String
    }

    var count: Int { order.count }

    private let countMax: Int
    private let bytesMax: Int
    private let ageMax: Int64
    private var outcomes: [Name: RecordedOutcome] = [:]
    private var order = Deque<Name>()

    init(_ limits: ServiceLimits) {
        countMax = limits.idempotencyKeysMax
        bytesMax = limits.idempotencyBytesMax
        ageMax = limits.idempotencyAgeMilliseconds
    }

    /// The outcome of an identical request; nil when the key is new. Removes expired outcomes. O(1)
    /// amortised.
    ///
    /// - Parameter now: `SessionState.keyClock`.
    /// - Throws: `idempotencyKeyReused` when the key stands for another request.
    mutating func outcome(
        of request: IdempotentRequest, now: Int64
    ) throws(SessionError) -> RecordedOutcome? {
        while let oldest = order.first, let known = outcomes[oldest],
            known.agesFrom < now - ageMax
        {
            order.removeFirst()
            remove(oldest)
        }
        guard let known = outcomes[Name(caller: request.caller, key: request.key)],
            known.agesFrom >= now - ageMax
        else { return nil }
        try known.check(request)
        return known
    }

    /// Bytes of the outcomes with their keys, about.
    private(set) var heldBytes = 0

    /// Amortised O(1). Leaves out the outcome of a session's creation, which logs and snapshots have that
    /// an earlier version wrote: it is no outcome of a write to the session.
    mutating func add(_ outcome: RecordedOutcome) {
        if outcome.revision == 1 { return }
        let name = Name(caller: outcome.caller, key: outcome.key)
        if outcomes[name] != nil {
            // A key is recorded again when its outcome has expired and is still there. Rare, so O(count).
            order.removeAll { $0 == name }
            remove(name)
        }
        order.append(name)
        outcomes[name] = outcome
        heldBytes += outcome.heldBytes
        while order.count > countMax || (heldBytes > bytesMax && order.count > 1),
            let oldest = order.popFirst()
        {
            remove(oldest)
        }
    }

    private mutating func remove(_ name: Name) {
        if let outcome = outcomes.removeValue(forKey: name) { heldBytes -= outcome.heldBytes }
    }

    /// `"outcomes":[…]` of the open object, oldest first.
    func write(into json: inout JSONWriter) {
        json.beginArray("outcomes")
        for outcome in order.lazy.compactMap({ outcomes[$0] }) {
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

extension SessionState {
    /// Whether the request was carried out before, and its answer is known.
    ///
    /// - Throws: `idempotencyKeyReused` when the key stands for another request.
    package func hasOutcome(of request: IdempotentRequest) throws(SessionError) -> Bool {
        try outcomes.outcome(of: request, now: keyClock) != nil
    }

    /// Milliseconds of the clock by which keys age. Clocks of servers that share a log differ, by days if one is wrong,
    /// so each of these counts from when it got to know the key.
    var keyClock: Int64 { isShared ? environment.uptime() : environment.now() }

    private var isShared: Bool { surroundings.writerName != nil }

    func record(_ outcome: RecordedOutcome) {
        var outcome = outcome
        if isShared { outcome.agesFrom = environment.uptime() }
        outcomes.add(outcome)
    }
}
