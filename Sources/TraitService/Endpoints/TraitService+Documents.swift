// A session as one document: out of the server at one revision, and into it under a name of its own.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitSessions

extension TraitService {
    /// `GET …/export?specified=`: the session at one revision, streamed from a snapshot.
    func exportSession(_ request: Request) throws(Problem) {
        let context = request.context
        let profile: DocumentWriter.Profile =
            context.query.flag(.specified) ? .specified : .exchange
        let session = try session(request)
        var taken: (snapshot: SessionSnapshot, uid: String)?
        try translating { () throws(SessionError) in
            let session = try request.entered(session, before: true)
            defer { session.leave() }
            try request.checkIsThere(session)
            context.response = session.pendingResponse(until: session.head)
            taken = (try session.snapshot(), session.uid)
        }
        guard let taken else { return }
        readAtLength(request, taken.snapshot) { session, _ throws(SessionError) in
            // Materialized by now: from here on nothing fails.
            session.name
        } then: { _, request throws(Problem) in
            // Whatever its length, the document is compressed for a client that takes it.
            request.finishReading(
                uid: taken.uid, revision: taken.snapshot.revision, bodyBytes: .max)
            if request.context.status == 304 { return }
            let isPacked = request.exchange.willCompress(bodyBytes: .max)
            request.context.field("Vary", "Accept-Encoding")
            if isPacked { request.context.field("Content-Encoding", "gzip") }
            try request.stream(
                "application/json", DocumentProducer(taken.snapshot, profile, isPacked: isPacked))
        }
    }

    /// `PUT …/import?as=&dryRun=`: creates a session from a document.
    func importSession(_ request: Request) throws(Problem) {
        let context = request.context
        try request.checkMediaType()
        if request.exchange.body.isEmpty {
            throw Problem(.malformedJSON, "A document is required. With curl: --json @session.json")
        }
        var order = DocumentImport.Order()
        order.name = try Request.checked(context.firstParameter)
        if let name = try context.query.string(.as) {
            guard Identifier.isValid(name) else {
                throw Problem(SessionError.malformedIdentifier(name))
            }
            order.copyName = name
        }
        request.read(&order.options)
        order.options.caller = request.exchange.caller
        order.options.idempotency = try translating { () throws(SessionError) in
            try request.idempotency(store)
        }
        order.scope = context.caller?.scope
        order.expectedBytes = request.exchange.body.count
        let name = order.copyName ?? order.name
        let work = ImportWork(order, store)
        workElsewhere(request, name: name) { body throws(SessionError) in
            try work.step(body.bytes)
        } then: { created, request throws(Problem) in
            try self.answer(created, named: order.copyName != nil, order.options, request)
        }
    }
}

/// Reads a document on the workers, a piece at a time.
///
/// `@unchecked Sendable`: used by one step at a time.
private final class ImportWork: @unchecked Sendable {
    private static let bytesAtATime = 131_072

    private let reading: DocumentImport
    private let idempotent: IdempotentRequest?
    private var offset = 0

    init(_ order: DocumentImport.Order, _ store: SessionStore) {
        reading = DocumentImport(order, store)
        idempotent = order.options.idempotency
    }

    /// Nil until the session is made.
    func step(_ body: UnsafeRawBufferPointer) throws(SessionError) -> CreatedSession? {
        let end = min(offset + Self.bytesAtATime, body.count)
        try reading.feed(UnsafeRawBufferPointer(rebasing: body[offset..<end]))
        offset = end
        guard offset == body.count else { return nil }
        idempotent?.take(body: Fingerprint.wide(body))
        return try reading.finish()
    }
}

/// Writes a document on the workers, part after part.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
private final class DocumentProducer: BodyProducer, @unchecked Sendable {
    private let snapshot: SessionSnapshot
    private let profile: DocumentWriter.Profile
    private let packer: GzipEncoder?
    private var document: DocumentWriter?
    private var json = JSONWriter(capacity: 131_072)

    init(_ snapshot: SessionSnapshot, _ profile: DocumentWriter.Profile, isPacked: Bool) {
        self.snapshot = snapshot
        self.profile = profile
        packer = isPacked ? GzipEncoder() : nil
    }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        // The snapshot was materialized before the answer began, so this never fails.
        guard let session = try? snapshot.session() else { return true }
        let document = document ?? DocumentWriter(session, profile)
        self.document = document
        var hasMore = true
        while hasMore, json.count < budget {
            hasMore = session.locked { document.write(into: &json) }
        }
        if !hasMore { json.newline() }
        if let packer {
            // Memory that zlib does not get ends the answer without its last chunk.
            guard packer.write(json.bytes, flush: .none, into: out) else { return false }
            if !hasMore { _ = packer.finish(into: out) }
        } else {
            out.append(json.bytes)
        }
        json.drain()
        return !hasMore
    }
}
