// What a commit came from, where its operations alone do not say so: a member of its cause.

import JSONCodec

package enum CommitOrigin: String, CaseIterable, Sendable {
    case revert, apply, copy
    /// In the first commit of a session from a document.
    case `import`

    package var member: StaticString {
        switch self {
        case .revert: "revert"
        case .apply: "apply"
        case .copy: "copy"
        case .import: "import"
        }
    }

    /// The origin with its details, as a member of a JSON object.
    package func text(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject(member)
            members(&writer)
            writer.endObject()
        }
    }
}

extension Proposal.Operations {
    /// The origin with its details, as a member of a JSON object; empty for operations of a client.
    package var origin: [UInt8] {
        switch self {
        case .planned(let write): write.origin
        case .many(let operations): Self.copies(in: operations)
        default: []
        }
    }

    /// The first copy among the operations, and how many there are. A search for the word excludes most lists without a
    /// look at each operation.
    private static func copies(in operations: JSONValue) -> [UInt8] {
        let word = OperationKind.copyNode.rawValue
        guard CommitFilter.contains(operations.rawBytes, Array(word.utf8)) else { return [] }
        var first: JSONValue?
        var count: Int64 = 0
        for operation in operations.elements where operation.member("op")?.string?.string == word {
            first = first ?? operation
            count += 1
        }
        guard let first else { return [] }
        return CommitOrigin.copy.text { writer in
            writer.member("node", ifPresent: first.member("node")?.string?.string)
            writer.member("to", ifPresent: first.member("to")?.string?.string)
            if count > 1 { writer.member("count", count) }
        }
    }

    /// The import of a document of that session.
    package static func importing(_ session: String) -> [UInt8] {
        CommitOrigin.import.text { $0.member("session", session) }
    }
}

extension CommitOptions {
    /// Adds a member to the cause, which has others.
    package mutating func add(_ origin: [UInt8]) {
        cause = cause.dropLast() + [UInt8(ascii: ",")] + origin + [UInt8(ascii: "}")]
    }
}
