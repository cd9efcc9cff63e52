// Reading the members of a body strictly: unknown ones are refused with a suggestion, and each
// error carries a pointer.

import JSONCodec
import TraitEngine

/// A JSON object whose members are known by name.
@usableFromInline
package struct ObjectReader {
    @usableFromInline package let json: JSONValue

    /// - Parameter what: what the object is, for messages: "a node".
    /// - Throws: `malformedBody` when it is no object, `unknownMember`.
    package init(_ json: JSONValue, _ what: String, members: [StaticString])
        throws(SessionError)
    {
        guard json.kind == .object else { throw .notAnObject(json, what, members) }
        self.json = json
        var faults = Faults()
        for (key, _) in json.members where !members.contains(where: { key == $0 }) {
            try faults.add(.unknownMember(key, what, members))
        }
        if !faults.isEmpty { try faults.check() }
    }

    /// An object whose members were checked before.
    @inlinable package init(checked json: JSONValue) { self.json = json }

    /// A name that the path gives already may be repeated in the body, if it is the same.
    package static func check(
        _ given: String?, _ member: StaticString, agreesWith path: String
    ) throws(SessionError) {
        guard let given, !given.utf8.elementsEqual(path.utf8) else { return }
        throw SessionError(
            .malformedBody,
            "`\(member)` is '\(given)', but the path says '\(path)'. Leave it out.",
            pointer: "/\(member)")
    }

    @inlinable package func has(_ name: StaticString) -> Bool { json.member(name) != nil }

    @inlinable package subscript(name: StaticString) -> JSONValue? { json.member(name) }

    /// The member, which has to be there.
    package func required(_ name: StaticString) throws(SessionError) -> JSONValue {
        guard let value = json.member(name) else { throw .missing(name) }
        return value
    }

    /// The members of a member that is an object; none when it is absent.
    package func members(
        of name: StaticString, _ expected: String = "an object of name and definition"
    ) throws(SessionError) -> [(key: String, value: JSONValue)] {
        guard let value = json.member(name) else { return [] }
        guard value.kind == .object else { throw wrongType(name, expected, value) }
        return value.members.map { ($0.key.string, $0.value) }
    }

    /// A string; nil when absent.
    package func string(_ name: StaticString) throws(SessionError) -> String? {
        guard let value = json.member(name) else { return nil }
        guard let text = value.string else { throw wrongType(name, "a string", value) }
        return text.string
    }

    package func requiredString(_ name: StaticString) throws(SessionError) -> String {
        guard let text = try string(name) else { throw .missing(name) }
        return text
    }

    /// The name of a part; nil when absent.
    ///
    /// - Throws: `malformedIdentifier`.
    package func identifier(_ name: StaticString) throws(SessionError) -> String? {
        guard let id = try string(name) else { return nil }
        if Identifier.isValid(id) { return id }
        throw SessionError.malformedIdentifier(id).at("/\(name)")
    }

    package func requiredIdentifier(_ name: StaticString) throws(SessionError) -> String {
        guard let id = try identifier(name) else { throw .missing(name) }
        return id
    }

    package func bool(_ name: StaticString) throws(SessionError) -> Bool? {
        guard let value = json.member(name) else { return nil }
        guard let flag = value.bool else { throw wrongType(name, "true or false", value) }
        return flag
    }

    package func integer(_ name: StaticString) throws(SessionError) -> Int64? {
        guard let value = json.member(name) else { return nil }
        guard let number = value.int64 else {
            throw .malformed(
                "'\(name)' has to be an integer", value, note: value.integerRangeNote,
                at: "/\(name)")
        }
        return number
    }

    package func requiredInteger(_ name: StaticString) throws(SessionError) -> Int64 {
        guard let number = try integer(name) else { throw .missing(name) }
        return number
    }

    /// A value of a type that lists its names; nil when absent.
    ///
    /// - Parameter rule: says which names there are: "`updates` is immediate or layout".
    package func choice<Choice: RawRepresentable<String>>(
        _ name: StaticString, _ rule: String, _ code: SessionErrorCode = .unsupportedMode
    ) throws(SessionError) -> Choice? {
        guard let text = try string(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw SessionError(code, "\(rule); it is '\(text)'.", pointer: "/\(name)")
    }

    package func wrongType(_ name: StaticString, _ expected: String, _ value: JSONValue)
        -> SessionError
    {
        .wrongType(name, expected, value)
    }
}

extension SessionError {
    package static func notAnObject(
        _ json: JSONValue, _ what: String, _ members: [StaticString]
    ) -> SessionError {
        SessionError(
            .malformedBody,
            "\(what.capitalizedFirst) is a JSON object with \(list(members)); it is \(json.summary).",
            pointer: "")
    }

    package static func unknownMember(
        _ key: JSONString, _ what: String, _ members: [StaticString]
    ) -> SessionError {
        let name = key.string
        return SessionError(
            .unknownMember,
            "\(what.capitalizedFirst) has no member '\(name)'. It has \(list(members)).",
            pointer: "/" + name.pointerToken,
            didYouMean: Suggestion.nearest(to: name, among: members.map(\.description)))
    }

    package static func wrongType(
        _ name: StaticString, _ expected: String, _ value: JSONValue
    ) -> SessionError {
        .malformed("'\(name)' has to be \(expected)", value, at: "/\(name)")
    }

    /// A required member is absent.
    package static func missing(_ name: StaticString) -> SessionError {
        SessionError(.missingMember, "The member '\(name)' is required.", pointer: "")
    }

    /// A value that breaks a rule of the body's form.
    ///
    /// - Parameter rule: what a value at the pointer is: "A name is a string".
    package static func malformed(
        _ rule: String, _ json: JSONValue, note: String = "", at pointer: String
    ) -> SessionError {
        SessionError(.malformedBody, "\(rule); it is \(json.summary)\(note).", pointer: pointer)
    }

    private static func list(_ members: [StaticString]) -> String {
        members.isEmpty ? "no members" : members.map(\.description).joined(separator: ", ")
    }
}

extension String {
    /// Upper-cases the first letter, for the start of a sentence.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
