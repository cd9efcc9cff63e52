// How presentations adapt to size classes: styles, and the delegates that choose among them.

extension ModalPresentationStyle {
    /// The level that the presented content has.
    var level: UserInterfaceLevel? {
        switch self {
        case .pageSheet, .formSheet, .popover: .elevated
        default: nil
        }
    }

    /// The width that the presented content has, whatever the window's.
    var horizontalSizeClass: UserInterfaceSizeClass? {
        switch self {
        case .formSheet, .popover: .compact
        default: nil
        }
    }
}

/// Chooses how a presentation adapts to traits (`UIAdaptivePresentationControllerDelegate`).
@preconcurrency @MainActor
public protocol AdaptivePresentationControllerDelegate: AnyObject {
    /// The style for the traits of the window. `none` keeps the controller's own style.
    ///
    /// Called when the controller is presented and when a size class of the window has changed. The
    /// default implementation calls the method without traits in compact width.
    func adaptivePresentationStyle(
        for controller: PresentationController, traitCollection: TraitCollection
    ) -> ModalPresentationStyle

    /// The style in compact width. The default implementation returns `none`, which keeps the
    /// controller's own style.
    func adaptivePresentationStyle(for controller: PresentationController) -> ModalPresentationStyle

    /// The presentation is about to get the traits of a style. Does nothing if it is not
    /// implemented.
    ///
    /// - Parameters:
    ///   - presentationController: the controller that adapts.
    ///   - style: `none` for the controller's own style.
    ///   - transitionCoordinator: nil here: nothing is animated.
    func presentationController(
        _ presentationController: PresentationController,
        willPresentWithAdaptiveStyle style: ModalPresentationStyle,
        transitionCoordinator: (any ViewControllerTransitionCoordinator)?
    )
}

extension AdaptivePresentationControllerDelegate {
    /// In compact width the style of the method without traits, else `none`.
    public func adaptivePresentationStyle(
        for controller: PresentationController, traitCollection: TraitCollection
    ) -> ModalPresentationStyle {
        traitCollection.horizontalSizeClass == .compact
            ? adaptivePresentationStyle(for: controller) : .none
    }

    /// The answer of a delegate that wants no adaptation: `none`.
    public func adaptivePresentationStyle(
        for controller: PresentationController
    ) -> ModalPresentationStyle { .none }

    /// Does nothing.
    public func presentationController(
        _ presentationController: PresentationController,
        willPresentWithAdaptiveStyle style: ModalPresentationStyle,
        transitionCoordinator: (any ViewControllerTransitionCoordinator)?
    ) {}
}

/// Makes the presentation controllers of controllers whose style is `custom`
/// (`UIViewControllerTransitioningDelegate`). There are no animators here.
@preconcurrency @MainActor
public protocol ViewControllerTransitioningDelegate: AnyObject {
    /// The presentation controller for a presentation; nil for a plain one.
    ///
    /// - Parameters:
    ///   - presented: the controller that is to be presented.
    ///   - presenting: the controller that presents it; nil while that is not known.
    ///   - source: the controller that presents it; `presented` itself while that is not known.
    func presentationController(
        forPresented presented: ViewController, presenting: ViewController?, source: ViewController
    ) -> PresentationController?
}

extension PresentationController {
    /// The style of the presented controller. It does not change when the presentation adapts.
    public var presentationStyle: ModalPresentationStyle {
        presentedViewController?.modalPresentationStyle ?? .none
    }

    /// The style in compact width; `none` when the controller's own style stays.
    public var adaptivePresentationStyle: ModalPresentationStyle {
        adaptivePresentationStyle(for: TraitCollection(horizontalSizeClass: .compact))
    }

    /// Asks for the style for the window's traits, and supplies the traits of this style to the
    /// presented content. The presentation controller stays the same object.
    ///
    /// - Parameter traits: the window's traits.
    func adapt(to traits: TraitCollection) {
        var style = adaptivePresentationStyle(for: traits)
        // The styles that a delegate may answer.
        if ![.fullScreen, .overFullScreen, .formSheet, .pageSheet].contains(style) {
            style = .none
        }
        delegate?.presentationController(
            self, willPresentWithAdaptiveStyle: style, transitionCoordinator: nil)
        supplyTraits(for: style == .none ? presentationStyle : style)
    }

    /// Writes the traits of a style into the supplied traits. Values that the program supplied are
    /// replaced only when the style differs from the one before.
    func supplyTraits(for style: ModalPresentationStyle) {
        let before = suppliedStyle
        suppliedStyle = style
        if style.level != before.level {
            if let level = style.level {
                suppliedTraits.userInterfaceLevel = level
            } else {
                suppliedTraits.remove(TraitUserInterfaceLevel.self)
            }
        }
        if style.horizontalSizeClass != before.horizontalSizeClass {
            if let width = style.horizontalSizeClass {
                suppliedTraits.horizontalSizeClass = width
            } else {
                suppliedTraits.remove(TraitHorizontalSizeClass.self)
            }
        }
    }
}
