// The view in which SwiftUI content stands.

internal import TraitEngine

/// A view that makes its content from the environment, again whenever something that the content
/// or its modifiers read has changed. No registration is needed: what is read is tracked.
public final class HostingView<Content>: View {
    /// What the content function made last; nil before the first update.
    public private(set) var content: Content?
    private let makeContent: @MainActor (EnvironmentValues) -> Content
    private let modifiers: [@MainActor (inout EnvironmentValues) -> Void]
    /// Between this view and the views in it, with what the modifiers set: they go by what this
    /// view inherits, which its own overrides would hide. Nil when there are no modifiers.
    private let inside: EnvironmentNode?
    /// The view or controller that the content is, if it is one.
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

    override var nodeForSubviews: EnvironmentNode { inside ?? super.nodeForSubviews }

    public override func updateProperties() {
        super.updateProperties()
        var environment = EnvironmentValues(traitCollection)
        for modifier in modifiers { modifier(&environment) }
        // What SwiftUI sets through a bridged key overrides the trait for all that is inside.
        let overrides = TraitOverrides(environment.overrides)
        if let inside, inside.overrides != overrides { inside.overrides = overrides }
        let content = makeContent(environment)
        self.content = content
        mount(content, environment)
    }

    /// Puts the view of representable content in, and keeps it up to date.
    private func mount(_ content: Content, _ environment: EnvironmentValues) {
        if let mounted, mounted.update(content, environment) { return }
        mounted?.view.removeFromSuperview()
        mounted = node.hierarchy.perform { Mounted(content, environment) }
        guard let mounted else { return }
        addSubview(mounted.view)
        _ = mounted.update(content, environment)
    }
}
