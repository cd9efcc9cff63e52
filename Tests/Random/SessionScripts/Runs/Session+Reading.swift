// What tests ask a session that no other thread writes to, without a closure for each question.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension Session {
    package var head: Int64 { withState { $0.head } }
    package var acknowledged: Int64 { withState { $0.acknowledged } }
    package var digest: StateDigest { withState { $0.digest } }
    package var retained: RetainedCommits { withState { $0.retained } }
    package var feeds: FeedTable { withState { $0.feeds } }
    package var isDeleted: Bool { withState { $0.isDeleted } }

    package var hierarchy: Hierarchy {
        nonisolated(unsafe) var hierarchy: Hierarchy?
        withState { hierarchy = $0.hierarchy }
        guard let hierarchy else { preconditionFailure("the closure has run") }
        return hierarchy
    }

    /// The session as a document, written in slices, as an answer is.
    package func document(_ profile: DocumentWriter.Profile) throws -> [UInt8] {
        let snapshot = try withState { state throws(SessionError) in try state.snapshot() }
        let writer = DocumentWriter(try snapshot.session(), profile)
        var json = JSONWriter()
        var bytes: [UInt8] = []
        var hasMore = true
        while hasMore {
            hasMore = writer.write(into: &json)
            bytes += json.array()
            json.drain()
        }
        return bytes
    }

    package func openStream(
        _ options: StreamOptions, _ subject: (SessionState) throws(SessionError) -> StreamSubject
    ) throws(SessionError) -> StreamCursor {
        let opened = try withState { state throws(SessionError) in
            try state.openStream(try subject(state), options)
        }
        return StreamCursor(self, opened) { PlainRecords($0) }
    }

    package func openPage(
        _ options: StreamOptions, recordsMax: Int = 10,
        _ subject: (SessionState) throws(SessionError) -> StreamSubject
    ) throws(SessionError) -> LongPoll {
        let opened = try withState { state throws(SessionError) in
            try state.openPage(try subject(state), options)
        }
        return LongPoll(self, opened, recordsMax: recordsMax)
    }
}
