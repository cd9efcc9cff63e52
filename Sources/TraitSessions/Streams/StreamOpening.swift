// Opening a stream, or a page of records, from a client's request.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON

/// The subject of a stream, as the request gives it.
package enum StreamSubject {
    case session
    /// Registrations at and below a node.
    case subtree(NodeIndex)
    case registration(UnsafeRawBufferPointer)
    /// Registrations by name.
    case registrations([String])
    /// A node and traits to watch.
    case watch(NodeIndex, TraitSet)
    /// Registrations by name, and watches.
    case members([String], [(node: NodeIndex, traits: TraitSet)])
}

/// How a stream begins and what its records look like.
package struct StreamOptions: Sendable {
    package var format: RecordFormat
    /// Whether `commit` records carry the operations in full.
    package var withOperations: Bool
    /// Where to continue; nil to begin with the present state.
    package var from: String?
    /// Whether the stream begins with the present state when `from` is nil. With a position, the
    /// client's cache got its state from an earlier stream.
    package var wantsState = false
    /// Whether a stream whose position is no longer valid begins with the present state. Otherwise
    /// the request is refused.
    package var resyncs = false
    /// Whether a reader that falls behind the retained commits gets the present state. Otherwise
    /// its stream ends.
    package var coalesces = false
    /// The account of the caller, in which a new feed counts.
    package var caller: MemoryAccount?

    package init(format: RecordFormat, withOperations: Bool = false, from: String?) {
        self.format = format
        self.withOperations = withOperations
        self.from = from
    }
}

/// Where a stream or page begins.
package struct OpenedStream: Sendable {
    let writer: RecordWriter
    let position: StreamPosition
    var preface: StreamCursor.Preface?
    var digest: StreamCursor.CacheDigest?
    /// Whether the stream needs a new state.
    var isResyncDue = false
    var coalesces = false
    /// Whether pages without a state have the digest of a cache.
    var digestsPages = false
}

extension SessionState {
    /// Opens a stream, which a `StreamCursor` reads.
    ///
    /// - Throws: which name of the request is unknown, and why the stream cannot start at its
    ///   position.
    package func openStream(
        _ subject: StreamSubject, _ options: StreamOptions
    ) throws(SessionError) -> OpenedStream {
        let feedCount = streams.feeds.insertions
        var writer = try recordWriter(subject, options)
        writer.caller = options.caller
        switch try start(of: writer, options) {
        case .position(let position):
            guard options.wantsState else {
                return OpenedStream(
                    writer: writer, position: position, coalesces: options.coalesces)
            }
            // The set of the client's state is known only for named registrations that have existed
            // since. After `renamed` the client may lack the state under the new name.
            let isSame =
                !writer.feed.filter.hasCommits
                && !(streams.retained[position.revision]?.hasRenames ?? false)
                && (!writer.feed.filter.isLive || streams.feeds.insertions == feedCount)
                && writer.feed.filter.members.allSatisfy {
                    $0.id == nil || $0.since <= position.revision
                }
            let digest = isSame ? presentDigest(for: writer) : nil
            writer.withDigest = digest != nil
            return OpenedStream(
                writer: writer, position: position, digest: digest, isResyncDue: !isSame,
                coalesces: options.coalesces)
        case .state(let lead):
            writer.withDigest = true
            let preface = try state(for: writer, lead)
            return OpenedStream(
                writer: writer, position: StreamPosition(revision: preface.revision),
                preface: preface, coalesces: options.coalesces)
        }
    }

    private enum Start {
        case position(StreamPosition)
        /// The present state. `lead` gives the record that precedes the state of a revision.
        case state(lead: @Sendable (Int64) -> [UInt8])
    }

    private func start(
        of writer: RecordWriter, _ options: StreamOptions
    ) throws(SessionError) -> Start {
        guard let from = options.from else { return .state { _ in [] } }
        do throws(SessionError) {
            return .position(try position(from: from, of: writer.feed))
        } catch {
            guard options.resyncs, let reason = ResetReason(error.code) else { throw error }
            let previous = reason == .sessionReplaced ? StreamToken(from)?.uid : nil
            return .state { revision in
                JSONWriter.text {
                    writer.writeReset(at: revision, reason, previousUID: previous, into: &$0)
                }
            }
        }
    }

