// From what a client wants to hear to an open stream or a page of records.

import JSONCodec
import TraitEngine

/// What a stream is of.
package enum StreamSubject {
    case session
    case registration(UnsafeRawBufferPointer)
    /// Names, as they were given.
    case registrations([String])
    /// A node and traits to watch.
    case watch(NodeIndex, TraitSet)
}

/// How a stream begins and what its records look like.
package struct StreamOptions {
    package var format: RecordFormat
    /// Whether `commit` records carry the operations in full.
    package var withOperations: Bool
    /// Where to continue; nil to begin with the present state.
    package var from: String?

    package init(format: RecordFormat, withOperations: Bool = false, from: String?) {
        self.format = format
        self.withOperations = withOperations
        self.from = from
    }
}

extension Session {
    /// Opens a stream. Runs while the lock is held.
    ///
    /// - Parameter framing: makes the form in which all streams of a feed send the same records.
    /// - Throws: what is unknown, and why the stream cannot start where it should.
    package func openStream(
        _ subject: StreamSubject, _ options: StreamOptions,
        framing: @escaping @Sendable (UnsafeRawBufferPointer) -> any FramedRecords
    ) throws(SessionError) -> StreamCursor {
        let writer = try recordWriter(subject, options)
        if let from = options.from {
            return StreamCursor(
                self, writer, from: try position(from: from, of: writer.feed), preface: nil,
                framing: framing)
        }
        let preface = StreamCursor.Preface(
            text: try stateText(writer), revision: head, withdrawals: withdrawals)
        return StreamCursor(
            self, writer, from: StreamPosition(revision: head), preface: preface,
            framing: framing)
    }

    /// The state at the head: written at once when it is short, else from a snapshot.
    private func stateText(_ writer: RecordWriter) throws(SessionError) -> StreamCursor.Preface.Text
    {
        var json = JSONWriter(capacity: 1_024)
        var text = StateText(writer)
        let isWhole = text.write(
            from: self, registrationsMax: StateText.inlineRegistrationsMax,
            budget: limits.inlineAnswerBytesMax, into: &json)
        if isWhole { return .written(json.array()) }
        return .inChunks(StateChunks(StateText(writer), try snapshot()))
    }

    /// Opens a page of records. Runs while the lock is held.
    package func openPage(
        _ subject: StreamSubject, _ options: StreamOptions, recordsMax: Int
    ) throws(SessionError) -> LongPoll {
        let writer = try recordWriter(subject, options)
        return LongPoll(
            session: self, writer: writer,
            position: try position(from: options.from ?? "now", of: writer.feed),
            recordsMax: recordsMax)
    }

    private func recordWriter(
        _ subject: StreamSubject, _ options: StreamOptions
    ) throws(SessionError) -> RecordWriter {
        if isDeleted { throw .deleted(name) }
        return RecordWriter(
            uid: uid, feed: try feed(of: subject), format: options.format,
            withOperations: options.withOperations)
    }

    private func feed(of subject: StreamSubject) throws(SessionError) -> Feed {
        switch subject {
        case .session: try feed(.session, since: 0)
        case .registration(let id): try feed(of: [try registration(id)])
        case .registrations(let names): try feed(of: try registrations(named: names))
        case .watch(let node, let traits):
            if traits.isEmpty {
                throw SessionError(OperationError.emptyTraitList)
            } else {
                try watchFeed(node, traits)
            }
        }
    }

    private func feed(of registrations: [RegistrationIndex]) throws(SessionError) -> Feed {
        let named = registrations.map { index -> FeedFilter.NamedRegistration in
            let info = hierarchy.registrationInfo(index)
            return FeedFilter.NamedRegistration(
                index: index, id: info.identifier ?? "",
                node: hierarchy.identifier(of: info.node), since: info.createdRevision)
        }
        return try feed(.registrations(named), since: named.map(\.since).min() ?? 0)
    }

    private func registrations(
        named names: [String]
    ) throws(SessionError) -> [RegistrationIndex] {
        guard names.count <= limits.streamRegistrationsMax else {
            throw .limit(
                .malformedParameter,
                "A stream names at most streamRegistrationsMax=\(limits.streamRegistrationsMax) registrations.",
                name: "streamRegistrationsMax", value: limits.streamRegistrationsMax)
        }
        var found: [RegistrationIndex] = []
        for name in names {
            guard let registration = hierarchy.registration(named: name) else {
                throw SessionError(
                    .unknownRegistration,
                    "The session '\(self.name)' has no registration '\(name.prefix(140))'.")
            }
            if !found.contains(registration) { found.append(registration) }
        }
        return found
    }
}
