// The methods with automatic trait tracking (iOS 18): they run again when a trait that they read
// changes.

/// A method whose reads of its object's own traits are recorded. Raw values are the engine's names
/// of scopes.
enum TrackedMethod: String, Sendable {
    case layoutSubviews
    case updateConstraints
    case draw
    case updateProperties
    case viewWillLayoutSubviews
    case viewDidLayoutSubviews
    case updateViewConstraints
    case updateContentUnavailableConfiguration
    case containerViewWillLayoutSubviews
    case containerViewDidLayoutSubviews
    /// Buttons and cells; their update handlers belong to it.
    case updateConfiguration
    /// A compositional layout's section provider.
    case sectionProvider
}
