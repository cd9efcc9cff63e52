// A commit as the history and the streams show it.

import JSONCodec
import TraitJSON

extension RetainedCommit {
    /// `{"revision","time","operations","cause"?,"notified"}`.
    ///
    package func write(operationsInFull inFull: Bool, into writer: inout JSONWriter) {
        write(into: &writer) { writeOperations(inFull: inFull, into: &$0) }
    }

    /// With all operations and what they replaced; without that, `"previousIsKnown": false`, where the state before
    /// can no longer be rebuilt.
    ///
    /// - Parameter operations: an array of JSON; nil where that is so.
    package func write(withPrevious operations: [UInt8]?, into writer: inout JSONWriter) {
        write(into: &writer) { writer in
            if let operations {
                writer.member("operations", raw: operations)
            } else {
                writeOperations(inFull: true, into: &writer)
                writer.member("previousIsKnown", false)
            }
        }
    }

    private func write(
        into writer: inout JSONWriter, _ operations: (inout JSONWriter) -> Void
    ) {
        writer.beginObject()
        writer.member("revision", revision)
        writer.member("time", Timestamp.text(entry.time))
        operations(&writer)
        writeCause(into: &writer)
        writer.member("notified", notified)
        writer.endObject()
    }

    /// `operations`: their count and kinds, or all of them.
    func writeOperations(inFull: Bool, into writer: inout JSONWriter) {
        writer.key("operations")
        if inFull { return withOperations { writer.raw($0) } }
        writer.beginObject()
        writer.member("count", counts.total)
        writer.beginObject("kinds")
        for (kind, count) in counts.kinds {
            writer.key(kind.rawValue)
            writer.value(count)
        }
        writer.endObject()
        writer.endObject()
    }

    /// `cause`, unless nothing is known of it.
    func writeCause(into writer: inout JSONWriter) {
        withCause { cause in
            if cause.isEmpty { return }
            writer.member("cause", raw: cause)
        }
    }
}
