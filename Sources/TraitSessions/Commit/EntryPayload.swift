// The payload of a log entry: one JSON object of canonical form, written while the commit is applied
// and read back by replay, history and streams.
//
//     {"header":{…}?,"cause":{…}?,"manager"?,"writer"?,"operations":[…],"managers":[…]?,"document":{…}?,
//      "whole":false?,"idempotency":{…}?,"digest":"…"}
//
// `managers` are those that a revert has given back to places (`NamedManager`).
//
// The first entry of a session that was created from a document has that document. In a log with several writers,
// `writer` names the process: two of them may decide equal operations for one revision in one millisecond, and
// each has to know whether the log took its own entry.

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON

/// The places of an entry's parts in its payload.
package struct EntryPayload: Sendable {
    /// The operations, as a JSON array.
    let operations: Range<Int>
    /// The cause, as a JSON object; empty when there is none.
    package let cause: Range<Int>
    /// The caller in the cause, where an earlier version wrote the accessor alone, as a JSON string.
    var accessor: Range<Int>? = nil

    /// Begins the payload of a commit in `text`: all up to the first operation.
    ///
    /// - Parameter writeHeader: writes the header in the commit that makes the session.
    static func begin(
        _ text: TextBuffer, cause: UnsafeRawBufferPointer,
        manager: String? = nil, writer: String? = nil,
        writeHeader: (inout JSONWriter) -> Void = { _ in }
    ) -> EntryPayload.Opening {
        text.json.reset()
        text.json.beginObject()
        writeHeader(&text.json)
        var causeRange = 0..<0
        if !cause.isEmpty {
            text.json.key("cause")
            let start = text.json.count
            text.json.raw(cause)
            causeRange = start..<text.json.count
        }
        text.json.member("manager", ifPresent: manager)
        text.json.member("writer", ifPresent: writer)
        text.json.key("operations")
        let start = text.json.count
        text.json.beginArray()
        return Opening(cause: causeRange, operations: start)
    }

    struct Opening {
        let cause: Range<Int>
        let operations: Int
    }

    /// Ends the payload: closes the operations and adds the digest of the state that they led to.
    static func end(
        _ text: TextBuffer, _ opening: Opening, digest: UInt64, isWhole: Bool,
        managers: [NamedManager] = [], document: UnsafeRawBufferPointer? = nil,
        outcome: RecordedOutcome? = nil
    ) -> EntryPayload {
        text.json.endArray()
        let operations = opening.operations..<text.json.count
        if !managers.isEmpty {
            text.json.beginArray("managers")
            for manager in managers { manager.write(into: &text.json) }
            text.json.endArray()
        }
        if let document {
            text.json.member("document", raw: document)
        }
        if !isWhole {
            text.json.member("whole", false)
        }
        outcome?.write(into: &text.json)
        text.json.member("digest", hexadecimal: digest)
        text.json.endObject()
        return EntryPayload(operations: operations, cause: opening.cause)
    }

    /// Forgets the operations written so far; the object stays open. The payload then says that it
    /// is not whole, and nothing reads its header.
    static func restart(_ text: TextBuffer, keeping bytes: Int) {
        text.json.reset(keeping: bytes)
        text.json.beginObject()
        text.json.beginArray("operations")
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, hexadecimal value: UInt64) {
        key(name)
        self.value(hexadecimal: value)
    }
}

/// Reused storage for JSON text that is passed around. Exclusivity is not checked at run time: one
/// writer at a time has the buffer, and what is written never refers to it.
package final class TextBuffer {
    @exclusivity(unchecked) package var json = JSONWriter()

    package init() {}

    /// If the text has more bytes than `bytes`, drops the text and frees the memory beyond `bytes`.
    package func shrink(to bytes: Int) {
        if json.count > bytes { json.reset(keeping: bytes) }
    }
}
