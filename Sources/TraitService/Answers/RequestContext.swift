// The buffers and state of the request that a shard handles. They are reused from request to request, so
// that the steady path allocates nothing.

import Glibc
import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

/// The parts of a request that the note of its answer shows. The views point into the request's bytes. For a
/// request that was set apart, they point into `kept`, and `path` is all of the target.
struct NotedRequest {
    var path = UnsafeRawBufferPointer(start: nil, count: 0)
    var query: UnsafeRawBufferPointer?
    var trace = UnsafeRawBufferPointer(start: nil, count: 0)
    fileprivate var kept: RequestMark?
}

/// One for each shard.
///
/// Confinement: touched only on the queue of its shard, by one request at a time.
final class RequestContext: @unchecked Sendable {
    let tape = JSONTape()

    // Exclusivity is not checked at run time for what every request touches: one request at a time has
    // the context, and nothing that is called during an access comes back to the same property.

    let meters: ShardMeters
    private let shard: Int
    private let access: AccessPolicy
    /// The server has tokens, and a cache must not answer one with the answer to another.
    private let variesByToken: Bool
    /// Header lines of every answer to the request, problems too: for the page that sent the request, if
    /// pages of other origins are allowed.
    @exclusivity(unchecked) private(set) var sharedLines: [UInt8] = []
    @exclusivity(unchecked) var origin = RequestOrigin()
    /// The caller; nil without tokens, and on routes that need no token.
    ///
    /// Not retained: the connection's client state, or the mark of a parked request, holds the caller for
    /// as long as the request is handled.
    @exclusivity(unchecked) var callerReference: Unmanaged<Caller>?
    /// The claim of the request's `Idempotency-Key`, until the answer leaves; nil without a key.
    @exclusivity(unchecked) var idempotent: IdempotentRequest?
    /// The body of the answer.
    @exclusivity(unchecked) var body = JSONWriter(capacity: 4_096)
    /// The `cause` of the request's commit.
    @exclusivity(unchecked) var cause = JSONWriter()
    @exclusivity(unchecked) private var copiedCause: [UInt8] = []
    /// The reason that the request gives for its commit; empty for none.
    var reason: [UInt8] = [] {
        didSet { hasReason = !reason.isEmpty }
    }
    /// Asked for by each request, which a look into the array would cost a count of its references.
    @exclusivity(unchecked) private(set) var hasReason = false
    /// The text of a commit's log entry.
    let entryText = TextBuffer()
    /// Complete header lines of the answer.
    let fields = OutputBuffer(capacity: 512)
    @exclusivity(unchecked) var query = Query()
    @exclusivity(unchecked) var status = 200
    @exclusivity(unchecked) var contentType: StaticString? = "application/json"
    /// The answer shows a revision that its session's log has not acknowledged yet.
    @exclusivity(unchecked) var response: PendingResponse?
    /// How the answer of a pending write is made.
    @exclusivity(unchecked) var write: WriteAnswer?
    /// A thread owns the session: nothing is sent, and the request is handled again when `response` is
    /// decided.
    @exclusivity(unchecked) var mustRepeat = false
    /// The body, if the workers have parsed it.
    var document: OffloadedBody?
    /// The session as it was, while an operation reads the past.
    var past: Session?
    /// The request was parked or turned into a stream: nothing is to be sent now.
    @exclusivity(unchecked) var isTaken = false
    /// The streams and polls to wake once the request is answered.
    @exclusivity(unchecked) var wakes: WakeList
    @exclusivity(unchecked) private(set) var noted = NotedRequest()
    @exclusivity(unchecked) private var match = Router.Match()
    /// Room for decoded path parameters; three identifiers fit many times over.
    private let decoded: UnsafeMutableRawBufferPointer
    private let requestID: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) private var id: (count: Int, number: UInt64)

    static let parameterBytesMax = 512
    static let requestIDBytesMax = 128
    /// The bytes that an answer's buffer may keep between requests.
    static let keptBodyBytesMax = 1_048_576

    init(
        seed: UInt64, shard: Int, meters: ShardMeters, access: AccessPolicy = .closed,
        variesByToken: Bool = false
    ) {
        self.shard = shard
        self.variesByToken = variesByToken
        self.meters = meters
        self.access = access
        wakes = WakeList(stripe: shard)
        decoded = .allocate(
            byteCount: Self.parameterBytesMax * Router.parametersMax, alignment: 1)
        requestID = .allocate(byteCount: Self.requestIDBytesMax, alignment: 1)
        id = (0, seed)
    }

    deinit {
        decoded.deallocate()
        requestID.deallocate()
    }

    /// The caller as a counted reference. The request path uses `callerReference`, which costs no counting.
    var caller: Caller? { callerReference?.takeUnretainedValue() }

    func begin(_ exchange: Exchange) {
        reset()
        origin = RequestOrigin()
        callerReference = nil
        origin.startedAt = exchange.now
        origin.method = exchange.method.rawValue
        noted.path = exchange.path
        noted.query = exchange.query
        if meters.hasAccessLog { takeTrace(exchange) }
        takeRequestID(exchange.header(.traitdRequestID))
        if access.sharesWithOrigins {
            sharedLines = access.lines(for: exchange.header(.origin))
        } else if !sharedLines.isEmpty {
            sharedLines.removeAll(keepingCapacity: true)
        }
        resetFields()
    }

    /// Prepares the context for a request that was parked and whose bytes are gone.
    func resume(_ mark: RequestMark) {
        reset()
        origin = mark.origin
        callerReference = mark.caller.map { .passUnretained($0) }
        idempotent = mark.idempotent
        reason = mark.reason
        noted = NotedRequest(path: mark.target, trace: mark.trace, kept: mark)
        takeRequestID(mark.id)
        sharedLines = mark.sharedLines
        resetFields()
    }

    /// A copy of the request's facts, with which `resume` continues the request later; nil where the system refuses
    /// the memory.
    func mark(_ exchange: Exchange) -> RequestMark? {
        RequestMark(
            id: requestIDBytes, path: noted.path, query: noted.query, trace: noted.trace,
            origin: origin,
            sharedLines: sharedLines, caller: caller, idempotent: idempotent,
            reason: reason,
            since: exchange.now)
    }

    /// For the access log: the trace parent, if it has the length of one.
    private func takeTrace(_ exchange: Exchange) {
        let given = exchange.header(.traceparent)
        noted.trace =
            given.flatMap { $0.count == 55 ? $0 : nil }
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private func reset() {
        noted = NotedRequest()
        if body.count > Self.keptBodyBytesMax {
            body.reset(keeping: Self.keptBodyBytesMax)
        } else {
            body.reset()
        }
        entryText.shrink(to: Self.keptBodyBytesMax)
        query.reset()
        match.parameterCount = 0
        status = 200
        contentType = "application/json"
        if response != nil {
            response = nil
            write = nil
        }
        isTaken = false
        mustRepeat = false
        if document != nil { document = nil }
        if idempotent != nil { idempotent = nil }
        if hasReason { reason = [] }
        if !wakes.isEmpty { wakes = WakeList(stripe: shard) }
    }

    /// Starts the header lines anew: every answer carries the request's id.
    func resetFields() {
        fields.removeAll(keepingCapacity: true)
        // One piece, as every answer begins with it.
        fields.append(
            field: variesByToken
                ? "Vary: Authorization, X-API-Key\r\nTraitd-Request-Id" : "Traitd-Request-Id",
            requestIDBytes)
        if !sharedLines.isEmpty { sharedLines.withUnsafeBytes { fields.append($0) } }
    }

    // MARK: - Header lines

    func field(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { fields.append(field: name, UnsafeRawBufferPointer($0)) }
    }

    func field(_ name: StaticString, _ value: Int64) {
        fields.append(field: name, decimal: Int(value))
    }

    // MARK: - The request's id

    var requestIDBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(requestID)[..<id.count])
    }

    /// Takes the client's id when it is printable ASCII without quotes. Otherwise makes one: 16 hexadecimal
    /// digits, each id the last one's successor under a full-period permutation.
    private func takeRequestID(_ given: UnsafeRawBufferPointer?) {
        if let given, (1...Self.requestIDBytesMax).contains(given.count),
            given.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c })
        {
            requestID.copyMemory(from: given)
            id.count = given.count
            return
        }
        id.number &+= 0x9e37_79b9_7f4a_7c15
        var mixed = id.number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        for position in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: mixed >> UInt64(60 - position * 4)) & 15
            requestID[position] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
        id.count = 16
    }

    /// A copy of `cause`. Most are as long as the one before, and take its memory once its write is over.
    func causeCopy() -> [UInt8] {
        if copiedCause.count == cause.count {
            copiedCause.withUnsafeMutableBytes { $0.copyMemory(from: cause.bytes) }
        } else {
            copiedCause = cause.array()
        }
        return copiedCause
    }

    /// Keeps a name that the server made, until the next request.
    func hold(name: String) -> UnsafeRawBufferPointer {
        let slot = Self.parameterBytesMax * (Router.parametersMax - 1)
        var count = 0
        for byte in name.utf8.prefix(Self.parameterBytesMax) {
            decoded[slot + count] = byte
            count += 1
        }
        return UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(decoded)[slot..<slot + count])
    }

    // MARK: - Path parameters

    /// Takes the parameters of the path; percent-escapes of a segment stand for the bytes they
    /// name (RFC 3986, section 6.2.2.2) and never for a separator.
    /// - Throws: `malformedIdentifier`.
    func take(_ found: Router.Match) throws(Problem) {
        match = found
        if found.parameterCount > 0 { match.parameters.0 = try decode(found.parameters.0, 0) }
        if found.parameterCount > 1 { match.parameters.1 = try decode(found.parameters.1, 1) }
        if found.parameterCount > 2 { match.parameters.2 = try decode(found.parameters.2, 2) }
    }

    private func decode(
        _ segment: UnsafeRawBufferPointer, _ slot: Int
    ) throws(Problem) -> UnsafeRawBufferPointer {
        guard let base = segment.baseAddress,
            memchr(base, Int32(UInt8(ascii: "%")), segment.count) != nil
        else { return segment }
        guard segment.count <= Self.parameterBytesMax,
            let text = PercentEncoding.decode(segment)
        else {
            throw Problem(
                SessionError.malformedIdentifier(String(decoding: segment, as: UTF8.self)))
        }
        let bytes = Array(text.utf8)
        let start = slot * Self.parameterBytesMax
        for (offset, byte) in bytes.enumerated() { decoded[start + offset] = byte }
        return UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(decoded)[start..<start + bytes.count])
    }

    var parameterCount: Int { match.parameterCount }
    var firstParameter: UnsafeRawBufferPointer { match.parameters.0 }
    var secondParameter: UnsafeRawBufferPointer { match.parameters.1 }
    var thirdParameter: UnsafeRawBufferPointer { match.parameters.2 }
}
