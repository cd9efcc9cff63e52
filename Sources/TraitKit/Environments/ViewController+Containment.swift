// Child controllers, and the controllers that take part in a presentation. A presented controller
// inherits from its presentation controller, which inherits from the window, so overrides of the
// presenting controller do not reach it.

extension ViewController {
    /// Makes a controller a child of this one, and removes it from its former parent. The parent
    /// must also add the child's view to a view, from which the child inherits its traits.
    public func addChild(_ child: ViewController) {
        var ancestor: ViewController? = self
        while let current = ancestor {
            require(current !== child, "a controller cannot be its own child")
            ancestor = current.parent
        }
        if child.parent === self { return }
        child.removeFromParent()
        child.willMove(toParent: self)
        children.append(child)
        child.parent = self
        child.node.place(below: node)
        updateOverride(forChild: child)
    }

    /// Removes the controller from its parent, with the parent's overrides for it.
    public func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        parent.forgetOverride(forChild: self)
        node.setLegacyCollection(nil)
        node.place(below: nil)
        didMove(toParent: nil)
    }
}

extension ViewController {
    /// The presentation controller of the presentation that this controller is part of; made when
    /// asked for, so that overrides can be set on it before presenting.
    public var presentationController: PresentationController? {
        if let presentation { return presentation }
        if let parent { return parent.presentationController }
        let made = node.hierarchy.perform { makePresentationController() }
        presentation = made
        return made
    }

    /// The presentation controller of the presentation that this controller is part of; nil while it
    /// is not presented (`activePresentationController`).
    public var activePresentationController: PresentationController? {
        presentingViewController == nil ? nil : presentationController
    }

    /// The controller that this one, or the nearest controller above it, presents. O(depth).
    public var presentedViewController: ViewController? {
        presented ?? parent?.presentedViewController
    }

    /// The controller that presents this one, or the nearest controller above it. O(depth).
    public var presentingViewController: ViewController? {
        presenting ?? parent?.presentingViewController
    }
}
