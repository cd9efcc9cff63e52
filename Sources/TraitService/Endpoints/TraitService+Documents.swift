// A session as one document: the export of one revision, and the import under a new name.

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
            // The snapshot is materialized by now, so reading it cannot fail any more.
            session.name
        } then: { _, request throws(Problem) in
            // The document is compressed for every client that accepts gzip, whatever its length.
            request.finishReading(
                uid: taken.uid, revision: taken.snapshot.revision, bodyBytes: .max)
            if request.context.status == 304 { return }
            let packer = request.exchange.willCompress(bodyBytes: .max) ? GzipEncoder() : nil
            if let packer, !packer.isReady {
                throw Problem(.outOfMemory, "There is no memory to compress the document.")
            }
            request.context.field("Vary", "Accept-Encoding")
            if packer != nil { request.context.field("Content-Encoding", "gzip") }
            try request.stream(
                "application/json", DocumentProducer(taken.snapshot, profile, packer))
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

    /// - Parameter packer: compresses the document; nil sends it as it is.
    init(
        _ snapshot: SessionSnapshot, _ profile: DocumentWriter.Profile, _ packer: GzipEncoder?
    ) {
        self.snapshot = snapshot
        self.profile = profile
        self.packer = packer
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
            // zlib allocates its memory before the answer begins, so this never fails. If it did, the
            // answer would end here: the gzip text is incomplete, which the client's decoder reports.
            guard packer.write(json.bytes, flush: .none, into: out),
                hasMore || packer.finish(into: out)
            else { return true }
        } else {
            out.append(json.bytes)
        }
        json.drain()
        return !hasMore
    }
}
