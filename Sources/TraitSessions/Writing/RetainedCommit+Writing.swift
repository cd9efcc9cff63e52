// A commit as the history and the streams show it.

import JSONCodec

extension RetainedCommit {
    /// `{"revision","time","operations","cause"?,"notified"}`.
    package func write(operationsInFull inFull: Bool, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("revision", revision)
        writer.member("time", Timestamp.text(entry.time))
        writeOperations(inFull: inFull, into: &writer)
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
