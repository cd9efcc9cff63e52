// One secret of the token file: a line of JSON. A token whose secret is being replaced has two lines
// with the same accessor.
//
//     {"accessor":"k7f3m2pq","name":"ci","allow":"write","sessions":["team-*"],
//      "sha256":"9f86…","created":"2026-11-22T10:00:00.000Z","expires":"2027-02-20T10:00:00.000Z"}

import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

package struct TokenEntry: Sendable {
    /// Identifies the token wherever its use is recorded.
    package var accessor: String
    /// The owner's name for the token.
    package var name: String
    package var allow: Access
    /// Patterns of session names.
    package var sessions: [String]
    package var hash: TokenHash
    /// Milliseconds since 1970.
    package var created: Int64
    package var expires: Int64?

    package static let nameBytesMax = 64
    package static let patternsMax = 64

    package init(
        accessor: String, name: String, allow: Access, sessions: [String], hash: TokenHash,
        created: Int64, expires: Int64?
    ) {
        self.accessor = accessor
        self.name = name
        self.allow = allow
        self.sessions = sessions
        self.hash = hash
        self.created = created
        self.expires = expires
    }

    /// Printable characters of ASCII but for quotes and backslashes, so that no log has to escape them.
    package static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c
            }
    }

    /// The verbs that a token may have; each includes those before it.
    package static let verbs: [Access] = [.read, .write, .admin]

    // MARK: - JSON

    /// - Throws: what is wrong with the line, with the member's name.
    package init(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a token",
            members: ["accessor", "name", "allow", "sessions", "sha256", "created", "expires"])
        accessor = try object.requiredString("accessor")
        guard TokenText.isAccessor(accessor) else {
            throw Self.malformed("accessor", "8 small letters and digits")
        }
        name = try object.requiredString("name")
        guard Self.isName(name) else {
            throw Self.malformed("name", "1 to \(Self.nameBytesMax) printable characters")
        }
        guard let allow = Self.verbs.first(where: { $0.rawValue == (try? object.string("allow")) })
        else { throw Self.malformed("allow", "read, write or admin") }
        self.allow = allow
        sessions = try Self.patterns(try object.required("sessions"))
        guard let hash = TokenHash(hex: try object.requiredString("sha256")) else {
            throw Self.malformed("sha256", "64 hexadecimal digits")
        }
        self.hash = hash
        created = try Self.time(object, "created") ?? 0
        expires = try Self.time(object, "expires")
    }

    private static func patterns(_ json: JSONValue) throws(SessionError) -> [String] {
        let wanted = "a list of 1 to \(patternsMax) patterns of session names, as team-*"
        guard json.kind == .array else { throw malformed("sessions", wanted) }
        var patterns: [String] = []
        for element in json.elements {
            guard let text = element.string?.string, SessionScope.isValid(text) else {
                throw malformed("sessions", wanted)
            }
            patterns.append(text)
        }
        guard (1...patternsMax).contains(patterns.count) else {
            throw malformed("sessions", wanted)
        }
        return patterns
    }

    private static func time(
        _ object: ObjectReader, _ member: StaticString
    ) throws(SessionError) -> Int64? {
        guard let text = try object.string(member) else { return nil }
        guard let time = Timestamp.milliseconds(text) else {
            throw malformed(member, "a time such as 2027-02-20T10:00:00.000Z")
        }
        return time
    }

    private static func malformed(_ member: StaticString, _ wanted: String) -> SessionError {
        SessionError(.malformedBody, "'\(member)' has to be \(wanted).", pointer: "/\(member)")
    }

    /// One line, its line end included.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("accessor", accessor)
        writer.member("name", name)
        writer.member("allow", allow.rawValue)
        writer.beginArray("sessions")
        for pattern in sessions { writer.value(pattern) }
        writer.endArray()
        writer.member("sha256", hash.hex)
        writer.member("created", Timestamp.text(created))
        if let expires {
            writer.member("expires", Timestamp.text(expires))
        }
        writer.endText()
    }
}
