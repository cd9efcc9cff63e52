// Which trait a Swift type stands for. One table for the process: collections are made on any
// thread, and a trait has to mean the same in all of them and in the hierarchy.

internal import Synchronization
internal import TraitEngine

/// All traits that were used so far, by type.
struct TraitTable: Sendable {
    /// One trait.
    struct Entry: Sendable {
        let type: TraitKey
        let index: TraitIndex
        let coding: AnyTraitCoding
    }

    /// The definitions. Only added to, so that indices stay valid.
    private var definitions: TraitDefinitions
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The entry that made the trait, by index; a type that shares it comes later.
    private var owners: [TraitIndex: Entry] = [:]
    /// Traits by declared identifier.
    private var identified: [String: Entry] = [:]

    /// As many as the engine has indices for.
    static var limits: HierarchyLimits {
        var limits = HierarchyLimits()
        limits.customTraitsMax = 4_000
        return limits
    }

    private static let shared = Mutex(TraitTable())

    private init() {
        definitions = TraitDefinitions(limits: Self.limits)
        for entry in SystemTraitTable.entries {
            let entry = Entry(type: entry.type, index: entry.index, coding: entry.coding)
            entries[ObjectIdentifier(entry.type)] = entry
            owners[entry.index] = entry
            if let identifier = definitions.definition(at: entry.index)?.identifier {
                identified[identifier] = entry
            }
        }
    }

    // MARK: - Asking

    /// All definitions so far, the system's included. O(1).
    static var definitions: TraitDefinitions { shared.withLock { $0.definitions } }

    /// The trait that a type stands for, defined now if it is new. O(1).
    static func entry(of trait: TraitKey) -> Entry {
        if let known = shared.withLock({ $0.entries[ObjectIdentifier(trait)] }) { return known }
        return define(trait)
    }

    /// The index of a trait and the coding of its values. Traps when the type of the values changed. O(1).
    static func entry<Definition: TraitDefinition>(
        of trait: Definition.Type
    ) -> (index: TraitIndex, coding: TraitCoding<Definition.Value>) {
        let entry = entry(of: trait as TraitKey)
        guard let coding = entry.coding as? TraitCoding<Definition.Value> else {
            misuse("\(trait) changed the type of its values")
        }
        return (entry.index, coding)
    }

    static func traits(_ types: [TraitKey]) -> TraitSet {
        TraitSet(types.map { entry(of: $0).index })
    }

    /// The types of a set of traits, in the order of their definition.
    static func types(_ traits: TraitSet) -> [TraitKey] {
        shared.withLock { table in traits.compactMap { table.owners[$0]?.type } }
    }

    static func entry(at index: TraitIndex) -> Entry? { shared.withLock { $0.owners[index] } }

    /// The trait that declares the identifier.
    static func entry(identifiedBy identifier: String) -> Entry? {
        shared.withLock { $0.identified[identifier] }
    }

    /// The engine's definition of a type that stands for a system trait.
    static func systemDefinition(of trait: TraitKey) -> TraitEngine.TraitDefinition? {
        shared.withLock { table in
            guard let entry = table.entries[ObjectIdentifier(trait)],
                Int(entry.index.rawValue) < TraitDefinitions.customStart
            else { return nil }
            return table.definitions.definition(at: entry.index)
        }
    }

    // MARK: - Defining

    /// The members of a trait's type, read without the lock, since they may use other traits.
    private struct Draft {
        let type: TraitKey
        let coding: AnyTraitCoding
        let identifier: String?
        let name: String
        let defaultValue: TraitValue
        let affectsColorAppearance: Bool

        init<Definition: TraitDefinition>(_ type: Definition.Type) {
            let coding = TraitCoding<Definition.Value>.custom()
            self.type = type
            self.coding = coding
            identifier = type.declaredIdentifier
            name = type.name
            defaultValue = coding.encode(type.defaultValue)
            affectsColorAppearance = type.affectsColorAppearance
        }
    }

    private enum Refusal: Error {
        case operation(OperationError)
        /// Another trait has the identifier, and differs in type, default or flag.
        case identifierTaken(String, by: TraitKey)
    }

    private static func define(_ trait: TraitKey) -> Entry {
        let draft = Draft(trait)
        let outcome = shared.withLock { table -> Result<Entry, Refusal> in
            do throws(Refusal) {
                return .success(try table.define(draft))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let entry): return entry
        case .failure(.operation(let error)): misuse("\(trait) is no trait: \(error)")
        case .failure(.identifierTaken(let identifier, let other)):
            misuse(
                "\(trait) and \(other) both declare the identifier \"\(identifier)\", but differ in "
                    + "type, default or affectsColorAppearance. Give one of them another identifier."
            )
        }
    }

    private mutating func define(_ draft: Draft) throws(Refusal) -> Entry {
        let key = ObjectIdentifier(draft.type)
        if let known = entries[key] { return known }
        if let identifier = draft.identifier, let other = identified[identifier] {
            guard isSame(other, draft) else {
                throw .identifierTaken(identifier, by: other.type)
            }
            let entry = Entry(type: draft.type, index: other.index, coding: other.coding)
            entries[key] = entry
            return entry
        }
        let definition = TraitEngine.TraitDefinition(
            key: "custom-\(definitions.custom.count)",
            name: Self.truncated(draft.name), type: draft.coding.type,
            isNullable: draft.coding.isNullable, defaultValue: draft.defaultValue,
            affectsColorAppearance: draft.affectsColorAppearance)
        let index: TraitIndex
        do throws(OperationError) {
            index = try definitions.define(definition)
        } catch {
            throw .operation(error)
        }
        let entry = Entry(type: draft.type, index: index, coding: draft.coding)
        entries[key] = entry
        owners[index] = entry
        if let identifier = draft.identifier { identified[identifier] = entry }
        return entry
    }

    /// Whether a trait is the same in everything that counts: type, default and flag. Sharing data
    /// would not be safe otherwise.
    private func isSame(_ entry: Entry, _ draft: Draft) -> Bool {
        guard let definition = definitions.definition(at: entry.index), !definition.isSystem
        else { return false }
        return Swift.type(of: entry.coding) == Swift.type(of: draft.coding)
            && definition.defaultValue == draft.defaultValue
            && definition.affectsColorAppearance == draft.affectsColorAppearance
    }

    /// Names are for people, and bounded in the engine.
    private static func truncated(_ name: String) -> String {
        var name = name
        while name.utf8.count > limits.labelBytesMax { name = String(name.prefix(name.count / 2)) }
        return name
    }
}
