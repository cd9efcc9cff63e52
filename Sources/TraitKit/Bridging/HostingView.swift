// The view in which SwiftUI content stands.

/// A view that makes its content from the environment, again whenever something that the content
/// read has changed. No registration is needed: what is read is tracked.
public final class HostingView<Content>: View {
    /// What the content function made last; nil before the first update.
    public private(set) var content: Content?
    private let makeContent: @MainActor (EnvironmentValues) -> Content
    private let modifiers: [@MainActor (inout EnvironmentValues) -> Void]

    init(
        _ modifiers: [@MainActor (inout EnvironmentValues) -> Void],
        _ makeContent: @escaping @MainActor (EnvironmentValues) -> Content
    ) {
        self.modifiers = modifiers
        self.makeContent = makeContent
        super.init(frame: .zero)
        var environment = EnvironmentValues()
        for modifier in modifiers { modifier(&environment) }
        // What SwiftUI sets through a bridged key overrides the trait for all that is inside.
        traitOverrides = TraitOverrides(environment.overrides)
    }

    public override func updateProperties() {
        super.updateProperties()
        var environment = EnvironmentValues(traitCollection)
        for modifier in modifiers { modifier(&environment) }
        content = makeContent(environment)
    }
}
