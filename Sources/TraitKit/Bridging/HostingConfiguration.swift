// SwiftUI content in a cell.

/// Shows SwiftUI content in a cell (`UIHostingConfiguration`). The content is a function of the
/// environment at the cell, and made anew when what it read there changes.
///
///     cell.contentConfiguration = HostingConfiguration { environment in
///         "theme \(environment.theme)"
///     }
@MainActor
public struct HostingConfiguration<Content>: ContentConfiguration {
    private let makeContent: @MainActor (EnvironmentValues) -> Content
    private var modifiers: [@MainActor (inout EnvironmentValues) -> Void] = []

    /// Content as a function of the environment.
    public init(content: @escaping @MainActor (EnvironmentValues) -> Content) {
        makeContent = content
    }

    /// Sets a value of the environment for the content. Through a bridged key it is a trait override
    /// for the views inside as well.
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> HostingConfiguration {
        var copy = self
        copy.modifiers.append { $0[keyPath: keyPath] = value }
        return copy
    }

    /// The content's view, as a cell asks for it.
    public func makeContentView() -> View { makeHostingView() }

    /// The content's view; other views can be put into it, and inherit what the content set.
    public func makeHostingView() -> HostingView<Content> { HostingView(modifiers, makeContent) }
}
