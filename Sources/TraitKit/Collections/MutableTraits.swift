// What a collection under construction and an environment's overrides have in common: apps extend
// this protocol to give their traits a name.

/// A mutable container of traits (`UIMutableTraits`).
///
///     extension MutableTraits {
///         var theme: Theme {
///             get { self[ThemeTrait.self] }
///             set { self[ThemeTrait.self] = newValue }
///         }
///     }
public protocol MutableTraits {
    /// A trait's value. What reading an unset trait does is the container's to say: a collection
    /// under construction answers the default, for overrides it is an error.
    subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value { get set }
}
