// From JSON to a trait definition, and back.

import JSONCodec
import TraitEngine

package enum DefinitionReader {
    private static let members: [StaticString] = [
        "key", "identifier", "name", "type", "default", "cases", "fields", "nullable",
        "affectsColorAppearance", "unit", "css", "since", "deprecated",
    ]

    /// - Parameter key: from the path; a `key` member has to agree.
    package static func read(_ json: JSONValue, key: String) throws(SessionError) -> TraitDefinition
    {
        let object = try ObjectReader(json, "a trait definition", members: members)
        try ObjectReader.check(try object.string("key"), "key", agreesWith: key)
        let (shape, defaultValue) = try readShape(object, key: key)
        let deprecated = try readDeprecation(object, shape)
        return TraitDefinition(
            key: key, identifier: try object.string("identifier"),
            name: try object.string("name"), type: shape.type, isNullable: shape.isNullable,
            defaultValue: defaultValue,
            affectsColorAppearance: try object.bool("affectsColorAppearance") ?? false,
            isDeprecated: deprecated.isWhole, deprecatedCases: deprecated.cases,
            notes: try readNotes(object, shape.type))
    }

    /// `unit`, `css` and `since`.
    private static func readNotes(
        _ object: ObjectReader, _ type: TraitType
    ) throws(SessionError) -> DefinitionNotes {
        func refuse(_ detail: String, _ pointer: String, near: String? = nil) -> SessionError {
            SessionError(.invalidDefinition, detail, pointer: pointer, didYouMean: near)
        }
        let unit = try object.string("unit")
        if let unit {
            guard type == .int || type == .double else {
                throw refuse("Only an int or a double has a unit.", "/unit")
            }
            guard DefinitionNotes.units.contains(unit) else {
                throw refuse(
                    "'\(unit)' is no unit of CSS.", "/unit",
                    near: DefinitionNotes.units.first { $0.lowercased() == unit.lowercased() }
                        ?? Suggestion.nearest(to: unit, among: DefinitionNotes.units))
            }
        }
        let isCSS = try object.bool("css") ?? false
        if isCSS, type != .string { throw refuse("Only a string is text of CSS.", "/css") }
        guard let json = object["since"] else { return DefinitionNotes(unit: unit, isCSS: isCSS) }
        guard json.kind == .object else {
            throw object.wrongType("since", "an object of platform and version", json)
        }
        var since: [PlatformVersion] = []
        for (platform, version) in json.members {
            let pointer = "/since/" + platform.string.pointerToken
            guard let version = version.string else {
                throw .malformed("A version is a string", version, at: pointer)
            }
            since.append(PlatformVersion(platform.string, version.string))
        }
        return DefinitionNotes(unit: unit, isCSS: isCSS, since: since)
    }

    /// `deprecated`: a boolean for the trait, or the names of cases.
    private static func readDeprecation(
        _ object: ObjectReader, _ shape: TraitDefinition
    ) throws(SessionError) -> (isWhole: Bool, cases: [String]) {
        guard let json = object["deprecated"] else { return (false, []) }
        if let flag = json.bool { return (flag, []) }
        guard json.kind == .array else {
            throw object.wrongType("deprecated", "true, false or an array of cases", json)
        }
        guard case .enumeration(let cases) = shape.type else {
            throw SessionError(
                .invalidDefinition, "Only an enum has deprecated cases; for a trait give true.",
                pointer: "/deprecated")
        }
        var names: [String] = []
        for element in json.elements {
            let pointer = "/deprecated/\(names.count)"
            guard let name = element.string?.string else {
                throw .malformed("A case's name is a string", element, at: pointer)
            }
            if !cases.contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
                || names.contains(where: { $0.utf8.elementsEqual(name.utf8) })
            {
                throw SessionError(
                    .invalidDefinition, "'\(name)' is no case of the enum, or it is there already.",
                    pointer: pointer,
                    didYouMean: Suggestion.nearest(to: name, among: cases.map(\.name)))
            }
            names.append(name)
        }
        return (false, names)
    }

    /// Reads `type`, `cases`, `fields`, `nullable` and `default`.
    package static func readShape(
        _ object: ObjectReader, key: String
    ) throws(SessionError) -> (shape: TraitDefinition, defaultValue: TraitValue) {
        let type = try readType(object)
        let isNullable = try object.bool("nullable")
        if type == .json, isNullable == false {
            throw SessionError(
                .invalidDefinition, "A json trait takes null, too; leave `nullable` out.",
                pointer: "/nullable")
        }
        let shape = TraitDefinition(
            key: key, type: type, isNullable: isNullable ?? false, defaultValue: .null)
        guard let defaultJSON = object["default"] else {
            throw SessionError(
                .missingMember,
                "A definition needs a `default`: the value wherever nothing sets the trait.",
                pointer: "")
        }
        return (shape, try within("/default", try ValueReader.read(defaultJSON, for: shape)))
    }

    /// Names of the types in other languages, in lower case, for suggestions.
    private static let otherNames = [
        "float": "double", "float32": "double", "float64": "double", "number": "double",
        "real": "double", "decimal": "double", "cgfloat": "double", "integer": "int",
        "int32": "int", "int64": "int", "long": "int", "uint": "int", "boolean": "bool",
        "flag": "bool", "object": "json", "record": "struct", "map": "json", "dict": "json",
        "dictionary": "json", "array": "json", "list": "json", "any": "json", "text": "string",
        "str": "string", "char": "string",
        "enumeration": "enum", "choice": "enum", "select": "enum",
    ]

    private static func readType(_ object: ObjectReader) throws(SessionError) -> TraitType {
        let name = try object.requiredString("type")
        let names = ["bool", "int", "double", "string", "enum", "struct", "json"]
        guard names.contains(name) else {
            throw SessionError(
                .invalidDefinition,
                "'\(name)' is no type. Types are \(names.joined(separator: ", ")).",
                pointer: "/type",
                didYouMean: otherNames[name.lowercased()]
                    ?? Suggestion.nearest(to: name, among: names))
        }
        if name != "enum", object.has("cases") {
            throw SessionError(
                .invalidDefinition, "Only an enum has `cases`; the type is '\(name)'.",
                pointer: "/cases")
        }
        if name != "struct", object.has("fields") {
            throw SessionError(
                .invalidDefinition, "Only a struct has `fields`; the type is '\(name)'.",
                pointer: "/fields")
        }
        switch name {
        case "bool": return .bool
        case "int": return .int
        case "double": return .double
        case "string": return .string
        case "json": return .json
        case "enum": return .enumeration(try readCases(object))
        default: return .structure(try readFields(object))
        }
    }

    private static func readCases(_ object: ObjectReader) throws(SessionError) -> [EnumCase<Int64>]
    {
        let json = try members(
            "cases", of: object, "an object of name and integer", "An enum needs at least one case."
        )
        var cases: [EnumCase<Int64>] = []
        cases.reserveCapacity(json.count)
        for (key, value) in json.members {
            guard let raw = value.int64 else {
                throw .malformed(
                    "A case's raw value has to be an integer", value, note: value.integerRangeNote,
                    at: "/cases/" + key.string.pointerToken)
            }
            cases.append(EnumCase(key.string, raw))
        }
        return cases
    }

    /// An object with at least one member.
    private static func members(
        _ name: StaticString, of object: ObjectReader, _ expected: String, _ need: String
    ) throws(SessionError) -> JSONValue {
        let json = try object.required(name)
        guard case .object = json.kind else { throw object.wrongType(name, expected, json) }
        if json.count > 0 { return json }
        throw SessionError(.invalidDefinition, need, pointer: "/\(name)")
    }

    private static func readFields(_ object: ObjectReader) throws(SessionError) -> [StructField] {
        let json = try members(
            "fields", of: object, "an object of name and type",
            "A struct needs at least one field.")
        var fields: [StructField] = []
        fields.reserveCapacity(json.count)
        for (key, value) in json.members {
            guard let name = value.string, let type = StructField.Scalar(rawValue: name.string)
            else {
                throw .malformed(
                    "A field's type has to be bool, int, double, string or json", value,
                    at: "/fields/" + key.string.pointerToken)
            }
            fields.append(StructField(key.string, type))
        }
        return fields
    }
}

