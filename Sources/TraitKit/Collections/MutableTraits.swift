// The protocol of collections under construction and of an environment's overrides. Apps extend it
// with a property for each of their traits.

/// A mutable container of traits (`UIMutableTraits`).
///
///     extension MutableTraits {
///         var theme: Theme {
///             get { self[ThemeTrait.self] }
///             set { self[ThemeTrait.self] = newValue }
///         }
///     }
public protocol MutableTraits {
    /// The value of a trait. Reading a trait that is not set returns the default in a collection
    /// under construction, and is an error in overrides.
    subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value { get set }
}
