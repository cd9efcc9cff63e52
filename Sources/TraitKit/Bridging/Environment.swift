// The property wrapper that reads the environment of the object that hosts it.

/// A value of SwiftUI's environment (`Environment`), read where the wrapper stands.
///
///     struct MailRow {
///         @Environment(\.theme) private var theme
///         var text: String { "theme \(theme)" }
///     }
///
///     cell.contentConfiguration = HostingConfiguration { MailRow() }
///
/// In content of a hosting configuration or hosting controller the value is that of the content's
/// environment, and the content is updated when it changes. In a view, a cell or a controller it is
/// that of the object's traits, and reading it in a tracked method is tracked as they are. Elsewhere
/// it is that of `TraitCollection.current`.
@propertyWrapper
@preconcurrency @MainActor
public struct Environment<Value> {
    // Unsafe only by its type: a path to members of a value has no state.
    private nonisolated(unsafe) let keyPath: KeyPath<EnvironmentValues, Value>
    /// Shared by the copies of the content.
    private let place = Place()

    @MainActor
    private final class Place {
        var environment: EnvironmentValues?

        nonisolated init() {}
    }

    /// The value of a member of the environment.
    public nonisolated init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    /// The value in the environment of the content.
    public var wrappedValue: Value {
        let environment = place.environment ?? EnvironmentReads.environment
        return (environment ?? EnvironmentValues(.current))[keyPath: keyPath]
    }

    /// The value in the environment of a view or controller.
    public static subscript<Object: Responder>(
        _enclosingInstance object: Object, wrapped property: KeyPath<Object, Value>,
        storage storage: KeyPath<Object, Self>
    ) -> Value {
        EnvironmentValues(object.traitCollection)[keyPath: object[keyPath: storage].keyPath]
    }
}

/// The wrappers in content, whatever their values.
@MainActor
private protocol EnvironmentReading {
    func read(_ environment: EnvironmentValues)
}

extension Environment: EnvironmentReading {
    /// Reads the value too, so that a change updates the content.
    fileprivate func read(_ environment: EnvironmentValues) {
        place.environment = environment
        _ = environment[keyPath: keyPath]
    }
}

/// Passes the environment to the wrappers in content.
@MainActor
enum EnvironmentReads {
    /// The environment of the content that is being made.
    private(set) static var environment: EnvironmentValues?
    /// How deep values in content are searched for wrappers.
    private static let depthMax = 8

    /// Makes content in an environment.
    static func perform<Content>(
        _ environment: EnvironmentValues, _ makeContent: (EnvironmentValues) -> Content
    ) -> Content {
        let outer = self.environment
        self.environment = environment
        defer { self.environment = outer }
        let content = makeContent(environment)
        pass(environment, to: content, depth: 0)
        return content
    }

    private static func pass(_ environment: EnvironmentValues, to value: Any, depth: Int) {
        if let reading = value as? any EnvironmentReading { return reading.read(environment) }
        let mirror = Mirror(reflecting: value)
        let isContent = mirror.displayStyle != .class || depth == 0
        if depth == depthMax || !isContent || value is Responder { return }
        for child in mirror.children { pass(environment, to: child.value, depth: depth + 1) }
    }
}
