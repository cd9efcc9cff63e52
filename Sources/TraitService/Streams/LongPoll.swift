// One finite page of a feed: what a stream would have sent, for clients that cannot stream.

import HTTPServer
import JSONCodec

/// A long poll that waits for the first record after its position.
struct LongPoll {
    let session: Session
    let writer: RecordWriter
    let position: StreamPosition
    let recordsMax: Int

    private static let commitsAtATime = 64

    /// Writes the page when there is a record, when the feed has ended, or when `evenIfEmpty`.
    /// Returns whether it did.
    func write(into json: inout JSONWriter, evenIfEmpty: Bool) -> Bool {
        var position = position
        var count = 0
        json.beginObject()
        json.key("records")
        json.beginArray()
        reading: while count < recordsMax {
            let reading = session.locked {
                session.read(writer.feed, from: position, limit: Self.commitsAtATime)
            }
            switch reading {
            case .commits(let commits):
                for commit in commits where count < recordsMax {
                    let first =
                        position.revision == commit.revision ? (position.part ?? -1) + 1 : 0
                    let (written, isWhole) = writer.write(
                        commit, from: first, limit: recordsMax - count, into: &json)
                    count += written
                    position = StreamPosition(
                        revision: commit.revision, part: isWhole ? nil : first + written - 1)
                }
            case .caughtUp(let revision):
                position = StreamPosition(revision: revision)
                break reading
            case .ended(_, let revision):
                position = StreamPosition(revision: max(revision, position.revision))
                json.endArray()
                finish(position, isOver: true, into: &json)
                return true
            case .lost:
                break reading
            }
        }
        json.endArray()
        if count == 0, !evenIfEmpty { return false }
        finish(position, isOver: false, into: &json)
        return true
    }

    private func finish(
        _ position: StreamPosition, isOver: Bool, into json: inout JSONWriter
    ) {
        json.key("revision")
        json.value(position.part == nil ? position.revision : position.revision - 1)
        json.key("next")
        json.value(writer.token(position.revision, part: position.part))
        if isOver {
            json.key("ended")
            json.value(true)
        }
        json.endObject()
        json.newline()
    }
}
