// SwiftUI content as a view controller.

public import Foundation

/// A controller whose view shows SwiftUI content (`UIHostingController`). Environment values come
/// from the controller's traits.
open class HostingController<Content>: ViewController {
    private let configuration: HostingConfiguration<Content>

    /// A controller for content with modifiers.
    public init(configuration: HostingConfiguration<Content>) {
        self.configuration = configuration
        super.init(nibName: nil, bundle: nil)
    }

    /// Nil: a controller cannot show content that it was not given.
    public required init?(coder: NSCoder) { nil }

    /// A controller for content as a function of the environment.
    public convenience init(content: @escaping @MainActor (EnvironmentValues) -> Content) {
        self.init(configuration: HostingConfiguration(content: content))
    }

    open override func loadView() { view = configuration.makeHostingView() }

    /// The content that the function returned last; nil before the first update.
    public var content: Content? { (viewIfLoaded as? HostingView<Content>)?.content }
}
