// The errors of operations on traits. The codes are those of the service.

internal import TraitEngine

/// Why an operation on traits was refused.
///
/// UIKit raises an exception in these cases. Here UIKit's method stops the program with the
/// description of the error, and a variant of it throws.
public enum TraitError: Error, Hashable, Sendable {
    /// An override was read that is not set.
    case noOverride(trait: String)
    /// The trait does not take the value: one that differs from itself, a scale that is not
    /// finite, or an unknown content size category.
    case refusedValue(trait: String, expected: String)
    /// A registration names no trait.
    case emptyTraitList
    /// A private member of a system set was set, or registered for by itself.
    case privateTrait(String)
    /// A view or controller would become its own ancestor.
    case cycle
    /// An object stands where its kind cannot, another limit of the hierarchy was reached, or the table of devices
    /// does not have a name.
    case refused(String)

    /// The name of the error, as the service spells it.
    public var code: String {
        switch self {
        case .noOverride: "no-override"
        case .refusedValue: "type-mismatch"
        case .emptyTraitList: "empty-trait-list"
        case .privateTrait: "private-trait"
        case .cycle: "cycle"
        case .refused: "refused"
        }
    }
}

extension TraitError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noOverride(let trait):
            "there is no override of \(trait); ask contains(_:) before reading one"
        case .refusedValue(let trait, let expected): "\(trait) takes \(expected)"
        case .emptyTraitList: "a registration has to name at least one trait"
        case .privateTrait(let trait):
            "\(trait) is private: it can be neither set nor observed by itself"
        case .cycle: "an environment cannot be its own ancestor"
        case .refused(let reason): reason
        }
    }
}

extension TraitError {
    init(_ error: OperationError) {
        self =
            switch error {
            case .typeMismatch(let trait, let expected):
                .refusedValue(trait: trait, expected: expected)
            case .emptyTraitList: .emptyTraitList
            case .privateTrait(let trait): .privateTrait(trait)
            case .cycle: .cycle
            case .limit(let name, let value): .refused("the limit \(name) is \(value)")
            case .parentKind(let child, let parent):
                .refused("a \(child.name) cannot stand in a \(parent.name)")
            default: .refused("\(error)")
            }
    }
}
