// A commit as the history and the streams show it.

import JSONCodec

extension RetainedCommit {
    /// `{"revision","time","operations","cause"?,"notified"}`.
    package func write(operationsInFull inFull: Bool, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("revision")
        writer.value(revision)
        writer.key("time")
        writer.value(Timestamp.text(entry.time))
        writeOperations(inFull: inFull, into: &writer)
        writeCause(into: &writer)
        writer.key("notified")
        writer.value(notified)
        writer.endObject()
    }

    /// `operations`: their count and kinds, or all of them.
    func writeOperations(inFull: Bool, into writer: inout JSONWriter) {
        writer.key("operations")
        if inFull { return withOperations { writer.raw($0) } }
        writer.beginObject()
        writer.key("count")
        writer.value(counts.total)
        writer.key("kinds")
        writer.beginObject()
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
            writer.key("cause")
            writer.raw(cause)
        }
    }
}
