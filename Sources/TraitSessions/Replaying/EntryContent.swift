// The content of a log entry, read for a replay.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

/// A log entry as it is read back. Valid as long as the tape that parsed it.
package struct EntryContent {
    let header: SessionHeader?
    package let operations: JSONValue
    /// The state that the session was created with.
    let document: JSONValue?
    let idempotency: JSONValue?
    /// The manager of the values and nodes that the operations set and create; nil for none.
    package let manager: String?
    /// The managers that the operations give back to places.
    let managers: JSONValue?
    let digest: UInt64
    package let ranges: EntryPayload

    /// - Throws: `malformedBody` and the like for a payload that this program never writes, and
    ///   `historyGone` for a payload without its operations.
    init(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a log entry",
            members: [
                "header", "cause", "manager", "writer", "operations", "managers", "document",
                "whole", "idempotency", "digest",
            ])
        if let json = object["header"] {
            header = try within("/header", try SessionHeader(json))
        } else {
            header = nil
        }
        operations = try object.required("operations")
        guard operations.kind == .array else {
            throw object.wrongType("operations", "an array of operations", operations)
        }
        document = object["document"]
        idempotency = object["idempotency"]
        manager = try object.string("manager")
        managers = object["managers"]
        if try object.bool("whole") == false {
            throw SessionError(
                .historyGone, "The entry was written without its operations.", pointer: "/whole")
        }
        digest = try object.hexadecimal("digest")
        let cause = object["cause"]
        let caller = cause?.member("caller")
        ranges = EntryPayload(
            operations: Self.range(operations), cause: cause.map(Self.range) ?? 0..<0,
            accessor: caller?.kind == .string ? caller.map(Self.range) : nil)
    }

    private static func range(_ json: JSONValue) -> Range<Int> {
        json.offset..<json.offset + json.rawBytes.count
    }
}
