// The view that shows SwiftUI content.

public import Foundation
internal import TraitEngine

/// A view that makes its content from the environment, and makes it again whenever a value that the
/// content or its modifiers read has changed. Reads are tracked, so no registration is needed.
public final class HostingView<Content>: View {
    /// The content that the function returned last; nil before the first update.
    public private(set) var content: Content?
    private let makeContent: @MainActor (EnvironmentValues) -> Content
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
        let content = makeContent(environment)
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
