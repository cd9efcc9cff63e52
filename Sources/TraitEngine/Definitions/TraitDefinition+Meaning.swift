// When two definitions mean the same. Cases and fields are found by name, so their order says
// nothing; the definition that came first keeps its order.

extension TraitDefinition {
    /// Whether both define the same trait in the same way, in any order of cases or fields. Names
    /// are compared as bytes. O(n log n) for n cases or fields.
    func isSame(as other: TraitDefinition) -> Bool {
        Self.isSameUTF8(key, other.key) && isSameIdentifier(as: other)
            && Self.isSameUTF8(name, other.name) && isNullable == other.isNullable
            && affectsColorAppearance == other.affectsColorAppearance && origin == other.origin
            && type.isSame(as: other.type)
            && other.type.rearranged(other.defaultValue, for: type) == defaultValue
    }

    private func isSameIdentifier(as other: TraitDefinition) -> Bool {
        switch (identifier, other.identifier) {
        case (nil, nil): true
        case (let mine?, let its?): Self.isSameUTF8(mine, its)
        default: false
        }
    }
}

extension TraitType {
    func isSame(as other: TraitType) -> Bool {
        switch (self, other) {
        case (.enumeration(let cases), .enumeration(let others)):
            Self.sorted(cases, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitDefinition.isSameUTF8($0.name, $1.name) && $0.raw == $1.raw
            }
        case (.stringEnumeration(let cases), .stringEnumeration(let others)):
            Self.sorted(cases, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitDefinition.isSameUTF8($0.name, $1.name)
                    && TraitDefinition.isSameUTF8($0.raw, $1.raw)
            }
        case (.structure(let fields), .structure(let others)):
            Self.sorted(fields, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitDefinition.isSameUTF8($0.name, $1.name) && $0.type == $1.type
            }
        default: self == other
        }
    }

    /// A value of this type with its fields in the other type's order, when both have the same
    /// fields; any other value as it is. O(fields²).
    func rearranged(_ value: TraitValue, for other: TraitType) -> TraitValue {
        guard case .structure(let fields) = self, case .structure(let others) = other,
            case .structure(let values) = value, values.count == fields.count, isSame(as: other)
        else { return value }
        return .structure(
            others.compactMap { field in
                fields.firstIndex { TraitDefinition.isSameUTF8($0.name, field.name) }
                    .map { values[$0] }
            })
    }

    /// By the bytes of their names.
    private static func sorted<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
        items.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
    }
}
