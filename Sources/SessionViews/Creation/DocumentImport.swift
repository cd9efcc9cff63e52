// From the bytes of a document, as they come, to a session: for files, pipes and requests. A document of
// a million nodes takes the memory of its session and a few pieces of 64 KiB beside it, unless a log
// keeps the document, which is the first entry of its session then.

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON
import TraitSessions

/// Confined to one thread at a time.
package final class DocumentImport {
    package struct Order: Sendable {
        /// The name in the request's target. The document has to agree with it.
        package var name: String?
        /// The name of the new session, where it is another one.
        package var copyName: String?
        package var options = CommitOptions()
        /// The names that the caller may give; nil for any.
        package var scope: SessionScope?
        /// How long the document is, about; 0 when that is not known.
        package var expectedBytes = 0
        /// See `SessionEnvironment.onWork`.
        package var onWork: (@Sendable (Int) -> Void)?
        /// Bytes that may be collected at once: before the document's nodes, of one element, or of a document that
        /// cannot be read piece by piece.
        package var collectedBytesMax = JSONLimits.documentBytesCeiling
        /// Bytes that are read at once, about.
        package var pieceBytes = 65_536

        package init() {}

        fileprivate var target: String? { copyName ?? name }
    }

    private var order: Order
    private let store: SessionStore
    private var splitter: DocumentSplitter
    private var reader: DocumentReader?
    private var name: String?
    private var configuration = SessionConfiguration()
    private let tape = JSONTape(
        limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
    /// The document, for the session's first log entry; nil when it is not kept.
    private var text: [UInt8]?
    private var byteCount = 0
    /// Bytes that the splitter held after the last call of `feed`.
    private var collectedBytes = 0
    /// Bytes of hierarchy, text and collected pieces that the ledger has confirmed.
    private var countedBytes = 0
    private var isWhole = false
    /// Bytes of a document that was cut late, which are still to be read, from `backlogStart` on.
    private var backlog: [UInt8] = []
    private var backlogStart = 0

    package init(_ order: Order, _ store: SessionStore) {
        self.order = order
        splitter = DocumentSplitter(pieceBytes: order.pieceBytes)
        self.store = store
        text = []
    }

    /// Takes over what is known of the request only when all of the document is there.
    package func update(_ options: CommitOptions) { order.options = options }

    /// Takes the next bytes. About a millisecond for 64 KiB.
    ///
    /// - Throws: what the document is refused for, with a pointer into it.
    package func feed(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
        if byteCount == 0 { try begin() }
        byteCount += bytes.count
        keep(bytes)
        if backlog.isEmpty {
            try split(bytes)
        } else {
            backlog.append(contentsOf: bytes)
            try readBacklog(bytesMax: bytes.count * 2)
        }
        try checkGrowth()
        if splitter.mode == .whole, !isWhole {
            isWhole = true
            text = nil
            splitter.reserve(order.expectedBytes)
        }
        // A document that is read as a whole is measured without the white space behind it.
        if splitter.mode != .head, let text { try checkLength(text.count) }
        if splitter.buffer.count > order.collectedBytesMax, try !cut() {
            throw .limit(
                .bodyTooLarge,
                "The document has more than \(order.collectedBytesMax) bytes before its `nodes` or in one element, or a list before its `nodes`. A document of so many bytes has its members in the order \(Self.order).",
                name: "bodyBytesMax", value: order.collectedBytesMax)
        }
    }

    private static let order = DocumentReader.members.map(\.description).joined(separator: ", ")

    private func split(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
        try splitter.feed(bytes, tape, refusal: error) { json, piece throws(SessionError) in
            try self.take(json, piece)
        }
        collectedBytes = splitter.buffer.count + backlog.count
    }

    /// Begins to read a document that was collected so far. Returns whether that is possible.
    private func cut() throws(SessionError) -> Bool {
        guard let collected = splitter.cut() else { return false }
        isWhole = false
        if store.log != nil || byteCount <= store.limits.retainedBytesMax {
            try checkLength(collected.count)
            text = collected
        }
        backlog = collected
        try readBacklog(bytesMax: 0)
        return true
    }

    private func readBacklog(bytesMax: Int) throws(SessionError) {
        let end = min(backlog.count, backlogStart + bytesMax)
        let part = Array(backlog[backlogStart..<end])
        backlogStart = end
        if end == backlog.count {
            backlog = []
            backlogStart = 0
        }
        try part.withBytes { bytes throws(SessionError) in try split(bytes) }
    }

    /// The document is complete.
    ///
    /// - Throws: the same, `exists`, `quota`, what the log says. Then nothing was created.
    package func finish() throws(SessionError) -> CreatedSession {
        if byteCount == 0 { try begin() }
        try readBacklog(bytesMax: backlog.count)
        switch splitter.mode {
        case .over: return try finishReading(text)
        case .lists:
            try splitter.finish(tape, refusal: error) { json, piece throws(SessionError) in
                try self.take(json, piece)
            }
            return try finishReading(text)
        case .head, .whole: return try readWhole()
        }
    }

    /// - Throws: what needs no look at the document.
    private func begin() throws(SessionError) {
        guard let target = order.target else { return }
        if let scope = order.scope, !scope.contains(target) {
            throw .outside(scope, "'\(target)' is none of them.")
        }
        if store.find(target) != nil { throw .exists(target) }
    }

    /// Keeps the document for the session's first entry. Without a log nothing but the window of retained
    /// commits would have the entry.
    private func keep(_ bytes: UnsafeRawBufferPointer) {
        // White space alone follows the end of a document.
        guard text != nil, !isWhole, splitter.mode != .over else { return }
        if store.log == nil, byteCount > store.limits.retainedBytesMax {
            text = nil
            return
        }
        text?.append(contentsOf: bytes)
    }

    /// - Throws: `bodyTooLarge` when the log has no room for such an entry.
    private func checkLength(_ count: Int) throws(SessionError) {
        guard let properties = store.log?.properties, count > properties.maxEntryBytes
        else { return }
        throw .limit(
            .bodyTooLarge,
            "The log keeps a document as one entry, which has at most \(properties.maxEntryBytes) bytes. Import a smaller document, and add the rest with `apply` or transactions.",
            name: "documentBytesMax", value: properties.maxEntryBytes)
    }

    // MARK: - Pieces

    private func take(_ json: JSONValue, _ piece: DocumentPiece) throws(SessionError) {
        let list = list(of: piece)
        do throws(SessionError) {
            if piece.list == nil {
                let room = try room(toRead: json.rawBytes.count)
                defer { withExtendedLifetime(room) {} }
                try beginReading(json)
                try reader?.readHead(ObjectReader(checked: json))
            }
            for (name, value) in json.members {
                guard let list = DocumentList(rawValue: name.string) else { continue }
                try reader?.read(value, of: list)
                if list != piece.open { try reader?.finish(list) }
            }
        } catch {
            throw DocumentPlaces(json, start: piece.place, list: list).placing(error.ofDocument)
        }
        try checkGrowth()
    }

    private func beginReading(_ json: JSONValue) throws(SessionError) {
        let limits = store.limits
        var configured = SessionConfiguration()
        var reader = try DocumentReader(
            json, server: limits.hierarchy, keepsRevisions: false,
            hashSeed: store.environment.random()
        ) { configuration in
            configured = configuration
            return configuration.limits.hierarchyLimits(server: limits.hierarchy)
        }
        configuration = configured
        reader.onWork = order.onWork
        name = try name(given: reader.name)
        if let name, try store.findOrOpen(name) != nil { throw .exists(name) }
        self.reader = consume reader
    }

    private func name(given: String?) throws(SessionError) -> String {
        if let path = order.name { try ObjectReader.check(given, "name", agreesWith: path) }
        guard let name = order.target ?? given else {
            throw SessionError(.missingMember, "A session file needs a `name`.", pointer: "")
        }
        return name
    }

    /// - Throws: `memoryFull`.
    private func checkGrowth() throws(SessionError) {
        let memory = store.environment.memory
        guard memory.isLimited else { return }
        let held = (reader?.heldBytes ?? 0) + (text?.count ?? 0) + collectedBytes
        guard held - countedBytes > Self.growthBytesMin else { return }
        if !memory.confirm(held - countedBytes) { throw SessionError(memory.shortage) }
        countedBytes = held
        if held > memory.sessionBytesMax {
            throw SessionError(
                MemoryShortage(.session, bytesMax: memory.sessionBytesMax, bytes: held))
        }
        if let owner = order.options.caller, !owner.stored.hasRoom(for: held) {
            throw SessionError(
                MemoryShortage(.caller, bytesMax: owner.stored.bytesMax, bytes: owner.stored.bytes))
        }
    }

    /// Reserves what reading so many bytes at once takes: a state takes four times as much as its JSON. Nil for few
    /// bytes.
    ///
    /// - Throws: `memoryFull`.
    private func room(toRead bytes: Int) throws(SessionError) -> MemoryReservation? {
        let memory = store.environment.memory
        guard bytes > Self.growthBytesMin else { return nil }
        memory.measureNow()
        guard let room = memory.reserve(bytes &* 4) else { throw SessionError(memory.shortage) }
        return room
    }

    private static let growthBytesMin = 262_144

    // MARK: - The end

    /// A document whose members stand in another order, or the body of a request.
    private func readWhole() throws(SessionError) -> CreatedSession {
        let bytes = splitter.buffer
        let room = try room(toRead: bytes.count)
        defer { withExtendedLifetime(room) {} }
        return try bytes.withBytes { bytes throws(SessionError) in
            try tape.withDocument(bytes, refusal: SessionError.init) { json throws(SessionError) in
                let isDocument = DocumentReader.isDocument(json)
                do throws(SessionError) {
                    if !isDocument { return try create(json) }
                    var members = DocumentOrder()
                    for (name, _) in json.members {
                        do throws(DocumentSplitter.Refusal) {
                            try members.take(name.string)
                        } catch {
                            throw self.error(error)
                        }
                    }
                    try beginReading(json)
                    try reader?.read(json)
                } catch {
                    throw DocumentPlaces(json).placing(isDocument ? error.ofDocument : error)
                }
                try checkGrowth()
                // White space behind the document is none of it.
                let end = bytes.lastIndex { $0 == UInt8(ascii: "}") } ?? bytes.count - 1
                try checkLength(end + 1)
                return try finishReading(Array(bytes[...end]))
            }
        }
    }

    private func finishReading(_ document: [UInt8]?) throws(SessionError) -> CreatedSession {
        guard let name, let reader = reader.take() else {
            throw SessionError(.internalError, "The document was read twice.")
        }
        if try store.findOrOpen(name) != nil { throw .exists(name) }
        let state = try store.makeState(
            name, configuration, from: reader, owner: order.options.caller)
        var answer = JSONWriter()
        state.write(isDryRun: order.options.dryRun, into: &answer)
        answer.newline()
        let body = answer.array()
        if order.options.dryRun { return .created(Session(state), body: body, response: nil) }
        let (added, response) = try store.add(
            state, document: document.flatMap { isKept($0) ? $0 : nil },
            cause: order.options.cause)
        return .created(added, body: body, response: response)
    }

    private func isKept(_ document: [UInt8]) -> Bool {
        store.log != nil || document.count <= store.limits.retainedBytesMax
    }

    /// A session of settings, traits and nodes, as a request makes one.
    private func create(_ json: JSONValue) throws(SessionError) -> CreatedSession {
        guard order.target != nil || json.kind != .object || json.member("name") != nil else {
            throw SessionError(.missingMember, "A session file needs a `name`.", pointer: "")
        }
        var creating = SessionCreation.Order()
        creating.name = order.target
        creating.documentName = order.name
        creating.mustCreate = true
        creating.options = order.options
        creating.scope = order.scope
        let creation = SessionCreation(creating, store)
        while true {
            if let created = try creation.step(json) { return created }
            order.onWork?(SessionCreation.nodesAtATime)
        }
    }

    // MARK: - Errors

    /// The list that a piece goes on with, and how many of its elements were read.
    private func list(of piece: DocumentPiece) -> (name: DocumentList, before: Int)? {
        piece.list.map { ($0, reader?.count ?? 0) }
    }

    private func error(_ refusal: DocumentSplitter.Refusal) -> SessionError {
        switch refusal {
        case .json(let error, let piece): SessionError(error, in: piece, list(of: piece))
        case .syntax(let text, let place):
            SessionError(.malformedJSON, "\(text): line \(place.line), column \(place.column).")
                .with("offset", Int64(place.offset)).with("line", Int64(place.line))
                .with("column", Int64(place.column))
        case .misplaced(let name):
            SessionError(
                DocumentReader.members.contains { $0.description == name }
                    ? .malformedBody : .unknownMember,
                "'\(name.prefix(140))' cannot stand here: the order of members matters in a document that is read piece by piece. They come once, in the order \(Self.order).",
                pointer: "/\(String(name.prefix(140)).pointerToken)")
        }
    }
}
