// Values to words and back.

extension Hierarchy {
    /// Whether the word is the value that stands for "not specified"; never for a custom trait. O(1).
    package func isUnset(_ word: UInt64, of trait: TraitIndex) -> Bool {
        trait.rawValue < TraitDefinitions.customStart
            && parts.traits[trait.rawValue].defaultWord == word
    }

    /// The value that a word of this trait stands for. O(1).
    public func value(from word: UInt64, of trait: TraitIndex) -> TraitValue {
        switch parts.traits[trait.rawValue].coding {
        case .bool: .bool(word != 0)
        case .nullableBool: word == 2 ? .null : .bool(word != 0)
        case .integer: .int(Int64(bitPattern: word))
        case .double: .double(Double(bitPattern: word))
        case .nullableDouble:
            word == Self.nullDouble ? .null : .double(Double(bitPattern: word))
        case .pooled: parts.pool[word]
        }
    }

    /// No value of a double: NaN is refused.
    private static let nullDouble = Double.nan.bitPattern

    /// Refuses a value that is not one of the trait's. O(cases).
    func check(_ value: TraitValue, _ trait: TraitIndex) throws(OperationError) {
        if case .int(let raw) = value, 0..<64 ~= raw,
            parts.traits[trait.rawValue].cases &>> UInt64(raw) & 1 != 0
        {
            return
        }
        try definitions.validate(value, for: trait)
    }

    /// The word of a valid value. A word of the pool comes with a reference.
    func encode(_ value: TraitValue, _ coding: ValueCoding) -> UInt64 {
        coding == .pooled
            ? parts.pool.retain(Self.normalized(value)) : Self.plainWord(value, coding)
    }

    /// The word of a valid value of a pooled trait if it exists already; takes no reference.
    func knownWord(_ value: TraitValue) -> UInt64? {
        parts.pool.word(of: Self.normalized(value))
    }

    /// The word of a valid value that needs no pool.
    static func plainWord(_ value: TraitValue, _ coding: ValueCoding) -> UInt64 {
        switch value {
        case .bool(let flag): flag ? 1 : 0
        case .int(let number): UInt64(bitPattern: number)
        case .double(let number): (number == 0 ? 0 : number).bitPattern
        case .null: coding == .nullableDouble ? nullDouble : 2
        case .string, .structure, .json, .opaque: 0
        }
    }

    /// Zeroes lose their sign, so that equal values are equal words.
    static func normalized(_ value: TraitValue) -> TraitValue {
        switch value {
        case .double(let number): .double(number == 0 ? 0 : number)
        case .structure(let fields): .structure(fields.map(normalized))
        default: value
        }
    }

    /// How values of this definition become words.
    static func coding(of definition: TraitDefinition) -> ValueCoding {
        switch (definition.type, definition.isNullable) {
        case (.bool, false): .bool
        case (.bool, true): .nullableBool
        case (.int, false), (.enumeration, false): .integer
        case (.double, false): .double
        case (.double, true): .nullableDouble
        default: .pooled
        }
    }

    /// Gives every definition without a slot one, with a reference to its default.
    func addTraitSlots() {
        while parts.traits.indices.count < definitions.indexEnd {
            let trait = TraitIndex(rawValue: parts.traits.indices.upperBound)
            parts.traits.append()
            setTraitSlot(trait)
        }
    }

    /// - Parameter former: the slot of the trait's former definition, whose counts stay.
    func setTraitSlot(_ trait: TraitIndex, keepingCountsOf former: TraitSlot? = nil) {
        guard let definition = definitions.definition(at: trait) else { return }
        let hashed = Self.coding(of: definition)
        var coding = hashed
        if definition.origin == .systemPrivate || definitions.converted.contains(trait) {
            coding = .pooled
        }
        let word = encode(definition.defaultValue, coding)
        var cases: UInt64 = 0
        if case .enumeration(let all) = definition.type {
            for next in all where 0..<64 ~= next.raw { cases |= 1 &<< UInt64(next.raw) }
        }
        // Holders of environment values have keys of their own.
        let domain: FactHash.Domain =
            definition.origin == .environment ? .environmentTrait : .trait
        let new = TraitSlot(cases: cases, defaultWord: word, coding: coding, hashed: hashed)
        if former != nil { return parts.traits.redefine(trait.rawValue, as: new) }
        parts.traits.set(
            trait.rawValue, new,
            hash: FactHash.mix(FactHash.start(domain), FactHash.hash(definition.key)))
    }

    func releaseTraitSlot(_ trait: TraitIndex) {
        let slot = parts.traits[trait.rawValue]
        if slot.coding == .pooled { parts.pool.release(slot.defaultWord) }
    }
}
