// The definitions of one hierarchy and the one place that turns a trait's name into its index.

/// A definition behind a reference: a copy of the definition itself takes a dozen counts of
/// references.
package final class StoredDefinition: Sendable {
    package let definition: TraitDefinition

    init(_ definition: TraitDefinition) { self.definition = definition }
}

/// All definitions of one hierarchy: UIKit's, the private members of its sets, custom ones.
///
/// A value: the undo log stores copies (copying is O(1) until one of the copies changes). Names are
/// keys or identifiers, compared as bytes. All hierarchies share UIKit's definitions.
public struct TraitDefinitions: Sendable {
    /// One reference: each commit has a copy.
    private var box: Box

    struct Contents: Sendable {
        /// Custom traits from `customStart` on; nil where one was deleted.
        var entries: [StoredDefinition?] = []
        var names: NameTable
        /// Traits whose values lie in the pool whatever their type, as they were redefined.
        var converted = TraitSet()
        /// Indices of deleted traits that nothing may take yet; see `recycleRemoved()`.
        var retired = TraitSet()
        var settable: TraitSet
        var custom = TraitSet()
        /// The holders of environment values, neither settable nor custom.
        var hidden = TraitSet()
        /// Custom traits in the order of their definition.
        var order: [TraitIndex] = []
        /// Whether that is the order of their indices, too.
        var isInOrder = true
        /// Positions in the catalogue by index, see `catalogueRank(of:)`; empty while indices are.
        var ranks: [UInt16] = []
        var named = NamedDefinitions()
        var affectingColorAppearance: TraitSet
        var limits: HierarchyLimits
        let indexMax: Int
        let hasSystemTraits: Bool

        /// The catalogue: UIKit's traits, the custom ones as they were defined, the holders of
        /// environment values as their keys were.
        mutating func rank() {
            isInOrder = zip(order, order.dropFirst()).allSatisfy { $0 < $1 }
            ranks = []
            if isInOrder, hidden.isEmpty { return }
            ranks = Array(repeating: .max, count: customStart + entries.count)
            for index in 0..<customStart { ranks[index] = UInt16(truncatingIfNeeded: index) }
            var next = UInt16(truncatingIfNeeded: customStart)
            let holders = named.environmentKeys.values.lazy.map(\.trait).filter(hidden.contains)
            for trait in order + holders {
                ranks[Int(trait.rawValue)] = next
                next += 1
            }
        }
    }

    /// Unchecked: only `mutate` writes, and only to a box with one reference.
    private final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var contents: Contents
        let system = UIKitDefinitions.shared

