// Requests that are safe to send again: the outcome of a write with a key is part of its log entry,
// so every process that replays the log answers the same request with the same outcome.

import DequeModule
import JSONCodec

/// A request that its client may repeat.
package struct IdempotentRequest: Sendable {
    /// Who chose the key: keys of different callers have nothing to do with each other.
    package let caller: String
    package let key: String
    /// A digest of method, target and body: a key stands for one request.
    package let request: UInt64

    package init(caller: String, key: String, request: UInt64) {
        self.caller = caller
        self.key = key
        self.request = request
    }
}

/// What the log keeps of such a request beside its operations.
struct RecordedOutcome: Sendable {
    let request: IdempotentRequest
    let revision: Int64
    let notified: Int
    let isNew: Bool
    /// The answer's body, as JSON.
    let answer: [UInt8]

    /// Bytes that it takes in the table, about.
    var heldBytes: Int { 320 + answer.count + request.key.utf8.count + request.caller.utf8.count }

    /// `"idempotency":{…}` of the open object.
    func write(into json: inout JSONWriter) {
        json.key("idempotency")
        json.beginObject()
        json.key("caller")
        json.value(request.caller)
        json.key("key")
        json.value(request.key)
        json.key("request")
        json.value(hexadecimal: request.request)
        json.key("notified")
        json.value(notified)
        json.key("isNew")
        json.value(isNew)
        json.key("answer")
        answer.withUnsafeBytes { json.raw(Self.trimmed($0)) }
        json.endObject()
    }

    /// Without the newline that ends an answer.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        return UnsafeRawBufferPointer(rebasing: bytes.dropLast())
    }

    /// - Throws: `malformedBody` and the like.
    init(_ json: JSONValue, revision: Int64) throws(SessionError) {
        let object = try ObjectReader(
            json, "a recorded outcome",
            members: ["caller", "key", "request", "notified", "isNew", "answer"])
        guard let request = UInt64(try object.requiredString("request"), radix: 16) else {
            throw object.wrongType(
                "request", "16 hexadecimal digits", try object.required("request"))
        }
        self.request = IdempotentRequest(
            caller: try object.requiredString("caller"), key: try object.requiredString("key"),
            request: request)
        self.revision = revision
        notified = Int(clamping: try object.requiredInteger("notified"))
        isNew = try object.bool("isNew") ?? false
        answer = Array(try object.required("answer").rawBytes) + [UInt8(ascii: "\n")]
    }

    init(
        _ request: IdempotentRequest, _ outcome: CommitOutcome, answer: UnsafeRawBufferPointer
    ) {
        self.request = request
        revision = outcome.revision
        notified = outcome.notified
        isNew = outcome.isNew
        self.answer = Array(answer)
    }
}

/// The outcomes of the newest requests with a key. Confined by the session's lock.
struct RecordedOutcomes {
    private struct Name: Hashable {
        let caller: String
        let key: String
    }

    static let countMax = 10_000

    var count: Int { order.count }

    private var outcomes: [Name: RecordedOutcome] = [:]
    private var order = Deque<Name>()

    /// The outcome of an identical request; nil when the key is new.
    ///
    /// - Throws: `idempotencyKeyReused` when the key stands for another request.
    func outcome(of request: IdempotentRequest) throws(SessionError) -> RecordedOutcome? {
        let known = outcomes[Name(caller: request.caller, key: request.key)]
        guard let known else { return nil }
        guard known.request.request == request.request else {
            throw SessionError(
                .idempotencyKeyReused,
                "The key '\(request.key.prefix(140))' stands for another request. Take a new key.")
        }
        return known
    }

    /// Bytes of the outcomes with their keys, about.
    private(set) var heldBytes = 0

    /// Amortised O(1).
    mutating func add(_ outcome: RecordedOutcome) {
        let name = Name(caller: outcome.request.caller, key: outcome.request.key)
        if let replaced = outcomes.updateValue(outcome, forKey: name) {
            heldBytes -= replaced.heldBytes
        } else {
            order.append(name)
        }
        heldBytes += outcome.heldBytes
        while order.count > Self.countMax, let oldest = order.popFirst() { remove(oldest) }
    }

    private mutating func remove(_ name: Name) {
        if let outcome = outcomes.removeValue(forKey: name) { heldBytes -= outcome.heldBytes }
    }

    /// `"outcomes":[…]` of the open object, oldest first.
    func write(into json: inout JSONWriter) {
        json.key("outcomes")
        json.beginArray()
        for name in order {
            guard let outcome = outcomes[name] else { continue }
            json.beginObject()
            json.key("revision")
            json.value(outcome.revision)
            outcome.write(into: &json)
            json.endObject()
        }
        json.endArray()
    }

    /// Forgets what undone commits came to.
    mutating func forget(after revision: Int64) {
        while let newest = order.last, outcomes[newest]?.revision ?? 0 > revision {
            remove(newest)
            order.removeLast()
        }
    }
}
