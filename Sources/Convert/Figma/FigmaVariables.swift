// Variables of Figma: collections as traits, modes as cases, variables as colours with a variant for each mode. A
// collection that extends another one adds cases to the trait of that one, and differs in some values.

import JSONCodec

struct FigmaVariables {
    /// A collection that extends no other one.
    struct Collection {
        let value: SourceValue
        var modes: [Mode]
        let defaultMode: Int
        var trait = ""
    }

    /// A mode of a collection, or of one that extends it.
    struct Mode {
        let name: String
        /// The identifiers of the mode, then of those that it extends, with the overrides of each.
        let chain: [(id: String, overrides: SourceValue?)]
    }

    private(set) var collections: [Collection] = []
    /// The position of the root collection, by the identifier of it or of one that extends it.
    private(set) var places: [String: Int] = [:]
    private var variables: [String: (value: SourceValue, collection: Int)] = [:]
    private var order: [String] = []

    private static let parent: StaticString = "parentVariableCollectionId"

    /// - Parameter root: an object with `variables` and `variableCollections`, by identifier or in arrays.
    init(_ root: SourceValue) throws(ConversionError) {
        var extensions: [String: SourceValue] = [:]
        var extensionOrder: [String] = []
        for (id, value) in try Self.items(root.required("variableCollections")) {
            if try value.string(Self.parent) != nil {
                extensions[id] = value
                extensionOrder.append(id)
                continue
            }
            let modes = try Self.modes(of: value)
            let defaultId = try value.string("defaultModeId")
            guard let first = modes.first else {
                throw value.error("a collection has at least one mode")
            }
            let defaultMode = modes.firstIndex { $0.id == defaultId ?? first.id }
            guard let defaultMode else {
                throw value.error(
                    "the default mode '\(defaultId ?? "")' is no mode of the collection")
            }
            places[id] = collections.count
            collections.append(
                Collection(
                    value: value, modes: modes.map { Mode(name: $0.name, chain: [($0.id, nil)]) },
                    defaultMode: defaultMode))
        }
        for id in extensionOrder { try extend(id, extensions, []) }
        for (id, value) in try Self.items(root.required("variables")) {
            if value.member("deletedButReferenced")?.json.bool == true { continue }
            let collection = try value.required("variableCollectionId")
            let text = try collection.string()
            guard let place = places[text] else {
                throw collection.error("'\(text)' is no collection of the file")
            }
            if variables.updateValue((value, place), forKey: id) != nil {
                throw value.error("the variable '\(id)' stands here twice")
            }
            order.append(id)
        }
    }

    /// The items by identifier, in the order of the file. A plugin has arrays where the interface has objects.
    private static func items(
        _ value: SourceValue
    ) throws(ConversionError) -> [(id: String, value: SourceValue)] {
        if value.json.kind == .object {
            return try value.members.map { name, item throws(ConversionError) in
                (name, try item.object())
            }
        }
        return try value.elements().map { item throws(ConversionError) in
            (try item.object().required("id").string(), item)
        }
    }

    private static func modes(
        of collection: SourceValue
    ) throws(ConversionError) -> [(id: String, name: String, parent: String?)] {
        try collection.required("modes").elements().map { mode throws(ConversionError) in
            (
                try mode.object().required("modeId").string(), try mode.required("name").string(),
                try mode.string("parentModeId")
            )
        }
    }

    /// Adds the modes of a collection that extends another one, after those of that one.
    private mutating func extend(
        _ id: String, _ extensions: [String: SourceValue], _ below: [String]
    ) throws(ConversionError) {
        guard places[id] == nil, let value = extensions[id] else { return }
        if below.contains(id) || below.count > Self.extensionsMax {
            throw value.error("the collections extend one another in a circle")
        }
        let parent = try value.string(Self.parent) ?? ""
        try extend(parent, extensions, below + [id])
        guard let place = places[parent] else {
            throw value.error("it extends '\(parent)', which is no collection of the file")
        }
        let overrides = value.member("variableOverrides")
        let name = try value.required("name").string()
        let inherited = collections[place].modes
        for mode in try Self.modes(of: value) {
            // The identifier of a mode that is inherited may have that of the parent's mode at its end.
            let base =
                inherited.first { candidate in
                    let own = candidate.chain[0].id
                    return mode.parent.map { $0 == own }
                        ?? (mode.id == own || mode.id.hasSuffix("/" + own))
                } ?? inherited.first { $0.name == mode.name && mode.parent == nil }
            guard let base else {
                throw value.error("the mode '\(mode.name)' extends no mode of '\(parent)'")
            }
            collections[place].modes.append(
                Mode(
                    name: "\(name)/\(mode.name)", chain: [(mode.id, overrides)] + base.chain))
        }
        places[id] = place
    }

    private static let extensionsMax = 100

    /// The position of a mode among those of its collection.
    func mode(_ id: String, in collection: Int) -> Int? {
        collections[collection].modes.firstIndex { $0.chain[0].id == id }
    }

    // MARK: - Traits and colours

