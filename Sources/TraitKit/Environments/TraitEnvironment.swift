// The protocol of all objects that have traits.

/// An object in the trait hierarchy (`UITraitEnvironment`): a window scene, window, presentation
/// controller, view controller or view.
@MainActor
public protocol TraitEnvironment: AnyObject {
    /// The environment's traits, as of its last update.
    var traitCollection: TraitCollection { get }

    /// Called when any trait of the environment has changed. Deprecated since iOS 17: register for
    /// the traits that matter instead.
    func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?)
}
