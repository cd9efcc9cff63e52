// Child controllers, and the controllers that take part in a presentation. A presented controller
// inherits from its presentation controller, which inherits from the window, so overrides of the
// presenting controller do not reach it.

extension ViewController {
    func adopt(_ child: ViewController) {
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

    func leaveParent() {
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
    var presentationOfParents: PresentationController? {
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
}

// The overrides that a parent has for a child.
extension ViewController {
    func forgetOverride(forChild child: ViewController) {
        overridesForChildren.removeAll { $0.child == nil || $0.child === child }
    }

    func updateOverride(forChild child: ViewController) {
        if child.parent === self {
            child.node.setLegacyCollection(overrideTraitCollection(forChild: child))
        }
    }

    func updateOverridesForChildren() {
        for child in children { updateOverride(forChild: child) }
    }
}
