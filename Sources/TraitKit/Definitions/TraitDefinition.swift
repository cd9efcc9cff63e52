// The protocol that makes a Swift type a trait. The type itself is the key of the trait's values.

/// A trait: a piece of data that flows down the trait hierarchy (`UITraitDefinition`).
///
/// Declare a type with a `defaultValue`; everything else has a default. All members have to be
/// constant for the life of the process, as the trait is defined once, on first use.
///
///     struct ContainedInSettingsTrait: TraitDefinition {
///         static let defaultValue = false
///     }
///
/// Values are best simple: `Bool`, `Int`, an enumeration or a small structure, since every update
/// compares old and new. A value that differs from itself (NaN) would count as changed for ever
/// and is refused. Objects that are not `Equatable` are compared by identity. Other values that are
/// not `Equatable` count as changed with every write.
///
/// As in UIKit the type of the values need not be `Sendable`. Collections may be used on any
/// thread, so a value that is not must be safe to read there.
public protocol TraitDefinition: SendableMetatype {
    /// The type of the trait's values.
    associatedtype Value

    /// The value that an environment reads when no value is set above it.
    static var defaultValue: Value { get }

    /// Whether a change makes views draw again, so that dynamic colours are resolved again. False
    /// when not declared. Drawing is costly: declare it for traits that change rarely.
    static var affectsColorAppearance: Bool { get }

    /// For printing and debugging. The type's name when not declared.
    static var name: String { get }

    /// A globally unique name in reverse-DNS style. Declaring one makes the trait part of
    /// archives. Two types that declare the same one, with the same type, default and flag, denote
    /// the same data; when they differ in these, the first use of the second type stops the
    /// program.
    static var identifier: String { get }
}

/// A trait as a key: `TraitUserInterfaceStyle.self` (`UITrait`).
public typealias TraitKey = any TraitDefinition.Type

extension TraitDefinition {
    /// False for a custom trait; for a system trait the flag of its definition.
    public static var affectsColorAppearance: Bool {
        TraitTable.systemDefinition(of: Self.self)?.affectsColorAppearance ?? false
    }

    /// The name of the type; for a system trait without the prefix.
    public static var name: String {
        TraitTable.systemDefinition(of: Self.self)?.name ?? String(describing: Self.self)
    }

    /// A name that is not written to archives; a system trait has UIKit's identifier.
    public static var identifier: String {
        TraitTable.systemDefinition(of: Self.self)?.identifier ?? undeclaredIdentifier
    }

    /// The placeholder for an identifier that is not declared; never archived.
    static var undeclaredIdentifier: String { "undeclared:" + String(reflecting: Self.self) }

    /// Nil when the type declares none.
    static var declaredIdentifier: String? {
        let identifier = identifier
        return identifier == undeclaredIdentifier ? nil : identifier
    }
}
