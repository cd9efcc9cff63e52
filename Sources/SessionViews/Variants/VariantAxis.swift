// An axis of a request for variants: what its values are called, and what each of them does.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// An axis by a trait, by devices or by operations. Its operations are views of the request.
struct VariantAxis {
    private enum Effect {
        case overrides(TraitIndex, [TraitValue], at: Reference)
        case devices([DeviceChoice], at: Reference)
        /// Lists of operations, with the names of the values.
        case operations([(name: String, list: JSONValue)])
    }

    let name: String
    /// JSON texts of the values, all different.
    let labels: [[UInt8]]
    private let effect: Effect
    /// How the values of a trait are read and written.
    private let encoding: TraitEncoding?

    /// - Throws: with pointers into the axis.
    init(_ json: JSONValue, in session: SessionState) throws(SessionError) {
        if json.kind == .object, json.member("devices") != nil {
            let object = try ObjectReader(
                json, "an axis by devices",
                members: ["name", "devices", "at", "orientation", "split", "settings"])
            name = try object.requiredIdentifier("name")
            let names = try Self.names(try object.required("devices"), object)
            var choices: [DeviceChoice] = []
            for name in names {
                try Self.placed("/device", "/devices/\(choices.count)") {
                    () throws(SessionError) in choices.append(try DeviceChoice(name, object))
                }
            }
            labels = try Self.checked(names.map(Self.label), "devices")
            effect = .devices(choices, at: try Self.place(object))
            encoding = nil
        } else if json.kind == .object, json.member("values") != nil {
            let object = try ObjectReader(
                json, "an axis by operations", members: ["name", "values"])
            name = try object.requiredIdentifier("name")
            let values = try object.members(of: "values", "an object of name and operations")
            for (name, list) in values where list.kind != .array {
                throw .malformed(
                    "A value of an axis is an array of operations", list,
                    at: "/values/\(name.pointerToken)")
            }
            labels = try Self.checked(values.map { Self.label($0.key) }, "values")
            effect = .operations(values.map { ($0.key, $0.value) })
            encoding = nil
        } else {
            let object = try ObjectReader(
                json, "an axis by a trait, which is without `devices` and `values`,",
                members: ["name", "trait", "at", "cases"])
            name = try object.requiredIdentifier("name")
            let trait = try session.trait(named: try object.requiredString("trait"), "/trait")
            let encoding = session.encodings.encoding(of: trait, in: session.hierarchy.definitions)
            let values = try Self.values(encoding.definition, object)
            labels = try Self.checked(values.map { Self.label($0, encoding) }, "cases")
            effect = .overrides(trait, values, at: try Self.place(object))
            self.encoding = encoding
        }
    }

    /// How many operations of requests the values have.
    var operationCount: Int {
        guard case .operations(let values) = effect else { return 0 }
        return values.reduce(0) { $0 + $1.list.count }
    }

    /// The value that an exception names; nil when the axis has no such value.
    func value(named json: JSONValue) -> Int? {
        if let encoding {
            guard let value = try? ValueReader.read(json, for: encoding.definition) else {
                return nil
            }
            return labels.firstIndex(of: Self.label(value, encoding))
        }
        return json.string.flatMap { labels.firstIndex(of: Self.label($0.string)) }
    }

    /// Applies what a value does.
    ///
    /// - Throws: what a transaction is refused for, with pointers into the axis.
    func apply(_ value: Int, to transaction: inout Transaction) throws(SessionError) {
        switch effect {
        case .operations(let values):
            let pointer = "/values/\(values[value].name.pointerToken)"
            try transaction.assume(values[value].list, at: pointer)
        case .devices(let choices, let place):
            let node = try transaction.session.node(place)
            try Self.placed("/device", "/devices/\(value)") { () throws(SessionError) in
                try transaction.setDevice(node, choices[value])
            }
        case .overrides(let trait, let values, let place):
            let node = try transaction.session.node(place)
            try Self.placed(nil, "/trait") { () throws(SessionError) in
                try transaction.set(.overrides, node, trait, values[value])
            }
        }
    }

    /// Gives errors at one place of an operation the place in the axis.
    private static func placed(
        _ before: String?, _ pointer: String, _ body: () throws(SessionError) -> Void
    ) throws(SessionError) {
        do throws(SessionError) {
            try body()
        } catch {
            throw error.pointer == before ? error.at(pointer) : error
        }
    }

    // MARK: - Reading

    private static func place(_ object: ObjectReader) throws(SessionError) -> Reference {
        let json = try object.required("at")
        guard let text = json.string else { throw object.wrongType("at", "a node", json) }
        return Reference(text.bytes, at: "/at")
    }

    private static func names(
        _ json: JSONValue, _ object: ObjectReader
    ) throws(SessionError) -> [String] {
        guard json.kind == .array else {
            throw object.wrongType("devices", "an array of names", json)
        }
        var names: [String] = []
        for element in json.elements {
            guard let name = element.string else {
                throw .malformed("A device is a name", element, at: "/devices/\(names.count)")
            }
            names.append(name.string)
        }
        return names
    }

    /// The values in `cases`, else all that the trait has but the one that says nothing.
    private static func values(
        _ definition: TraitDefinition, _ object: ObjectReader
    ) throws(SessionError) -> [TraitValue] {
        if let json = object["cases"] {
            guard json.kind == .array else {
                throw object.wrongType("cases", "an array of values", json)
            }
            var values: [TraitValue] = []
            for element in json.elements {
                let value = try within(
                    "/cases/\(values.count)", try ValueReader.read(element, for: definition))
                values.append(value)
            }
            return values
        }
        switch definition.type {
        case .bool: return [.bool(false), .bool(true)]
        case .enumeration(let cases):
            return cases.map { TraitValue.int($0.raw) }.filter { !definition.isUnset($0) }
        case .stringEnumeration(let cases):
            return cases.map { TraitValue.string($0.raw) }.filter { !definition.isUnset($0) }
        default:
            throw .invalidVariants(
                "The trait '\(definition.key)' has no cases. Name values of it in `cases`.",
                "/trait")
        }
    }

    private static func label(_ name: String) -> [UInt8] { JSONWriter.text { $0.value(name) } }

    private static func label(_ value: TraitValue, _ encoding: TraitEncoding) -> [UInt8] {
        JSONWriter.text { encoding.write(value, into: &$0) }
    }

    /// - Throws: `invalidVariants` for no values, or for one twice.
    private static func checked(
        _ labels: [[UInt8]], _ member: StaticString
    ) throws(SessionError) -> [[UInt8]] {
        if labels.isEmpty {
            throw .invalidVariants("An axis has one value at least.", "/\(member)")
        }
        var seen: Set<[UInt8]> = []
        for (position, label) in labels.enumerated() where !seen.insert(label).inserted {
            throw .invalidVariants(
                "The value \(String(decoding: label.prefix(140), as: UTF8.self)) is there already.",
                "/\(member)/\(position)")
        }
        return labels
    }
}

extension SessionError {
    static func invalidVariants(
        _ detail: String, _ pointer: String, didYouMean: String? = nil
    ) -> SessionError {
        SessionError(.invalidVariants, detail, pointer: pointer, didYouMean: didYouMean)
    }
}