package enum DefinitionWriter {
    package static func write(_ definition: TraitDefinition, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", definition.key)
        writer.member("identifier", ifPresent: definition.identifier)
        writer.member("name", definition.name)
        writeType(definition.type, into: &writer)
        writer.flag("nullable", when: definition.isNullable)
        writer.key("default")
        TraitEncoding(definition).write(definition.defaultValue, into: &writer)
        writer.member("affectsColorAppearance", definition.affectsColorAppearance)
        writer.member("unit", ifPresent: definition.notes.unit)
        writer.flag("css", when: definition.notes.isCSS)
        if !definition.notes.since.isEmpty {
            write("since", of: definition.notes.since, \.platform, into: &writer) {
                $0.value($1.version)
            }
        }
        if definition.isDeprecated || !definition.deprecatedCases.isEmpty {
            writer.key("deprecated")
            writeDeprecation(of: definition, into: &writer)
        }
        writer.flag("private", when: definition.origin == .systemPrivate)
        writer.endObject()
    }

    static func writeDeprecation(of definition: TraitDefinition, into writer: inout JSONWriter) {
        if definition.deprecatedCases.isEmpty { return writer.value(definition.isDeprecated) }
        writer.beginArray()
        for name in definition.deprecatedCases { writer.value(name) }
        writer.endArray()
    }

    package static func writeType(_ type: TraitType, into writer: inout JSONWriter) {
        writer.member("type", type.name)
        switch type {
        case .bool, .int, .double, .string, .json, .opaque: break
        case .enumeration(let cases):
            write("cases", of: cases, \.name, into: &writer) { $0.value($1.raw) }
        case .stringEnumeration(let cases):
            write("cases", of: cases, \.name, into: &writer) { $0.value($1.raw) }
        case .structure(let fields):
            write("fields", of: fields, \.name, into: &writer) { $0.value($1.type.rawValue) }
        }
    }

    /// Writes a member that is an object: each item's name, with the value that `write` writes.
    private static func write<Item>(
        _ member: StaticString, of items: [Item], _ name: (Item) -> String,
        into writer: inout JSONWriter, _ write: (inout JSONWriter, Item) -> Void
    ) {
        writer.key(member)
        writer.beginObject()
        for item in items {
            writer.key(name(item))
            write(&writer, item)
        }
        writer.endObject()
    }
}

extension TraitType {
    /// The name of the type in definitions.
    package var name: StaticString {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .double: "double"
        case .string: "string"
        case .enumeration, .stringEnumeration: "enum"
        case .structure: "struct"
        case .json: "json"
        // No client's definition has such a type.
        case .opaque: "opaque"
        }
    }
}
