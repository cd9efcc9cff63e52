// A session as one document: the export of one revision, and the import under a new name.

import Background
import HTTPServer
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// `GET …/export?specified=`: the session at one revision, streamed from a snapshot.
    func exportSession(_ request: Request) throws(Problem) {
        let context = request.context
        let profile: DocumentWriter.Profile =
            context.query.flag(.specified) ? .specified : .exchange
        let session = try session(request)
        let snapshot = try translated(try request.snapshot(of: session))
        work(request, revision: snapshot.revision) { _ throws(SessionError) in
            try snapshot.session()
        } then: { session, request throws(Problem) in
            request.finishReading(
                uid: snapshot.header.uid, revision: snapshot.revision, bodyBytes: .max)
            if request.context.status == 304 { return }
            request.context.field("Vary", "Accept-Encoding")
            let document = DocumentWriter(session, profile)
            var json = JSONWriter(capacity: 131_072)
            try request.streamCompressed(
                "document", "application/json",
                BodyProducer { out, budget in
                    // The snapshot keeps the session alive.
                    withExtendedLifetime(snapshot) {
                        var hasMore = true
                        while hasMore, json.count < budget {
                            hasMore = document.write(into: &json)
                        }
                        if !hasMore { json.newline() }
                        out.append(json.bytes)
                        json.drain()
                        return BodyPart(isLast: !hasMore)
                    }
                })
        }
    }

    /// `PUT …/import?as=&dryRun=`: creates a session from a document, which a feed has taken as it came
    /// unless it was there at once.
    func importSession(_ request: Request) throws(Problem) {
        let feed: ImportFeed
        if let taken = request.exchange.sink as? ImportFeed {
            feed = taken
        } else {
            if request.exchange.body.isEmpty {
                throw Problem(
                    .malformedJSON, "A document is required. With curl: --json @session.json")
            }
            feed = try importFeed(request)
        }
        if let failure = feed.failure { throw Problem(failure) }
        var options = feed.order.options
        try translating { () throws(SessionError) in try request.read(&options) }
        options.add(Proposal.Operations.importing(feed.order.name ?? ""))
        feed.update(options)
        let isNamed = feed.order.copyName != nil
        work(request, of: feed.order.copyName ?? feed.order.name) {
            body throws(SessionError) in
            try feed.step(body.bytes)
        } then: { created, request throws(Problem) in
            try self.answer(created, named: isNamed, options, request)
        }
    }

    /// The feed that takes the document of the request.
    ///
    /// - Throws: errors of the request that do not depend on its document.
    func importFeed(_ request: Request) throws(Problem) -> ImportFeed {
        let context = request.context
        try request.checkMediaType()
        if request.exchange.header(.ifMatch) != nil {
            throw Problem(
                .revisionMismatch,
                "An import makes a new session, which If-Match cannot match. Leave the field out.")
        }
        var order = DocumentImport.Order()
        order.name = try Request.checked(context.firstParameter)
        if let name = try context.query.string(.as) {
            guard Identifier.isValid(name) else {
                throw Problem(SessionError.malformedIdentifier(name))
            }
            order.copyName = name
        }
        order.options.caller = request.exchange.caller
        order.scope = context.caller?.scope
        order.expectedBytes = request.exchange.body.count
        order.collectedBytesMax = request.exchange.bodyBytesMax
        return ImportFeed(order, store)
    }
}

/// Reads a document on the workers, a piece at a time.
///
/// `@unchecked Sendable`: used by one piece or step at a time, and by the shard between them.
final class ImportFeed: BodySink, @unchecked Sendable {
    private static let bytesAtATime = 131_072

    let order: DocumentImport.Order
    private let reading: DocumentImport
    private let bytesMax: Int
    private var bytesTaken = 0
    /// Where the body is that is there as a whole.
    private var offset = 0
    /// Why the document is refused.
    private(set) var failure: SessionError?

    init(_ order: DocumentImport.Order, _ store: SessionStore) {
        self.order = order
        reading = DocumentImport(order, store)
        bytesMax = store.limits.documentBytesMax
    }

    /// No shard gives back the memory of what was half read.
    deinit {
        let reading = reading
        if bytesTaken > Self.bytesAtATime { Disposal.keepForAWhile(reading) }
    }

    func update(_ options: CommitOptions) { reading.update(options) }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if failure != nil { return false }
        bytesTaken += bytes.count
        do throws(SessionError) {
            if bytesTaken > bytesMax {
                throw .limit(
                    .bodyTooLarge,
                    "A document may have documentBytesMax=\(bytesMax) bytes. Start the server with a larger --limit document-bytes-max, or load the file with --load.",
                    name: "documentBytesMax", value: bytesMax)
            }
            try reading.feed(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Nil until the session is made.
    ///
    /// - Parameter body: the document, if it did not come in pieces.
    func step(_ body: UnsafeRawBufferPointer) throws(SessionError) -> CreatedSession? {
        let end = min(offset + Self.bytesAtATime, body.count)
        if offset < end, !take(UnsafeRawBufferPointer(rebasing: body[offset..<end])) {
            throw failure ?? SessionError(.internalError, "The document was not taken.")
        }
        offset = end
        guard offset == body.count else { return nil }
        return try reading.finish()
    }
}
