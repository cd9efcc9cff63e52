// SwiftUI content in cells and controllers: the configuration, the view that shows the content, and
// a controller for it.

public import Foundation
internal import TraitEngine

/// Shows SwiftUI content in a cell (`UIHostingConfiguration`). The content is a function of the
/// environment at the cell. The function runs again when a value that it read changes.
///
///     cell.contentConfiguration = HostingConfiguration { environment in
///         "theme \(environment.theme)"
///     }
@preconcurrency @MainActor
public struct HostingConfiguration<Content>: ContentConfiguration {
    fileprivate var makeContent: @MainActor (EnvironmentValues) -> Content
    private var modifiers: [@MainActor (inout EnvironmentValues) -> Void] = []

    /// Content as a function of the environment.
    public init(content: @escaping @MainActor (EnvironmentValues) -> Content) {
        makeContent = content
    }

    /// Content that reads the environment with `Environment` wrappers.
    public init(content: @escaping @MainActor () -> Content) {
        makeContent = { _ in content() }
    }

    /// Sets a value of the environment for the content. A bridged key also overrides its trait for
    /// the views inside.
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> HostingConfiguration {
        var copy = self
        copy.modifiers.append { $0[keyPath: keyPath] = value }
        return copy
    }

    /// Makes the view of the content, for a cell.
    public func makeContentView() -> View { makeHostingView() }

    /// Makes the view of the content. Views that are put into it inherit the values that the
    /// modifiers set.
    public func makeHostingView() -> HostingView<Content> { HostingView(modifiers, makeContent) }
}

/// A view that makes its content from the environment, and makes it again whenever a value that the
/// content or its modifiers read has changed. Reads are tracked, so no registration is needed.
public final class HostingView<Content>: View {
    /// The content that the function returned last; nil before the first update.
    public private(set) var content: Content?
    fileprivate var makeContent: @MainActor (EnvironmentValues) -> Content {
        didSet { setNeedsUpdateProperties() }
    }
    private let modifiers: [@MainActor (inout EnvironmentValues) -> Void]
    /// A node between this view and its subviews, with the overrides of the modifiers. Modifiers
    /// read the values that this view inherits, which overrides of the view itself would hide. Nil
    /// when there are no modifiers.
    private let inside: EnvironmentNode?
    /// The view or controller of representable content.
    private var mounted: Mounted?

    init(
        _ modifiers: [@MainActor (inout EnvironmentValues) -> Void],
        _ makeContent: @escaping @MainActor (EnvironmentValues) -> Content
    ) {
        self.modifiers = modifiers
        self.makeContent = makeContent
        inside = modifiers.isEmpty ? nil : EnvironmentNode(.view)
        super.init(frame: .zero)
        inside?.place(below: node)
    }

    /// Nil: a view cannot show content that it was not given.
    public required init?(coder: NSCoder) { nil }

    override var nodeForSubviews: EnvironmentNode { inside ?? super.nodeForSubviews }

    public override func updateProperties() {
        super.updateProperties()
        var environment = EnvironmentValues(traitCollection)
        for modifier in modifiers { modifier(&environment) }
        // A value that is set through a bridged key overrides the trait for the views inside.
        let overrides = TraitOverrides(environment.overrides)
        if let inside, inside.overrides != overrides { inside.overrides = overrides }
        let content = EnvironmentReads.perform(environment, makeContent)
        self.content = content
        mount(content, environment)
    }

    /// Adds the view of representable content as a subview, and updates it.
    private func mount(_ content: Content, _ environment: EnvironmentValues) {
        if let mounted, mounted.update(content, environment) { return }
        mounted?.view.removeFromSuperview()
        mounted = node.hierarchy.perform { Mounted(content, environment) }
        guard let mounted else { return }
        addSubview(mounted.view)
        _ = mounted.update(content, environment)
    }
}

/// A controller whose view shows SwiftUI content (`UIHostingController`). Environment values come
/// from the controller's traits.
open class HostingController<Content>: ViewController {
    private var configuration: HostingConfiguration<Content>

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

    /// A controller for content that reads the environment with `Environment` wrappers.
    public convenience init(rootView: Content) {
        self.init { _ in rootView }
    }

    open override func loadView() { view = configuration.makeHostingView() }

    /// The content. Other content is shown from the next update on.
    open var rootView: Content {
        get { configuration.makeContent(EnvironmentValues(traitCollection)) }
        set {
            configuration.makeContent = { _ in newValue }
            (viewIfLoaded as? HostingView<Content>)?.makeContent = configuration.makeContent
        }
    }

    /// The content that the function returned last; nil before the first update.
    public var content: Content? { (viewIfLoaded as? HostingView<Content>)?.content }
}
