// Rows of variants, as a sequence.

import TraitClientCore

/// What nodes would show under combinations of assumptions, one combination a row (docs/whatif.md).
///
/// Each iteration is a request, which is repeated until the head of its answer has come. Rows are given as they come.
/// An answer without its end, or with other counts than its end names, is an error after its rows.
public final class TraitVariants: AsyncSequence, Sendable {
    /// A row.
    public typealias Element = TraitVariant

    private let session: TraitClient.Session
    private let query: TraitObject
    private let shown = Locked<(head: TraitValue?, end: TraitValue?)>((nil, nil))

    init(_ session: TraitClient.Session, _ query: TraitObject) {
        (self.session, self.query) = (session, query)
    }

    /// The axes with their values, and how many rows there are. There with the first row.
    public var head: TraitValue? { shown.withLock { $0.head } }
    /// How many rows there were, how many combinations they stand for, and which pairs they cover. There after the last
    /// row.
    public var end: TraitValue? { shown.withLock { $0.end } }

    /// Makes an iterator, which sends a request when it is first used.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads the rows of one answer. The connection ends with the iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private let variants: TraitVariants
        private var reader: RowReader?
        private var rows: Int64 = 0
        private var combinations: Int64 = 0
        private var isOver = false

        fileprivate init(_ variants: TraitVariants) { self.variants = variants }

        /// The next row, or nil after the last one.
        /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> TraitVariant? {
            if isOver { return nil }
            isOver = true
            defer { if isOver { reader = nil } }
            if reader == nil { reader = try await variants.open() }
            let line: [UInt8]?
            do {
                line = try await reader?.feed.next()
            } catch let error as TraitdError {
                throw incomplete(error.message)
            }
            guard let line else { throw incomplete("It has no end.") }
            let body = (try? TraitValue(json: line)) ?? .null
            if body["end"] == true, body["rows"]?.integer == rows,
                body["combinations"]?.integer == combinations
            {
                variants.shown.withLock { $0.end = body }
                return nil
            }
            guard let row = TraitVariant(body), row.row == rows else {
                throw TraitdError(
                    code: "malformed-answer", status: 200,
                    message: "Row \(rows) is not what it should be.")
            }
            rows += 1
            combinations += row.combinations ?? 1
            isOver = false
            return row
        }

        private func incomplete(_ why: String) -> TraitdError {
            TraitdError(
                code: "incomplete-answer", status: 200,
                message: "The answer ended after \(rows) rows. \(why)")
        }
    }

    private func open() async throws -> RowReader {
        shown.withLock { $0 = (nil, nil) }
        let names = (query["nodes"]?.array ?? []).compactMap(\.string)
        try TraitClient.Session.check(names)
        let call = Call(
            "POST", "/variants", .object(query), isRead: true, accept: MediaType.rows)
        // A reader that an attempt leaves behind ends its connection.
        let (client, opened) = (session.client, Locked<RowReader?>(nil))
        let answer = try await client.answer(to: call, session: session.name) { request in
            let rows = RowFeed()
            opened.withLock { $0 = RowReader(rows) }
            let answer = try await Exchange.answer(
                to: request, over: client.requests, timeout: client.configuration.timeout,
                rows: rows)
            guard answer.isRows else { return answer }
            guard let head = try await rows.next() else {
                throw TraitdError.unreachable("it has no end")
            }
            return Answer(status: answer.status, retryAfter: nil, body: head, isRows: true)
        }
        guard answer.isRows, let reader = opened.withLock({ $0 }),
            let head = try? TraitValue(json: answer.body),
            head["axes"] != nil
        else {
            throw TraitdError(
                code: "malformed-answer", status: answer.status,
                message: "The answer has no rows.")
        }
        shown.withLock { $0.head = head }
        return reader
    }
}

/// Ends the connection when the last reference goes.
private final class RowReader: Sendable {
    let feed: RowFeed

    init(_ feed: RowFeed) { self.feed = feed }

    deinit { feed.stop() }
}
