// The rules of dynamic colours and images: which variant a collection chooses, and when somebody
// hears that it is another one.

import TraitEngine

/// A colour or image as a script defines it.
struct DynamicDefinition: Equatable, Sendable {
    struct Variant: Equatable, Sendable {
        var when: [String: TraitValue]
        /// What stands before a `~` is what it means; what follows is only how it is written.
        var value: String

        var meaning: String { String(value.prefix { $0 != "~" }) }

        static func == (one: Variant, two: Variant) -> Bool {
            one.when == two.when && one.meaning == two.meaning
        }
    }

    var kind: DynamicKind
    var name: String
    var variants: [Variant]

    /// The variant chosen by what `read` says.
    func choose(_ read: (String) -> TraitValue) -> Int {
        kind == .color ? chooseColor(read) : chooseImage(read)
    }

    /// All conditions have to hold; the most conditions win, then the earliest.
    private func chooseColor(_ read: (String) -> TraitValue) -> Int {
        let fitting = variants.indices.filter { index in
            variants[index].when.allSatisfy { read($0.key) == $0.value }
        }
        let most = fitting.map { variants[$0].when.count }.max()
        return fitting.first { variants[$0].when.count == most } ?? 0
    }

    static let imageOrder = [
        "userInterfaceIdiom", "userInterfaceStyle", "accessibilityContrast", "displayGamut",
        "layoutDirection", "horizontalSizeClass", "verticalSizeClass",
        "preferredContentSizeCategory", "legibilityWeight",
    ]

    /// A line of marks for each candidate, compared as a whole; then the scale.
    private func chooseImage(_ read: (String) -> TraitValue) -> Int {
        var best: (marks: [Double], index: Int)?
        for (index, variant) in variants.enumerated() {
            var marks = Self.imageOrder.map { trait -> Double in
                guard let wanted = variant.when[trait] else { return 1 }
                return wanted == read(trait) ? 2 : 0
            }
            // Idiom and size classes.
            if marks[0] == 0 || marks[5] == 0 || marks[6] == 0 { continue }
            let scale = Self.scale(variant.when["displayScale"] ?? .double(1))
            let wanted = Self.scale(read("displayScale"))
            marks.append(scale >= wanted ? 1 : 0)
            marks.append(scale >= wanted ? -scale : scale)
            if best.map({ $0.marks.lexicographicallyPrecedes(marks) }) ?? true {
                best = (marks, index)
            }
        }
        return best?.index ?? 0
    }

    private static func scale(_ value: TraitValue) -> Double {
        if case .double(let number) = value { number } else { 0 }
    }
}

extension OracleState {
    struct DynamicName: Hashable {
        var kind: DynamicKind
        var name: String
    }

    struct Dynamic {
        /// When a value of that name was defined first, and when this one was.
        let serial: Int
        let version: Int
        let definition: DynamicDefinition
    }

    func dynamics(of listener: Listener) -> [DynamicName] {
        var seen: Set<DynamicName> = []
        let all =
            listener.colors.map { DynamicName(kind: .color, name: $0) }
            + listener.images.map { DynamicName(kind: .image, name: $0) }
        return all.filter { seen.insert($0).inserted }
    }

    /// Whether a variant names the trait.
    func isCondition(_ trait: String) -> Bool {
        dynamics.values.contains { $0.definition.variants.contains { $0.when[trait] != nil } }
    }

    private func isNamed(_ name: DynamicName) -> Bool {
        registrations.values.contains { dynamics(of: $0).contains(name) }
    }

    mutating func applyDynamic(_ operation: Operation, tick: Int) -> Set<String> {
        switch operation {
        case .defineDynamic(let given):
            let definition = registered(given)
            let name = DynamicName(kind: definition.kind, name: definition.name)
            if let known = dynamics[name] {
                if known.definition == definition { return [] }
                if isNamed(name) { return ["dynamicInUse"] }
            }
            dynamics[name] = Dynamic(
                serial: dynamics[name]?.serial ?? tick, version: tick, definition: definition)
        case .deleteDynamic(let kind, let text):
            let name = DynamicName(kind: kind, name: text)
            if dynamics[name] == nil { return ["unknownDynamic"] }
            if isNamed(name) { return ["dynamicInUse"] }
            dynamics[name] = nil
        default: break
        }
        return []
    }

    /// A definition as it counts: unspecified traits are no conditions; an image without a scale is
    /// one of scale 1, and for the same conditions the later replaces the earlier.
    private func registered(_ given: DynamicDefinition) -> DynamicDefinition {
        var definition = given
        definition.variants = []
        for var variant in given.variants {
            variant.when = variant.when.filter {
                traits[$0.key]?.definition.unspecifiedValue != $0.value
            }
            if given.kind == .image {
                variant.when["displayScale"] = variant.when["displayScale"] ?? .double(1)
                let earlier = definition.variants.firstIndex { $0.when == variant.when }
                if let earlier {
                    definition.variants[earlier] = variant
                    continue
                }
            }
            definition.variants.append(variant)
        }
        return definition
    }

    /// What a listener's colours and images were and are, where that differs.
    func dynamicChanges(
        _ listener: Listener, from old: (String, DynamicKind) -> TraitValue,
        to new: (String, DynamicKind) -> TraitValue
    ) -> [String] {
        dynamics(of: listener).compactMap { name in
            guard let dynamic = dynamics[name]?.definition else { return nil }
            let previous = dynamic.variants[dynamic.choose { old($0, name.kind) }]
            let current = dynamic.variants[dynamic.choose { new($0, name.kind) }]
            if previous.meaning == current.meaning { return nil }
            return "\(name.kind.rawValue) \(name.name) \(previous.value)>\(current.value)"
        }
    }

    // MARK: - Devices

    /// Whether an image takes the value from the device.
    func isFromDevice(_ trait: String, _ value: TraitValue) -> Bool {
        ["displayScale", "userInterfaceIdiom"].contains(trait)
            && value == traits[trait]?.definition.defaultValue
    }

    /// The value by which an image is chosen, by what a node of a layout hierarchy shows: that of
    /// its scene, as far as the node has seen it, or of its root when it has no scene.
    func imageValue(
        _ trait: String, at id: String, _ shown: [ShownLevel], _ parents: [String: String]
    ) -> TraitValue {
        let own = read(trait, in: values(of: shown)).value
        if !isFromDevice(trait, own) { return own }
        let kinds = shown.map { isThere($0) ? nodes[$0.node]?.kind : nil }
        let path = [id] + ancestors(of: id, parents)
        var first = shown.count
        if let scene = kinds.firstIndex(of: .windowScene) {
            first = scene
        } else if path.contains(where: { nodes[$0]?.kind == .windowScene }) {
            // Only environments are above a scene, which itself sets nothing.
            while first > 0, kinds[first - 1] == .environment { first -= 1 }
        } else if let top = shown.last, isThere(top), parents[top.node] == nil {
            first = shown.count - 1
        }
        return read(trait, in: values(of: Array(shown[first...]))).value
    }
}

extension Shown {
    /// What a colour or image is chosen by at a node.
    func value(_ trait: String, _ kind: DynamicKind, at id: String) -> TraitValue {
        let own = read(trait, at: id).value
        if kind == .color || !state.isFromDevice(trait, own) { return own }
        if state.updates == .layout {
            return state.imageValue(trait, at: id, state.nodes[id]?.shown ?? [], parents)
        }
        let path = [id] + state.ancestors(of: id, parents)
        let device = path.first { state.nodes[$0]?.kind == .windowScene } ?? path[path.count - 1]
        return read(trait, at: device).value
    }
}
