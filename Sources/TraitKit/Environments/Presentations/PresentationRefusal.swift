// Why a presentation was refused. UIKit raises an exception or writes to the log; nothing is presented.

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A call of `present(_:animated:completion:)` that presented nothing, with its reason.
public struct PresentationRefusal: Error, Sendable {
    /// The reasons for which UIKit refuses a presentation.
    public enum Reason: String, Sendable {
        /// The view of the presenting controller is in no window.
        case notInWindow = "the view of the presenting controller is in no window"
        /// The presenting controller presents another controller already.
        case alreadyPresenting = "the presenting controller presents another controller already"
        /// A controller cannot present itself or its own parent.
        case itself = "a controller cannot present itself or a controller that it is in"
        /// The controller to present is shown already: presented, a child, the root of a window, or
        /// one of those that present the presenting controller.
        case active = "the controller to present is shown already"
    }

    /// Why nothing was presented.
    public let reason: Reason
    /// The classes of the controller that was to present and of the one to present.
    public let presenter: String, presented: String

    /// Called with each refusal. Writes to standard error unless replaced.
    @MainActor public static var handler: @MainActor (PresentationRefusal) -> Void = { refusal in
        var text = "\(refusal)\n"
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension PresentationRefusal: CustomStringConvertible {
    /// The reason with the classes of both controllers.
    public var description: String {
        "presentation-refused: \(presenter) cannot present \(presented): \(reason.rawValue)"
    }
}

extension ViewController {
    /// Why this controller, at the top of its parents, cannot present the other one; nil if it can.
    func refusal(ofPresenting other: ViewController) -> PresentationRefusal.Reason? {
        if other === self { return .itself }
        if presented != nil { return .alreadyPresenting }
        let isRoot = other.viewIfLoaded?.window?.rootViewController === other
        if other.presentingViewController != nil || other.parent != nil || isRoot {
            return .active
        }
        var below = presenting
        while let controller = below {
            if controller === other { return .active }
            below = controller.parent ?? controller.presenting
        }
        return nil
    }
}
