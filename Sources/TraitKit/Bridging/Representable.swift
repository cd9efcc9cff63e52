// UIKit's views and controllers as SwiftUI content: when the content function returns a
// representable value, the hosting view shows its view.

/// The context of `makeUIView` and `updateUIView` (`UIViewRepresentableContext`).
@preconcurrency @MainActor
public struct ViewRepresentableContext<Representable: ViewRepresentable> {
    /// The result of `makeCoordinator()`.
    public let coordinator: Representable.Coordinator
    /// The environment of the content, with what its modifiers set.
    public let environment: EnvironmentValues
}

/// The context of `makeUIViewController` and `updateUIViewController`
/// (`UIViewControllerRepresentableContext`).
@preconcurrency @MainActor
public struct ViewControllerRepresentableContext<Representable: ViewControllerRepresentable> {
    /// The result of `makeCoordinator()`.
    public let coordinator: Representable.Coordinator
    /// The environment of the content, with what its modifiers set.
    public let environment: EnvironmentValues
}

/// SwiftUI content that is a view (`UIViewRepresentable`). The view is a subview of the hosting
/// view, and inherits the traits that the content's modifiers set through bridged keys.
@preconcurrency @MainActor
public protocol ViewRepresentable {
    /// The class of the view.
    associatedtype UIViewType: View
    /// The type of the object that lives as long as the view; `Void` for none.
    associatedtype Coordinator = Void
    /// The type of the `context` of the methods.
    typealias Context = ViewRepresentableContext<Self>

    /// Makes the view. Called once.
    func makeUIView(context: Context) -> UIViewType
    /// Updates the view from the content. Called after the view is made, and whenever the content
    /// has changed.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// Makes an object that lives as long as the view. Called once, before the view is made.
    func makeCoordinator() -> Coordinator
    /// Called when the view is no longer part of the content. Does nothing unless implemented.
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
}

/// SwiftUI content that is a controller (`UIViewControllerRepresentable`).
@preconcurrency @MainActor
public protocol ViewControllerRepresentable {
    /// The class of the controller.
    associatedtype UIViewControllerType: ViewController
    /// The type of the object that lives as long as the controller; `Void` for none.
    associatedtype Coordinator = Void
    /// The type of the `context` of the methods.
    typealias Context = ViewControllerRepresentableContext<Self>

    /// Makes the controller. Called once.
    func makeUIViewController(context: Context) -> UIViewControllerType
    /// Updates the controller from the content. Called after the controller is made, and whenever
    /// the content has changed.
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    /// Makes an object that lives as long as the controller. Called once, before the controller is
    /// made.
    func makeCoordinator() -> Coordinator
    /// Called when the controller is no longer part of the content. Does nothing unless implemented.
    static func dismantleUIViewController(
        _ uiViewController: UIViewControllerType, coordinator: Coordinator)
}

extension ViewRepresentable {
    /// Does nothing.
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
}

extension ViewControllerRepresentable {
    /// Does nothing.
    public static func dismantleUIViewController(
        _ uiViewController: UIViewControllerType, coordinator: Coordinator
    ) {}
}

extension ViewRepresentable where Coordinator == Void {
    /// Makes nothing: content without a coordinator.
    public func makeCoordinator() {}
}

extension ViewControllerRepresentable where Coordinator == Void {
    /// Makes nothing: content without a coordinator.
    public func makeCoordinator() {}
}

/// The view or controller that representable content made, with its coordinator.
@MainActor
final class Mounted {
    /// The type of the content that made the view. Content of another type makes another view.
    private let type: Any.Type
    let view: View
    let controller: ViewController?
    private let coordinator: Any
    private let dismantle: @MainActor () -> Void

    /// Ends the view when other content takes its place or the hosting view goes.
    isolated deinit { dismantle() }

    /// Nil for content that is not representable.
    init?(_ content: Any, _ environment: EnvironmentValues) {
        type = Swift.type(of: content)
        switch content {
        case let content as any ViewRepresentable:
            (view, coordinator, dismantle) = Self.make(content, environment)
            controller = nil
        case let content as any ViewControllerRepresentable:
            let (made, coordinator, dismantle) = Self.make(content, environment)
            (controller, self.coordinator, view) = (made, coordinator, made.view)
            self.dismantle = dismantle
        default: return nil
        }
    }

    /// Updates the view from the content. Returns false for content of another type.
    func update(_ content: Any, _ environment: EnvironmentValues) -> Bool {
        guard Swift.type(of: content) == type else { return false }
        if let content = content as? any ViewRepresentable { update(content, environment) }
        if let content = content as? any ViewControllerRepresentable {
            update(content, environment)
        }
        return true
    }

    private static func make<Content: ViewRepresentable>(
        _ content: Content, _ environment: EnvironmentValues
    ) -> (View, Any, @MainActor () -> Void) {
        let coordinator = content.makeCoordinator()
        let context = Content.Context(coordinator: coordinator, environment: environment)
        let view = content.makeUIView(context: context)
        return (view, coordinator, { Content.dismantleUIView(view, coordinator: coordinator) })
    }

    private static func make<Content: ViewControllerRepresentable>(
        _ content: Content, _ environment: EnvironmentValues
    ) -> (ViewController, Any, @MainActor () -> Void) {
        let coordinator = content.makeCoordinator()
        let context = Content.Context(coordinator: coordinator, environment: environment)
        let controller = content.makeUIViewController(context: context)
        return (
            controller, coordinator,
            { Content.dismantleUIViewController(controller, coordinator: coordinator) }
        )
    }

    private func update<Content: ViewRepresentable>(
        _ content: Content, _ environment: EnvironmentValues
    ) {
        guard let view = view as? Content.UIViewType,
            let coordinator = coordinator as? Content.Coordinator
        else { return }
        content.updateUIView(
            view, context: Content.Context(coordinator: coordinator, environment: environment))
    }

    private func update<Content: ViewControllerRepresentable>(
        _ content: Content, _ environment: EnvironmentValues
    ) {
        guard let controller = controller as? Content.UIViewControllerType,
            let coordinator = coordinator as? Content.Coordinator
        else { return }
        content.updateUIViewController(
            controller, context: Content.Context(coordinator: coordinator, environment: environment)
        )
    }
}
