// From JSON to an environment key, and back.

import JSONCodec
import TraitEngine

enum EnvironmentKeyReader {
    private static let members: [StaticString] = [
        "key", "type", "default", "cases", "fields", "nullable", "bridgedTrait", "map",
    ]

    /// - Parameters:
    ///   - key: from the path; a `key` member has to agree.
    ///   - session: the trait that it is bridged to is one of this session's.
    static func read(
        _ json: JSONValue, key: String, in session: Session
    ) throws(SessionError) -> EnvironmentKey {
        try read(json, key: key, of: session.hierarchy.definitions) { session.unknownTrait($0) }
    }

    static func read(
        _ json: JSONValue, key: String, of definitions: TraitDefinitions
    ) throws(SessionError) -> EnvironmentKey {
        try read(json, key: key, of: definitions) {
            SessionError(
                .unknownTrait, "The document defines no trait '\($0.prefix(140))' before this key.")
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
            case .double, .structure, .opaque: nil
            }
        return value.flatMap { definition.accepts($0) ? $0 : nil }
    }

    /// nil when the value is no name.
    static func text(_ value: TraitValue, of definition: TraitDefinition) -> String? {
        switch value {
        case .bool(let flag): flag ? "true" : "false"
        case .int(let raw): definition.caseName(of: value) ?? String(raw)
        case .string(let text): definition.caseName(of: value) ?? text
        case .null, .double, .structure, .opaque: nil
        }
    }
}

package enum EnvironmentKeyWriter {
    package static func write(
        _ key: EnvironmentKey, of definitions: TraitDefinitions, into writer: inout JSONWriter
    ) {
        let definition = key.definition
        let encoding = TraitEncoding(definition)
        writer.beginObject()
        writer.member("key", key.key)
        DefinitionWriter.writeType(key.type, into: &writer)
        writer.flag("nullable", when: key.isNullable)
        writer.key("default")
        encoding.write(key.defaultValue, into: &writer)
        if let bridged = key.bridgedTrait {
            writer.member("bridgedTrait", bridged)
            if let trait = definitions.index(of: bridged), !key.map.isEmpty {
                writer.key("map")
                writeMap(key, encoding, TraitEncoding(definitions[trait]), into: &writer)
            }
        }
        writer.endObject()
    }

    private static func writeMap(
        _ key: EnvironmentKey, _ own: TraitEncoding, _ trait: TraitEncoding,
        into writer: inout JSONWriter
    ) {
        let names = key.map.map { EnvironmentText.text($0.environment, of: own.definition) }
        if names.contains(nil) {
            writer.beginArray()
            for pair in key.map {
                writer.beginObject()
                writer.key("environment")
                own.write(pair.environment, into: &writer)
                writer.key("trait")
                trait.write(pair.trait, into: &writer)
                writer.endObject()
            }
            return writer.endArray()
        }
        writer.beginObject()
        for (name, pair) in zip(names, key.map) {
            writer.key(name ?? "")
            trait.write(pair.trait, into: &writer)
        }
        writer.endObject()
    }
}
