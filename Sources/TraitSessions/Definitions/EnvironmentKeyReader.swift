// From JSON to an environment key, and back.

import JSONCodec
import TraitEngine
import TraitJSON

package enum EnvironmentKeyReader {
    private static let members: [StaticString] = [
        "key", "type", "default", "cases", "fields", "nullable", "bridgedTrait", "map",
    ]

    /// - Parameters:
    ///   - key: from the path; a `key` member has to agree.
    ///   - session: the trait that it is bridged to is one of this session's.
    package static func read(
        _ json: JSONValue, key: String, in session: SessionState
    ) throws(SessionError) -> EnvironmentKey {
        try read(json, key: key, of: session.hierarchy.definitions) { session.unknownTrait($0) }
    }

    static func read(
        _ json: JSONValue, key: String, of definitions: TraitDefinitions
    ) throws(SessionError) -> EnvironmentKey {
        try read(json, key: key, of: definitions) {
            SessionError(
                .unknownTrait,
                "The document defines no trait '\($0.prefix(140))' before this key."
                    + definitions.absenceNote(of: $0))
        }
    }

    private static func read(
        _ json: JSONValue, key: String, of definitions: TraitDefinitions,
        unknownTrait: (String) -> SessionError
    ) throws(SessionError) -> EnvironmentKey {
        let object = try ObjectReader(json, "an environment key", members: members)
        try ObjectReader.check(try object.string("key"), "key", agreesWith: key)
        let (shape, defaultValue) = try DefinitionReader.readShape(object, key: key)
        var bridged: TraitDefinition?
        if let name = try object.string("bridgedTrait") {
            guard let trait = definitions.index(of: name) else {
                throw unknownTrait(name).inside(at: "/bridgedTrait")
            }
            bridged = definitions[trait]
        }
        return EnvironmentKey(
            key: key, type: shape.type, isNullable: shape.isNullable, defaultValue: defaultValue,
            bridgedTrait: bridged?.key, map: try readMap(object, shape, bridged))
    }

    /// An object of the key's values and the trait's, or an array of `{"environment","trait"}`.
    private static func readMap(
        _ object: ObjectReader, _ shape: TraitDefinition, _ bridged: TraitDefinition?
    ) throws(SessionError) -> [(environment: TraitValue, trait: TraitValue)] {
        guard let json = object["map"] else { return [] }
        guard let bridged else {
            throw SessionError(
                .invalidDefinition,
                "`map` translates between the key and its `bridgedTrait`; there is none.",
                pointer: "/map")
        }
        var map: [(environment: TraitValue, trait: TraitValue)] = []
        map.reserveCapacity(json.count)
        switch json.kind {
        case .object:
            for (name, value) in json.members {
                let pointer = "/map/" + name.string.pointerToken
                guard let own = EnvironmentText.value(name, of: shape) else {
                    throw SessionError(
                        .typeMismatch,
                        "In the map a value of '\(shape.key)' has to be \(shape.expectation); it is '\(name.prefix(bytesMax: 140))'.",
                        pointer: pointer)
                }
                map.append((own, try read(value, bridged, pointer)))
            }
        case .array:
            for element in json.elements {
                let pointer = "/map/\(map.count)"
                let pair: ObjectReader
                do throws(SessionError) {
                    pair = try ObjectReader(
                        element, "a pair of values", members: ["environment", "trait"])
                    let own = try pair.required("environment")
                    let trait = try pair.required("trait")
                    map.append(
                        (try read(own, shape, "/environment"), try read(trait, bridged, "/trait")))
                } catch {
                    throw error.prefixed(pointer)
                }
            }
        default:
            throw object.wrongType("map", "an object of value and value", json)
        }
        return map
    }

    private static func read(
        _ json: JSONValue, _ definition: TraitDefinition, _ pointer: String
    ) throws(SessionError) -> TraitValue {
        do throws(SessionError) {
            return try ValueReader.read(json, for: definition)
        } catch {
            throw error.at(pointer)
        }
    }
}

/// Values as names of members: enumerations by case, integers by their digits.
enum EnvironmentText {
    static func value(_ name: JSONString, of definition: TraitDefinition) -> TraitValue? {
        let text = name.string
        let value: TraitValue? =
            switch definition.type {
            case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
            case .int: Int64(text).map(TraitValue.int)
            case .string: .string(text)
            case .enumeration:
                definition.value(ofCase: text) ?? Int64(text).map(TraitValue.int)
            case .stringEnumeration: definition.value(ofCase: text) ?? .string(text)
            case .double, .structure, .json, .opaque: nil
            }
        return value.flatMap { definition.accepts($0) ? $0 : nil }
    }

    /// nil when the value is no name.
    static func text(_ value: TraitValue, of definition: TraitDefinition) -> String? {
        switch value {
        case .bool(let flag): flag ? "true" : "false"
        case .int(let raw): definition.caseName(of: value) ?? String(raw)
        case .string(let text): definition.caseName(of: value) ?? text
        case .null, .double, .structure, .json, .opaque: nil
        }
    }
}

package enum EnvironmentKeyWriter {
    package static func write(
        _ key: EnvironmentKey, of definitions: TraitDefinitions, into writer: inout JSONWriter
    ) {
        let text = EnvironmentKeyText(key, of: definitions)
        text.begin(&writer)
        for position in 0..<text.pairCount { text.writePair(position, into: &writer) }
        text.end(&writer)
    }
}

/// The text of a key. The pairs of its map are written one by one, as a thousand may have 32 KiB each.
package final class EnvironmentKeyText: Sendable {
    private let key: EnvironmentKey
    // Nothing adds to these encodings.
    nonisolated(unsafe) private let own: TraitEncoding
    /// Of the trait to which the key is bridged; nil without a map.
    nonisolated(unsafe) private let trait: TraitEncoding?
    /// Whether the map is an object of the key's values; otherwise it is an array of pairs.
    private let hasNames: Bool

    package init(_ key: EnvironmentKey, of definitions: TraitDefinitions) {
        self.key = key
        own = TraitEncoding(key.definition)
        let bridged = key.bridgedTrait.flatMap { definitions.index(of: $0) }
        trait = key.map.isEmpty ? nil : bridged.map { TraitEncoding(definitions[$0]) }
        let definition = own.definition
        hasNames = key.map.allSatisfy {
            EnvironmentText.text($0.environment, of: definition) != nil
        }
    }

    /// The pairs of the map.
    package var pairCount: Int { trait == nil ? 0 : key.map.count }

    package func begin(_ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", key.key)
        DefinitionWriter.writeType(key.type, into: &writer)
        writer.flag("nullable", when: key.isNullable)
        writer.key("default")
        own.write(key.defaultValue, into: &writer)
        writer.member("bridgedTrait", ifPresent: key.bridgedTrait)
        guard trait != nil else { return }
        writer.key("map")
        if hasNames { writer.beginObject() } else { writer.beginArray() }
    }

    package func writePair(_ position: Int, into writer: inout JSONWriter) {
        guard let trait else { return }
        let pair = key.map[position]
        if hasNames {
            writer.key(EnvironmentText.text(pair.environment, of: own.definition) ?? "")
            return trait.write(pair.trait, into: &writer)
        }
        writer.beginObject()
        writer.key("environment")
        own.write(pair.environment, into: &writer)
        writer.key("trait")
        trait.write(pair.trait, into: &writer)
        writer.endObject()
    }

    package func end(_ writer: inout JSONWriter) {
        if trait != nil {
            if hasNames { writer.endObject() } else { writer.endArray() }
        }
        writer.endObject()
    }
}
