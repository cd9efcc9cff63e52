// Putting views into views.

extension View {
    /// Puts a view in front of the others in this one, taking it out of where it was. A view
    /// controller that owns it follows: since iOS 17 it inherits from here.
    public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

    /// Puts a view behind the one that is there; positions beyond the ends mean the ends.
    public func insertSubview(_ view: View, at index: Int) {
        require(!isDescendant(of: view), "a view cannot be in itself")
        require(!(view is Window), "a window stands in a scene, not in a view")
        view.move(to: self, at: index)
    }

    /// Puts a view just behind another one of this view; in front of all when that is not one.
    public func insertSubview(_ view: View, belowSubview sibling: View) {
        insertSubview(view, at: position(of: sibling, without: view) ?? subviews.count)
    }

    /// Puts a view just in front of another one of this view; in front of all when that is not one.
    public func insertSubview(_ view: View, aboveSubview sibling: View) {
        let position = position(of: sibling, without: view)
        insertSubview(view, at: position.map { $0 + 1 } ?? subviews.count)
    }

    /// Takes the view out of its superview. It keeps the traits it inherited last.
    public func removeFromSuperview() {
        if superview != nil { move(to: nil, at: 0) }
    }

    private func position(of sibling: View, without view: View) -> Int? {
        subviews.filter { $0 !== view }.firstIndex { $0 === sibling }
    }

    /// The one way in which a view gets another superview.
    func move(to newSuperview: View?, at index: Int) {
        let (oldSuperview, oldWindow) = (superview, window)
        let move = SceneMove(
            from: oldWindow?.windowScene, to: newSuperview?.window?.windowScene)
        willMove(toSuperview: newSuperview)
        announce(move)
        oldSuperview?.subviews.removeAll { $0 === self }
        superview = newSuperview
        if let newSuperview {
            let position = min(max(index, 0), newSuperview.subviews.count)
            newSuperview.subviews.insert(self, at: position)
        }
        if oldSuperview !== newSuperview {
            // A container view inherits from its presentation controller, as does what is in it.
            node.place(below: newSuperview.map { presentation?.node ?? $0.nodeForSubviews })
        }
        oldSuperview?.setNeedsLayout()
        newSuperview?.setNeedsLayout()
        didMoveToSuperview()
        if oldWindow !== window {
            for object in subtree { (object as? View)?.didMoveToWindow() }
        }
        finish(move)
    }
}

/// Whether a move brings views into a scene or out of one.
struct SceneMove {
    let enters: Bool
    let leaves: Bool

    @MainActor
    init(from old: WindowScene?, to new: WindowScene?) {
        enters = old == nil && new != nil
        leaves = old != nil && new == nil
    }
}

extension View {
    /// Before the move: the controllers of the views that move will appear or disappear.
    func announce(_ move: SceneMove) {
        guard move.enters || move.leaves else { return }
        for case let controller as ViewController in subtree {
            if move.leaves { controller.viewWillDisappear(false) }
            if move.enters { controller.viewWillAppear(false) }
        }
    }

    /// After it: those that left have disappeared, the others appear with the next update.
    func finish(_ move: SceneMove) {
        guard move.enters || move.leaves else { return }
        let hierarchy = node.hierarchy
        for object in subtree {
            if move.enters {
                if (object as? View)?.controller != nil { object.wait(for: .appearance) }
                if !AppearanceRules.shared.isEmpty, object is View {
                    object.wait(for: .proxies)
                }
                if !object.waiting.isEmpty { hierarchy.waiting.insert(object) }
            } else {
                _ = object.take(.appearance)
                hierarchy.waiting.remove(object.node.index)
                (object as? ViewController)?.viewDidDisappear(false)
            }
        }
    }
}
