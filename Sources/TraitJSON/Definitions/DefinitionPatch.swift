// Changes of a trait's definition: a merge patch (RFC 7396) of the definition's JSON. The key and the identifier stay;
// what a change may be is in docs/documents.md.

import JSONCodec
import TraitEngine

package enum DefinitionPatch {
    static let members: [StaticString] = [
        "name", "type", "default", "cases", "fields", "nullable", "affectsColorAppearance",
        "unit", "css", "since", "deprecated",
    ]

    /// The definition that a patch makes of another one.
    ///
    /// Null removes a member, except that a `default` of null is the value null. A new type drops the members of the
    /// former one. The fields of a struct's default that the patch leaves out keep their values.
    ///
    /// - Throws: `malformedBody`, `unknownMember`, and why the outcome is no definition, with pointers into the patch.
    package static func apply(
        _ patch: JSONValue, to definition: TraitDefinition
    ) throws(SessionError) -> TraitDefinition {
        for name in ["key", "identifier"] as [StaticString] where patch.member(name) != nil {
            throw SessionError(
                .invalidDefinition,
                "The \(name) of a trait never changes. Leave it out, or define another trait.",
                pointer: "/\(name)")
        }
        let object = try ObjectReader(patch, "a trait's patch", members: members)
        let former = JSONWriter.text { DefinitionWriter.write(definition, into: &$0) }
        let merged: [UInt8] = try read(former) { json throws(SessionError) in
            try Self.merged(json, object)
        }
        return try read(merged) { json throws(SessionError) in
            try DefinitionReader.read(json, key: definition.key)
        }
    }

    /// Applies a patch that `write` has made.
    package static func apply(
        _ patch: [UInt8], to definition: TraitDefinition
    ) throws(SessionError) -> TraitDefinition {
        try read(patch) { json throws(SessionError) in try apply(json, to: definition) }
    }

    /// Reads text of this program.
    private static func read<Value>(
        _ text: [UInt8], _ body: (JSONValue) throws(SessionError) -> Value
    ) throws(SessionError) -> Value {
        try text.withBytes { bytes throws(SessionError) in
            try JSONTape().withDocument(bytes, refusal: SessionError.init, body)
        }
    }

    private static func merged(
        _ former: JSONValue, _ patch: ObjectReader
    ) throws(SessionError) -> [UInt8] {
        var writer = JSONWriter()
        let type = try patch.string("type") ?? former.member("type")?.string?.string ?? ""
        let isOther = former.member("type")?.string.map { $0.string != type } ?? true
        writer.beginObject()
        writer.member("type", type)
        for name in ["identifier", "name", "affectsColorAppearance"] as [StaticString] {
            let value = patch[name] ?? former.member(name)
            if let value, !value.isNull { writer.copy(name, value) }
        }
        // A unit belongs to numbers, and `css` to strings.
        for (name, types) in [("unit", ["int", "double"]), ("css", ["string"])]
            as [(StaticString, [String])]
        {
            let value = patch[name] ?? (types.contains(type) ? former.member(name) : nil)
            if let value, !value.isNull { writer.copy(name, value) }
        }
        _ = try writer.merge("since", former.member("since"), patch["since"], true)
        let hasNull = patch["nullable"] ?? former.member("nullable")
        if let hasNull, !hasNull.isNull { writer.copy("nullable", hasNull) }
        let hasParts: (StaticString, Bool) =
            type == "enum" ? ("cases", true) : ("fields", type == "struct")
        var fields: [JSONString] = []
        for name in ["cases", "fields"] as [StaticString] {
            let belongs = hasParts.1 && hasParts.0.description == name.description
            let before = isOther || !belongs ? nil : former.member(name)
            guard let names = try writer.merge(name, before, patch[name], belongs) else { continue }
            if type == "struct" { fields = names }
        }
        if let deprecated = patch["deprecated"] ?? former.member("deprecated"),
            !deprecated.isNull, patch["deprecated"] != nil || !isOther || deprecated.bool != nil
        {
            writer.copyDeprecated(
                deprecated, isOwn: patch["deprecated"] != nil, cases: patch["cases"])
        }
        let known = former.member("default")
        let change = patch["default"]
        if type == "struct", !isOther, change?.kind ?? .object == .object,
            let known, known.kind == .object
        {
            writer.mergeDefault(known, change, fields)
        } else if let value = change ?? known {
            writer.copy("default", value)
        }
        writer.endObject()
        return writer.array()
    }

    /// Writes the patch that makes one definition of another one with the same key and identifier.
    package static func write(
        from former: TraitDefinition, to new: TraitDefinition, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        if former.name != new.name { writer.member("name", new.name) }
        let isOther = !former.type.isOfKind(new.type)
        if isOther { writer.member("type", new.type.name) }
        switch (former.type, new.type) {
        case (.enumeration(let cases), .enumeration(let others)) where former.type != new.type:
            writeParts(
                "cases", cases.map { ($0.name, $0.raw) }, others.map { ($0.name, $0.raw) },
                into: &writer
            ) { $0.value($1) }
        case (.structure(let fields), .structure(let others)) where former.type != new.type:
            writeParts(
                "fields", fields.map { ($0.name, $0.type.rawValue) },
                others.map { ($0.name, $0.type.rawValue) }, into: &writer
            ) { $0.value($1) }
        case (_, .enumeration(let cases)) where isOther:
            writeParts("cases", [], cases.map { ($0.name, $0.raw) }, into: &writer) {
                $0.value($1)
            }
        default: break
        }
        if former.isNullable != new.isNullable, new.type != .json {
            writer.member("nullable", new.isNullable)
        }
        if former.affectsColorAppearance != new.affectsColorAppearance {
            writer.member("affectsColorAppearance", new.affectsColorAppearance)
        }
        let (notes, next) = (former.notes, new.notes)
        if notes.unit != next.unit {
            writer.key("unit")
            if let unit = next.unit { writer.value(unit) } else { writer.null() }
        }
        if notes.isCSS != next.isCSS { writer.member("css", next.isCSS) }
        if notes.since != next.since {
            writeParts(
                "since", notes.since.map { ($0.platform, $0.version) },
                next.since.map { ($0.platform, $0.version) }, into: &writer
            ) { $0.value($1) }
        }
        if former.isDeprecated != new.isDeprecated
            || former.deprecatedCases != new.deprecatedCases
        {
            writer.key("deprecated")
            DefinitionWriter.writeDeprecation(of: new, into: &writer)
        }
        let standard = text(of: new)
        if text(of: former) != standard || isOther { writer.member("default", raw: standard) }
        writer.endObject()
    }

    private static func text(of definition: TraitDefinition) -> [UInt8] {
        JSONWriter.text { TraitEncoding(definition).write(definition.defaultValue, into: &$0) }
    }

    private static func writeParts<Value: Equatable>(
        _ member: StaticString, _ former: [(String, Value)], _ new: [(String, Value)],
        into writer: inout JSONWriter, _ write: (inout JSONWriter, Value) -> Void
    ) {
        writer.key(member)
        writer.beginObject()
        for (name, _) in former where !new.contains(where: { $0.0 == name }) {
            writer.key(name)
            writer.null()
        }
        for (name, value) in new where !former.contains(where: { $0 == (name, value) }) {
            writer.key(name)
            write(&writer, value)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func copy(_ name: StaticString, _ value: JSONValue) {
        key(name)
        copy(value)
    }

    /// Writes the cases or fields: those of `former` with the changes of `patch`, new ones last. Answers their names;
    /// nil when nothing is written. What does not belong to the type is written as it is, to be refused.
    fileprivate mutating func merge(
        _ name: StaticString, _ former: JSONValue?, _ patch: JSONValue?, _ belongs: Bool
    ) throws(SessionError) -> [JSONString]? {
        if let patch, patch.isNull { return nil }
        if former == nil, patch == nil { return nil }
        guard let patch else {
            if let former { copy(name, former) }
            return former.map { $0.members.map(\.key) }
        }
        guard belongs, patch.kind == .object else {
            copy(name, patch)
            return nil
        }
        var names: [JSONString] = []
        key(name)
        beginObject()
        func write(_ key: JSONString, _ value: JSONValue, _ writer: inout JSONWriter) {
            if value.isNull { return }
            names.append(key)
            writer.key(key.bytes)
            writer.copy(value)
        }
        if let former {
            for (key, value) in former.members {
                write(key, patch.member(key.bytes) ?? value, &self)
            }
        }
        for (key, value) in patch.members where former?.member(key.bytes) == nil {
            write(key, value, &self)
        }
        endObject()
        return names
    }

    /// Writes the default of a struct: the fields that it has now, of the patch or else of the former default. A field
    /// of the patch that the struct does not have is written, to be refused.
    fileprivate mutating func mergeDefault(
        _ former: JSONValue, _ patch: JSONValue?, _ fields: [JSONString]
    ) {
        key("default")
        beginObject()
        for (name, value) in former.members
        where patch?.member(name.bytes) == nil && fields.contains(where: { $0 == name }) {
            key(name.bytes)
            copy(value)
        }
        if let patch {
            for (name, value) in patch.members {
                key(name.bytes)
                copy(value)
            }
        }
        endObject()
    }

    /// Writes `deprecated`; a former list without the cases that the patch removes.
    fileprivate mutating func copyDeprecated(
        _ deprecated: JSONValue, isOwn: Bool, cases: JSONValue?
    ) {
        key("deprecated")
        guard !isOwn, deprecated.kind == .array, let cases else { return copy(deprecated) }
        beginArray()
        for name in deprecated.elements
        where name.string.flatMap({ cases.member($0.bytes) })?.isNull != true {
            copy(name)
        }
        endArray()
    }
}

extension TraitType {
    /// Whether both are written as the same `type`.
    func isOfKind(_ other: TraitType) -> Bool { name.description == other.name.description }
}
