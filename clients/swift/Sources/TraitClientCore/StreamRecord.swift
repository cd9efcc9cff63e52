// A line of a stream, read once: what every record has, and the members that the cache needs.

/// A record of a stream, such as `change` or `commit`.
public struct StreamRecord: Sendable, Hashable {
    /// What the record is: `begin`, `state`, `sync`, `change`, `commit`, `invalidate`, `renamed`, `bookmark`, `reset`,
    /// `gap`, `end`, or a type of a newer server.
    public let type: String
    /// The revision of the session that the record belongs to. Nil only in types of a newer server.
    public let revision: Int64?
    /// Where a stream goes on after this record.
    public let token: String?
    /// All members, these three included.
    public let body: TraitObject

    package let contents: Contents

    private static let tokenBytesMax = 1000

    package enum Contents: Sendable, Hashable {
        case begin(uid: String?, heartbeatMilliseconds: Int64?)
        case state(node: String, traits: TraitObject)
        case change(node: String, values: [TraitObject])
        case renamed(Renaming)
        case sync(digest: String?)
        case bookmark(digest: String?)
        case reset
        case gap
        case end(StreamEnd)
        /// A record that changes no cache.
        case other
    }

    /// The number of the record in its revision, of records that have one.
    package var part: Int64? { body["part"]?.integer }

    /// Reads a line of a stream. Complexity: O(n).
    /// - Throws: ``MalformedRecord`` when the line is no JSON, or lacks a member that its type has.
    public init(line: some Collection<UInt8>) throws(MalformedRecord) {
        try self.init(MalformedRecord.reading(line))
    }

    package init(_ value: TraitValue) throws(MalformedRecord) {
        guard let body = value.object, let type = body["type"]?.string else {
            throw MalformedRecord(reason: "A record is no object with a type", type: nil)
        }
        self.body = body
        self.type = type
        revision = body["revision"]?.integer
        // What a field cannot have is no token.
        let given = body["token"]?.string
        token = given.flatMap { text in
            let isField = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isField && text.utf8.count <= Self.tokenBytesMax ? text : nil
        }
        contents = try Contents(type, body)
        guard contents == .other || revision != nil else {
            throw MalformedRecord(reason: "A \(type) record has no revision", type: type)
        }
    }
}

/// A line that is no record: it was damaged on the way, or the server speaks another protocol.
public struct MalformedRecord: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String
    /// The type of the record, if the line has one. A stream cannot resume from inside a state.
    package let type: String?
    /// The reason.
    public var description: String { reason }

    /// The value of JSON that the server sent.
    static func reading(_ json: some Collection<UInt8>) throws(MalformedRecord) -> TraitValue {
        do {
            return try TraitValue(json: json)
        } catch {
            throw MalformedRecord(reason: error.description, type: nil)
        }
    }
}

/// Another name of a node or of a trait.
package struct Renaming: Sendable, Hashable {
    package let node: String?
    package let trait: String?
    package let to: String

    package init(node: String? = nil, trait: String? = nil, to: String) {
        (self.node, self.trait, self.to) = (node, trait, to)
    }
}

/// The last record of a stream.
package struct StreamEnd: Sendable, Hashable {
    package let reason: String
    /// Whether the last token resumes.
    package let canResume: Bool
    package let retryAfterMilliseconds: Int64?

    /// Whether no further stream can be had: what the stream follows is gone, or the caller's token is.
    package var isFinal: Bool {
        ["sessionDeleted", "nodeDeleted", "registrationRemoved", "revoked"].contains(reason)
    }
}

extension StreamRecord.Contents {
    fileprivate init(_ type: String, _ body: TraitObject) throws(MalformedRecord) {
        func required<Value>(
            _ name: String, _ read: (TraitValue) -> Value?
        ) throws(MalformedRecord) -> Value {
            guard let value = body[name].flatMap(read) else {
                throw MalformedRecord(
                    reason: "A \(type) record has no valid member \(name)", type: type)
            }
            return value
        }
        func digest() throws(MalformedRecord) -> String? {
            try body["digest"] == nil ? nil : required("digest", \.string)
        }
        switch type {
        case "begin":
            self = .begin(
                uid: body["uid"]?.string, heartbeatMilliseconds: body["heartbeatMs"]?.integer)
        case "state":
            self = .state(
                node: try required("node", \.string), traits: try required("traits", \.object))
        case "change":
            let changes = try required("changes", \.array)
            let values = changes.compactMap(\.object)
            guard values.count == changes.count,
                values.allSatisfy({ $0["trait"]?.string != nil && $0["current"] != nil })
            else {
                throw MalformedRecord(
                    reason: "A change has no trait or no current value", type: type)
            }
            self = .change(node: try required("node", \.string), values: values)
        case "renamed":
            self = .renamed(
                Renaming(
                    node: body["node"]?.string, trait: body["trait"]?.string,
                    to: try required("to", \.string)))
        case "sync": self = .sync(digest: try digest())
        case "bookmark": self = .bookmark(digest: try digest())
        case "reset": self = .reset
        case "gap": self = .gap
        case "end":
            self = .end(
                StreamEnd(
                    reason: try required("reason", \.string),
                    canResume: body["resume"]?.bool ?? false,
                    retryAfterMilliseconds: body["retryAfterMs"]?.integer))
        default: self = .other
        }
    }
}
