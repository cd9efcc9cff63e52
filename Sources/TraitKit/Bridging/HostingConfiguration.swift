// SwiftUI content in a cell.

/// Shows SwiftUI content in a cell (`UIHostingConfiguration`). The content is a function of the
/// environment at the cell. The function runs again when a value that it read changes.
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