        init(_ contents: Contents) { self.contents = contents }
    }

    var storage: Contents {
        @inline(__always) _read { yield box.contents }
    }

    mutating func mutate(_ change: (inout Contents) -> Void) {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.contents) }
        change(&box.contents)
    }

    /// The traits that can be set and observed: the system's public ones and the custom ones.
    public var settable: TraitSet { storage.settable }
    /// Custom traits only; `customInOrder` has them in the order of their definition.
    public var custom: TraitSet { storage.custom }
    var hidden: TraitSet { storage.hidden }
    /// Traits whose words are positions in the pool, whatever their type.
    package var converted: TraitSet { storage.converted }
    /// Environment keys, colours and images.
    var named: NamedDefinitions { storage.named }
    mutating func changeNamed(_ change: (inout NamedDefinitions) -> Void) {
        mutate {
            change(&$0.named)
            if !$0.hidden.isEmpty || !$0.ranks.isEmpty { $0.rank() }
        }
    }
    /// The settable traits whose flag says so, custom ones included.
    public var affectingColorAppearance: TraitSet { storage.affectingColorAppearance }

    // Numbers rather than what is counted: every lookup of a name compares with them. A test
    // counts.
    /// UIKit's public traits, `SystemTraits.definitions`.
    public static let systemCount = 22
    /// UIKit's private traits, `SystemTraits.privateDefinitions`.
    public static let privateCount = 4
    /// The first index a custom trait can have.
    public static let customStart = systemCount + privateCount
    /// Custom traits get rising indices until so many were used; then gaps are filled. Keeps sets
    /// short however often traits come and go. So many traits there can be.
    static let indexMax = 4_096
    /// Beyond `indexMax` only while the indices of deleted traits cannot be used again: what a
    /// record's mask can span.
    static let indexEndMax = Int(UInt8.max) * 64

    /// - Parameter hashSeed: keys the hashes of names, which come from outside.
    public init(limits: HierarchyLimits = .init(), hashSeed: UInt64 = 0) {
        self.init(limits: limits, hashSeed: hashSeed, indexMax: Self.indexMax)
    }

    /// - Parameters:
    ///   - indexMax: a smaller one lets few definitions fill gaps.
    ///   - hasSystemTraits: whether UIKit's traits can be found and set. Their names are taken all the same.
    package init(
        limits: HierarchyLimits, hashSeed: UInt64, indexMax: Int, hasSystemTraits: Bool = true
    ) {
        let system = TraitSet(word: 1 << UInt64(Self.systemCount) - 1)
        box = Box(
            Contents(
                names: NameTable(seed: hashSeed), settable: hasSystemTraits ? system : TraitSet(),
                affectingColorAppearance: hasSystemTraits
                    ? UIKitDefinitions.shared.affectingColorAppearance : TraitSet(),
                limits: limits, indexMax: min(max(indexMax, Self.customStart), Self.indexMax),
                hasSystemTraits: hasSystemTraits))
    }

    mutating func setLimits(_ limits: HierarchyLimits) { mutate { $0.limits = limits } }

    /// The system's definitions alone.
    public static let system = TraitDefinitions()

    // MARK: - Looking up

    /// The definition at an index that is in use.
    public subscript(trait: TraitIndex) -> TraitDefinition {
        stored(trait).definition
    }

    /// The definition at an index that is in use, by reference: without copying it.
    package func stored(_ trait: TraitIndex) -> StoredDefinition {
        guard let stored = entry(at: trait) else {
            preconditionFailure("trait \(trait) is not defined here")
        }
        return stored
    }

    /// Nil for an index that is not in use. O(1).
    public func definition(at trait: TraitIndex) -> TraitDefinition? {
        entry(at: trait)?.definition
    }

    private func entry(at trait: TraitIndex) -> StoredDefinition? {
        let position = Int(trait.rawValue) - Self.customStart
        if position < 0 { return box.system.entries[Int(trait.rawValue)] }
        return position < storage.entries.count ? storage.entries[position] : nil
    }

    /// The trait with that key or identifier, unless it is a private one of the printed lists.
    package func publicIndex(of name: UnsafeRawBufferPointer) -> TraitIndex? {
        guard let trait = index(of: name) else { return nil }
        let position = Int(trait.rawValue)
        return position >= Self.systemCount && position < Self.customStart ? nil : trait
    }

    /// One more than the largest index in use.
    public var indexEnd: Int { Self.customStart + storage.entries.count }

    /// The trait with that key (or alias of a key) or identifier, private ones included.
    /// O(length of the name), without making a String.
    public func index(of name: UnsafeRawBufferPointer) -> TraitIndex? {
        present(target(of: name))
    }

    /// Nil for one of UIKit's traits where there are none.
    @inline(__always)
    private func present(_ target: Int32?) -> TraitIndex? {
        guard let trait = Self.trait(target) else { return nil }
        return trait.rawValue >= Self.customStart || storage.hasSystemTraits ? trait : nil
    }

    /// The trait with that key (or alias of a key) or identifier, private ones included. O(length of the name).
    public func index(of name: String) -> TraitIndex? {
        present(target(of: name))
    }

    /// A named set, evaluated now: `affectingColorAppearance` and `all` grow with the custom
    /// traits. O(length of the name).
    public func set(named name: UnsafeRawBufferPointer) -> TraitSet? {
        Self.setName(target(of: name)).flatMap { has($0) ? set($0) : nil }
    }

    /// A named set, evaluated now, as the overload with bytes does it. O(length of the name).
    public func set(named name: String) -> TraitSet? {
        Self.setName(target(of: name)).flatMap { has($0) ? set($0) : nil }
    }

    private func target(of name: UnsafeRawBufferPointer) -> Int32? {
        box.system.names.target(of: name) ?? storage.names.target(of: name)
    }

    private func target(of name: String) -> Int32? {
        var name = name
        return name.withUTF8 { target(of: UnsafeRawBufferPointer($0)) }
    }

    /// The target of a name is a trait's index, or the complement of a set's position.
    private static func trait(_ target: Int32?) -> TraitIndex? {
        guard let target, target >= 0 else { return nil }
        return TraitIndex(rawValue: UInt16(truncatingIfNeeded: target))
    }

    private static func setName(_ target: Int32?) -> TraitSetName? {
        guard let target, target < 0 else { return nil }
        return TraitSetName.allCases[Int(~target)]
    }

    // MARK: - Defining and deleting

    /// Adds a custom trait. The same definition again, in any order of cases or fields, changes
    /// nothing and gives the same index.
    ///
    /// UIKit's members are constant for the life of a process, so a different definition of
    /// a key is refused. O(length of its names and cases); O(custom traits) when copies of these
    /// definitions are held, which then keep the old ones.
    ///
    /// - Throws: `invalidDefinition`, `duplicateIdentifier`, `systemTrait`, `traitImmutable`,
    ///   `limit`.
    public mutating func define(
        _ definition: TraitDefinition
    ) throws(OperationError) -> TraitIndex {
        if let known = try existing(definition) { return known }
        try definition.checkWellFormed(storage.limits)
        if let identifier = definition.identifier {
            if identifier == definition.key {
                throw .duplicateIdentifier(identifier, takenBy: "trait \(definition.key)")
            }
            if let target = target(of: identifier) {
                throw .duplicateIdentifier(identifier, takenBy: describe(target))
            }
        }
        if custom.count >= storage.limits.customTraitsMax {
            throw .limit(name: "customTraitsMax", value: storage.limits.customTraitsMax)
        }
        let trait = try insert(definition)
        mutate { storage in
            storage.settable.insert(trait)
            storage.custom.insert(trait)
            let isLast = storage.order.last.map { $0 < trait } ?? true
            storage.order.append(trait)
            if !isLast || !storage.ranks.isEmpty { storage.rank() }
            if definition.affectsColorAppearance {
                storage.affectingColorAppearance.insert(trait)
            }
            storage.names.insert(definition, trait)
        }
        return trait
    }

    /// Adds the holder of an environment key's values: without a name, in no set.
    mutating func defineHidden(
        _ definition: TraitDefinition
    ) throws(OperationError) -> TraitIndex {
        let trait = try insert(definition)
        mutate { $0.hidden.insert(trait) }
        return trait
    }

    private mutating func insert(
        _ definition: TraitDefinition
    ) throws(OperationError) -> TraitIndex {
        // Whether the indices of deleted traits are free by now must not make a difference.
        let count = storage.custom.count + storage.hidden.count
        guard count < storage.indexMax - Self.customStart, let position = freePosition() else {
            throw .limit(name: "customTraitsMax", value: storage.indexMax)
        }
        mutate { storage in
            if position == storage.entries.count { storage.entries.append(nil) }
            storage.entries[position] = StoredDefinition(definition)
        }
        return TraitIndex(rawValue: UInt16(Self.customStart + position))
    }

    /// The index of the same definition, nil when the key is free.
    private func existing(_ definition: TraitDefinition) throws(OperationError) -> TraitIndex? {
        guard let target = target(of: definition.key) else { return nil }
        guard let trait = Self.trait(target) else {
            throw .duplicateIdentifier(definition.key, takenBy: describe(target))
        }
        let known = self[trait]
        if known.isSystem { throw .systemTrait(definition.key) }
        if known.isSame(as: definition) { return trait }
        if known.key == definition.key { throw .traitImmutable(definition.key) }
        throw .duplicateIdentifier(definition.key, takenBy: describe(target))
    }

    /// The kind of definition that has a name, in the words of a refusal; nil for a name that is free.
    func holder(of name: String) -> String? { target(of: name).map(describe) }

    private func describe(_ target: Int32) -> String {
        if let set = Self.setName(target) { return "set \(set.rawValue)" }
        return Self.trait(target).map { "trait \(self[$0].key)" } ?? ""
    }

    /// The next position behind all others; a gap only when the indices are used up; one beyond
    /// them when those of deleted traits may still be needed. Nil when all there can be are.
    private func freePosition() -> Int? {
        let entries = storage.entries
        if indexEnd < storage.indexMax { return entries.count }
        let gap = entries.indices.first {
            entries[$0] == nil
                && !storage.retired.contains(TraitIndex(rawValue: UInt16(Self.customStart + $0)))
        }
        return gap ?? (indexEnd < Self.indexEndMax ? entries.count : nil)
    }

    /// Deletes a custom trait. The caller checks that nothing refers to it.
    ///
    /// Its index stays unused until `recycleRemoved()`: what was set before the deletion can
    /// so never be taken for a value of another trait. O(custom traits), a few nanoseconds each.
    ///
    /// - Throws: `systemTrait`.
    public mutating func remove(_ trait: TraitIndex) throws(OperationError) {
        let definition = self[trait]
        if definition.isSystem { throw .systemTrait(definition.key) }
        mutate { storage in
            let wasCustom = storage.custom.contains(trait)
            storage.settable.remove(trait)
            storage.custom.remove(trait)
            storage.hidden.remove(trait)
            storage.converted.remove(trait)
            storage.affectingColorAppearance.remove(trait)
            storage.retired.insert(trait)
            storage.entries[Int(trait.rawValue) - Self.customStart] = nil
            storage.order.removeAll { $0 == trait }
            if !storage.ranks.isEmpty { storage.rank() }
            // The holder of an environment key's values has no name here.
            if wasCustom { storage.names.remove(definition) }
        }
    }

    /// Replaces the definition of a custom trait by another of the same key and identifier. O(1); O(custom traits)
    /// when copies of these definitions are held.
    mutating func redefine(
        _ trait: TraitIndex, as definition: TraitDefinition, isConverted: Bool
    ) {
        mutate { storage in
            storage.entries[Int(trait.rawValue) - Self.customStart] = StoredDefinition(definition)
            if isConverted { storage.converted.insert(trait) }
            if definition.affectsColorAppearance {
                storage.affectingColorAppearance.insert(trait)
            } else {
                storage.affectingColorAppearance.remove(trait)
            }
        }
    }

    /// Frees the indices of deleted traits. To be called when no deletion can be undone any more
    /// and no structure has values of deleted traits. O(1) when there are none.
    public mutating func recycleRemoved() { _ = recycleRemoved(except: TraitSet()) }

    /// Frees the indices except those of `remembered`, whose values are still held. Answers whether such are left.
    mutating func recycleRemoved(except remembered: TraitSet) -> Bool {
        if storage.retired.isEmpty { return false }
        let left = storage.retired.intersection(remembered)
        if left == storage.retired { return true }
        mutate { storage in
            storage.retired = left
            while case .some(nil) = storage.entries.last,
                !left.contains(
                    TraitIndex(rawValue: UInt16(Self.customStart + storage.entries.count - 1)))
            {
                storage.entries.removeLast()
            }
        }
        return !left.isEmpty
    }

    // MARK: - Validating

    /// Refuses a value that is not the trait's, a string that is too long, and any value of
    /// a private trait. O(cases) for enumerations, else O(size of the value).
    public func validate(
        _ value: TraitValue, for trait: TraitIndex
    ) throws(OperationError) {
        // Not copied: a definition has a dozen references.
        let stored = stored(trait)
        if stored.definition.origin == .systemPrivate {
            throw .privateTrait(stored.definition.key)
        }
        guard stored.definition.accepts(value) else {
            throw .typeMismatch(
                trait: stored.definition.key, expected: stored.definition.expectation)
        }
        try storage.limits.checkStrings(in: value)
    }
}