    /// The state at the head: written at once when it is short, else from a snapshot.
    ///
    /// - Parameter lead: gives the record that precedes the state of a revision.
    func state(
        for writer: RecordWriter, _ lead: @escaping @Sendable (Int64) -> [UInt8] = { _ in [] }
    ) throws(SessionError) -> StreamCursor.Preface {
        let short = shortState(for: writer)
        let text: StreamCursor.Preface.Text =
            if let short {
                .written(short.text)
            } else {
                .inChunks(
                    StateChunks(StateText(writer, of: self), try snapshot(), for: writer.caller))
            }
        return StreamCursor.Preface(
            lead: lead(head), leadAt: lead, text: text, setVersion: writer.feed.setVersion,
            digest: short?.digest, revision: head, withdrawals: queue.withdrawals)
    }

    /// The state at the head with the digest of a cache that has it; nil where writing it takes long.
    func shortState(for writer: RecordWriter) -> (text: [UInt8], digest: UInt64)? {
        var json = JSONWriter(capacity: 1_024)
        var text = StateText(writer, of: self)
        let isWhole = text.write(
            from: self, registrationsMax: limits.inlineRegistrationsMax,
            budget: limits.inlineAnswerBytesMax, into: &json)
        return isWhole ? (json.array(), text.digest) : nil
    }

    /// The digest of a cache at the head, for a resumed stream; nil where computing it takes long,
    /// or while the log may still withdraw the head.
    private func presentDigest(for writer: RecordWriter) -> StreamCursor.CacheDigest? {
        guard acknowledged == head, let short = shortState(for: writer) else { return nil }
        return StreamCursor.CacheDigest(
            revision: head, sum: short.digest, setVersion: writer.feed.setVersion)
    }

    /// Opens a page of records. It begins at the present revision when the options have no position
    /// and do not want the state.
    package func openPage(
        _ subject: StreamSubject, _ options: StreamOptions
    ) throws(SessionError) -> OpenedStream {
        var options = options
        if !options.wantsState { options.from = options.from ?? "now" }
        // A page after a position never has the state, but the digest of a cache that had it.
        let wantsState = options.wantsState
        options.wantsState = false
        var opened = try openStream(subject, options)
        opened.digestsPages = wantsState
        guard case .inChunks? = opened.preface?.text else { return opened }
        throw SessionError(
            .malformedParameter,
            "The state of this stream is too long for a page, which has at most inlineAnswerBytesMax=\(limits.inlineAnswerBytesMax) bytes of it and \(limits.inlineRegistrationsMax) registrations. Leave `wait` out, and it is streamed."
        ).with("parameter", "wait")
    }

    private func recordWriter(
        _ subject: StreamSubject, _ options: StreamOptions
    ) throws(SessionError) -> RecordWriter {
        if isDeleted { throw .deleted(name) }
        return RecordWriter(
            uid: uid, feed: try feed(of: subject, for: options.caller),
            format: options.format, withOperations: options.withOperations)
    }

    private func feed(
        of subject: StreamSubject, for caller: MemoryAccount?
    ) throws(SessionError) -> Feed {
        switch subject {
        case .session: return try feed(FeedFilter(.session), since: 0, for: caller)
        case .subtree(let node):
            return try feed(
                FeedFilter(.subtree(node, hierarchy.identifier(of: node))), since: head, for: caller
            )
        case .registration(let id):
            return try feed([try registration(id)], [], for: caller)
        case .registrations(let names):
            return try feed(try registrations(named: names), [], for: caller)
        case .watch(let node, let traits):
            return try feed([], try watches([(node, traits)]), for: caller)
        case .members(let names, let watches):
            let registrations = try registrations(named: names)
            try checkMembers(registrations.count + watches.count)
            return try feed(registrations, try self.watches(watches), for: caller)
        }
    }

    /// The watches without duplicates, in the order of the request.
    private func watches(
        _ asked: [(node: NodeIndex, traits: TraitSet)]
    ) throws(SessionError) -> [(node: NodeIndex, traits: TraitSet)] {
        var found: [(node: NodeIndex, traits: TraitSet)] = []
        for watch in asked {
            if watch.traits.isEmpty { throw SessionError(OperationError.emptyTraitList) }
            if !found.contains(where: { $0.node == watch.node && $0.traits == watch.traits }) {
                found.append(watch)
            }
        }
        return found
    }

    private func checkMembers(_ count: Int) throws(SessionError) {
        if count <= limits.streamRegistrationsMax { return }
        throw .limit(
            .malformedParameter,
            "A stream names at most streamRegistrationsMax=\(limits.streamRegistrationsMax) registrations and watches.",
            name: "streamRegistrationsMax", value: limits.streamRegistrationsMax)
    }

    private func registrations(
        named names: [String]
    ) throws(SessionError) -> [RegistrationIndex] {
        try checkMembers(names.count)
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
