// A page of a feed: the records that a stream would have sent, for clients that cannot stream.

import JSONCodec

/// A long poll that waits for the first record after its position.
package struct LongPoll {
    let session: Session
    let writer: RecordWriter
    let position: StreamPosition
    let recordsMax: Int
    /// Whether a page that comes up to the head has the digest of a cache.
    let withDigest: Bool
    /// The state, for a page that has the state in place of records after a position.
    let preface: StreamCursor.Preface?

    package init(_ session: Session, _ opened: OpenedStream, recordsMax: Int) {
        self.session = session
        self.recordsMax = recordsMax
        writer = opened.writer
        position = opened.position
        preface = opened.preface
        withDigest = opened.digestsPages
    }

    private static let commitsAtATime = 64
    /// A page ends with the record that reaches this many bytes.
    private static let bytesMax = 262_144

    /// The result of writing a page.
    package enum Outcome {
        case written
        /// The page has one record, which is too long to be written at once. The page is to be sent in pieces.
        case long(LongRecord)
        /// There is no record yet.
        case empty
        /// The page has to wait for a thread that owns the session, or for the log. Both wake the waker.
        case busy
    }

    /// Writes the page when there is a record, when the feed has ended, or when `evenIfEmpty`.
    package func write(
        into json: inout JSONWriter, evenIfEmpty: Bool, waking waker: (any Waker)? = nil
    ) -> Outcome {
        var position = position
        var long: LongRecord?
        var next: Feed?
        let mark = json.count
        var count = 0
        if let preface { return write(preface, into: &json, waking: waker) }
        json.beginObject()
        json.beginArray("records")
        let start = json.count
        func hasRoom() -> Bool { count < recordsMax && json.count - start < Self.bytesMax }
        reading: while hasRoom() {
            let read = session.withStateIfFree(waking: waker) {
                $0.read(writer.feed, from: position, limit: Self.commitsAtATime)
            }
            guard let reading = read else {
                // The page has records already.
                if count > 0 { break }
                return .busy
            }
            switch reading {
            case .commits(let commits):
                for commit in commits {
                    // The page may be full after the commit before.
                    guard hasRoom() else { break reading }
                    let first =
                        position.revision == commit.revision ? (position.part ?? -1) + 1 : 0
                    var place = writer.place(of: first, in: commit)
                    if let record = writer.longRecord(of: commit, from: &place) {
                        // A page that has records already ends before it.
                        if count > 0 { break reading }
                        long = record
                        count = 1
                        position = StreamPosition(
                            revision: commit.revision,
                            part: place.part >= place.total ? nil : place.part - 1)
                        break reading
                    }
                    let isWhole = writer.write(
                        commit, from: &place, limit: recordsMax - count,
                        bytesMax: Self.bytesMax - (json.count - start), into: &json)
                    count += place.part - first
                    position = StreamPosition(
                        revision: commit.revision, part: isWhole ? nil : place.part - 1)
                    if !isWhole { break reading }
                }
            case .caughtUp(let revision):
                position = StreamPosition(revision: revision)
                break reading
            case .ended(_, let revision):
                position = StreamPosition(revision: max(revision, position.revision))
                json.endArray()
                finish(position, isOver: true, into: &json)
                return .written
            case .moved(let feed, let revision):
                // The next page is that of the other feed.
                position = StreamPosition(revision: max(revision, position.revision))
                next = feed
                break reading
            case .lost:
                break reading
            }
        }
        if count == 0, !evenIfEmpty, next == nil { return .empty }
        let end = json.count
        json.endArray()
        finish(position, isOver: false, digest: digest(at: position, of: next), into: &json)
        guard var long else { return .written }
        long.enclose(between: Array(json.bytes[mark..<end]), and: Array(json.bytes[end...]))
        json.truncate(to: mark)
        return .long(long)
    }

    /// Writes a page with the state, once the log has acknowledged it.
    private func write(
        _ preface: StreamCursor.Preface, into json: inout JSONWriter, waking waker: (any Waker)?
    ) -> Outcome {
        let known = session.withStateIfFree(waking: waker) {
            state -> (isWithdrawn: Bool, acknowledged: Int64) in
            let acknowledged = state.acknowledged
            if acknowledged < preface.revision, let waker { state.streams.await(waker) }
            return (state.queue.withdrawals != preface.withdrawals, acknowledged)
        }
        guard let known else { return .busy }
        if !known.isWithdrawn, known.acknowledged < preface.revision { return .busy }
        json.beginObject()
        json.beginArray("records")
        // The revision of a withdrawn state never existed. The page is empty, and the next one has
        // a state.
        if !known.isWithdrawn, case .written(let state) = preface.text {
            if !preface.lead.isEmpty { json.raw(preface.lead) }
            json.raw(state)
        }
        json.endArray()
        let revision = min(preface.revision, known.acknowledged)
        finish(StreamPosition(revision: revision), isOver: false, into: &json)
        return .written
    }

    /// The digest of a cache with the present values; nil where that is not asked for, the page does not come up to the
    /// head, or writing the values takes long. With it a client finds out that the set of its nodes has changed.
    ///
    /// - Parameter next: the feed that goes on, where it is another one.
    private func digest(at position: StreamPosition, of next: Feed?) -> UInt64? {
        guard withDigest, position.part == nil else { return nil }
        var writer = writer
        writer.feed = next ?? writer.feed
        let found = session.withStateIfFree { state -> UInt64? in
            guard state.head == position.revision, state.acknowledged == state.head else {
                return nil
            }
            return state.shortState(for: writer)?.digest
        }
        return found ?? nil
    }

    private func finish(
        _ position: StreamPosition, isOver: Bool, digest: UInt64? = nil,
        into json: inout JSONWriter
    ) {
        json.member("revision", position.part == nil ? position.revision : position.revision - 1)
        json.member("next", writer.token(position.revision, part: position.part))
        if let digest { json.member("digest", hexadecimal: digest) }
        json.flag("ended", when: isOver)
        json.endText()
    }
}

/// Wakes a long poll that waits. Confined to the thread that serves the poll.
package final class PollListener {
    private let poll: LongPoll
    private let place = ListenerPlace()

    package init(_ poll: LongPoll) { self.poll = poll }

    /// Wakes the waker at once when there is something to read already.
    package func listen(_ waker: any Waker) {
        place.listen(
            to: poll.writer.feed, of: poll.session, from: poll.position, waker,
            atOnce: poll.preface != nil)
    }

    package func leave() { place.leave(poll.writer.feed, of: poll.session) }
}
