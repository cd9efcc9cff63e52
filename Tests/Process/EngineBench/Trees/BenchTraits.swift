// The traits of every measured hierarchy: UIKit's 22 and 20 custom ones of each type.

import TraitEngine

struct BenchTraits {
    /// All 42, by index.
    let all: [TraitIndex]
    let set: TraitSet
    /// For each of `all` at least two values; the first is the default.
    let values: [[TraitValue]]
    /// The custom trait that the measured commits set, and its position in `all`.
    let theme: TraitIndex
    let themePosition: Int

    /// Defines the custom traits in the open transaction.
    init(in hierarchy: Hierarchy) throws(OperationError) {
        for number in 0..<20 { _ = try hierarchy.defineTrait(Self.custom(number)) }
        set = hierarchy.definitions.settable
        all = Array(set)
        let definitions = hierarchy.definitions
        values = all.map { Self.values(of: definitions[$0]) }
        guard let theme = definitions.index(of: "custom0"),
            let position = all.firstIndex(of: theme)
        else { preconditionFailure("the traits just defined are not there") }
        self.theme = theme
        themePosition = position
    }

    private static func custom(_ number: Int) -> TraitDefinition {
        let key = "custom\(number)"
        switch number % 4 {
        case 0:
            let cases = (0..<4).map { EnumCase("case\($0)", Int64($0)) }
            return TraitDefinition(key: key, type: .enumeration(cases), defaultValue: .int(0))
        case 1: return TraitDefinition(key: key, type: .int, defaultValue: .int(0))
        case 2: return TraitDefinition(key: key, type: .double, defaultValue: .double(0))
        default: return TraitDefinition(key: key, type: .bool, defaultValue: .bool(false))
        }
    }

    /// Up to four values, the default first.
    private static func values(of definition: TraitDefinition) -> [TraitValue] {
        let all: [TraitValue] =
            switch definition.type {
            case .bool: [.bool(false), .bool(true)]
            case .int: (0..<4).map { .int($0) }
            case .double: [.double(0), .double(1), .double(2), .double(3)]
            case .string: [.string("en"), .string("de"), .string("ar")]
            case .enumeration(let cases): cases.map { .int($0.raw) }
            case .stringEnumeration(let cases): cases.map { .string($0.raw) }
            default: []
            }
        let others = all.filter { $0 != definition.defaultValue }
        return [definition.defaultValue] + others.prefix(3)
    }
}