    mutating func addTraits(to conversion: inout Conversion) throws(ConversionError) {
        for place in collections.indices {
            let collection = collections[place]
            let name = try collection.value.required("name").string()
            let key = try conversion.name(.trait, name, at: collection.value)
            collections[place].trait = key
            var cases: Set<String> = []
            for mode in collection.modes where !cases.insert(mode.name).inserted {
                throw collection.value.error("two modes have the name '\(mode.name)'; rename one")
            }
            conversion.document.traits.append(
                .init(
                    key: key, label: key == name ? nil : name,
                    cases: collection.modes.map(\.name),
                    defaultCase: collection.modes[collection.defaultMode].name))
        }
    }

    func addColors(to conversion: inout Conversion) throws(ConversionError) {
        for id in order {
            guard let (value, _) = variables[id] else { continue }
            let name = try conversion.name(.color, try value.required("name").string(), at: value)
            let variants = try FigmaValues(self).variants(of: id)
            conversion.document.colors.append(.init(name: name, variants: variants))
        }
    }

    func variable(_ id: String) -> (value: SourceValue, collection: Int)? { variables[id] }

    /// The value of a variable in a mode, or in what the mode extends.
    func value(
        of variable: SourceValue, _ id: String, in mode: Mode
    ) throws(ConversionError) -> SourceValue? {
        let values = try variable.required("valuesByMode").object()
        for (modeId, overrides) in mode.chain {
            if let found = overrides?.child(id)?.child(modeId) ?? values.child(modeId) {
                return found
            }
        }
        return nil
    }
}

/// The values of a variable in all modes that matter to it: those of its collection, and through aliases those of
/// others.
private struct FigmaValues {
    private let variables: FigmaVariables

    /// Aliases one after another.
    private static let aliasesMax = 200

    init(_ variables: FigmaVariables) { self.variables = variables }

    func variants(of id: String) throws(ConversionError) -> [ConvertedDocument.Variant] {
        var variants: [ConvertedDocument.Variant] = []
        try add(id, [], [], &variants)
        return variants
    }

    /// Adds the variants of a variable under the modes that are fixed already, the default mode first.
    private func add(
        _ id: String, _ fixed: [(collection: Int, mode: Int)], _ path: [String],
        _ variants: inout [ConvertedDocument.Variant]
    ) throws(ConversionError) {
        guard let (variable, place) = variables.variable(id) else { return }
        let collection = variables.collections[place]
        let known = fixed.first { $0.collection == place }?.mode
        let others = collection.modes.indices.filter { $0 != collection.defaultMode }
        // A collection with one mode is no condition.
        let isCondition = known == nil && collection.modes.count > 1
        for mode in known.map({ [$0] }) ?? [collection.defaultMode] + others {
            let when = isCondition ? fixed + [(place, mode)] : fixed
            guard
                let value = try variables.value(of: variable, id, in: collection.modes[mode])
            else {
                throw variable.error(
                    "the variable has no value in the mode '\(collection.modes[mode].name)'")
            }
            if value.json.member("type")?.string.map({ $0 == "VARIABLE_ALIAS" }) == true {
                let target = try value.required("id").string()
                guard variables.variable(target) != nil else {
                    throw value.error("'\(target)' is an alias to nothing")
                }
                if path.contains(target) || target == id || path.count >= Self.aliasesMax {
                    let names = (path + [id, target]).map { name(of: $0) }
                    throw value.error(
                        "the aliases \(names.joined(separator: " → ")) go in a circle")
                }
                try add(target, when, path + [id], &variants)
                continue
            }
            guard variants.count < ConvertedDocument.variantsMax else {
                throw variable.error(
                    "the variable depends on more than \(ConvertedDocument.variantsMax) combinations of modes, the most of a colour"
                )
            }
            variants.append(
                .init(
                    when: when.map { collection, mode in
                        let collection = variables.collections[collection]
                        return (collection.trait, .name(collection.modes[mode].name))
                    }, value: try Self.json(value), source: .init(value)))
        }
    }

    private func name(of id: String) -> String {
        (try? variables.variable(id)?.value.string("name")) ?? id
    }

    /// A colour object of the Color Module, a number, a string or a boolean.
    private static func json(_ value: SourceValue) throws(ConversionError) -> [UInt8] {
        guard value.json.kind == .object else {
            if value.json.kind == .array || value.json.isNull {
                throw value.error("a variable is a colour, a number, a string or a boolean")
            }
            return JSONWriter.text { $0.copy(value.json) }
        }
        var components: [Double] = []
        for name in ["r", "g", "b"] as [StaticString] {
            let component = try value.required(name)
            guard let number = component.json.double else {
                throw component.error("a component is a number from 0 to 1")
            }
            components.append(number)
        }
        let alpha = value.member("a")?.json.double ?? 1
        return JSONWriter.text { json in
            json.beginObject()
            json.member("colorSpace", "srgb" as StaticString)
            json.beginArray("components")
            for component in components { json.value(component) }
            json.endArray()
            if alpha != 1 { json.member("alpha", alpha) }
            json.endObject()
        }
    }
}
