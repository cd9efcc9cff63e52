// The methods in which reading a trait is enough to hear of its changes: automatic trait tracking,
// as of iOS 18.

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
