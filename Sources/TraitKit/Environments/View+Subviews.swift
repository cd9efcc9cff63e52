// Adding, moving and removing subviews.

extension View {
    /// Adds a view in front of this view's other subviews, and removes it from its former
    /// superview. A view controller that owns the added view inherits from this view (iOS 17).
    public func addSubview(_ view: View) { insertSubview(view, at: subviews.count) }

    /// Inserts a view at a position among the subviews. Positions beyond the ends mean the ends.
    public func insertSubview(_ view: View, at index: Int) {
        require(!isDescendant(of: view), "a view cannot be in itself")
        require(!(view is Window), "a window stands in a scene, not in a view")
        view.move(to: self, at: index)
    }

    /// Inserts a view just behind a subview, or in front of all when `sibling` is no subview.
    public func insertSubview(_ view: View, belowSubview sibling: View) {
        insertSubview(view, at: position(of: sibling, without: view) ?? subviews.count)
    }

    /// Inserts a view just in front of a subview, or in front of all when `sibling` is no subview.
    public func insertSubview(_ view: View, aboveSubview sibling: View) {
        let position = position(of: sibling, without: view)
        insertSubview(view, at: position.map { $0 + 1 } ?? subviews.count)
    }

    /// Removes the view from its superview. The view keeps the traits that it inherited last.
    public func removeFromSuperview() {
        if superview != nil { move(to: nil, at: 0) }
    }

    private func position(of sibling: View, without view: View) -> Int? {
        subviews.filter { $0 !== view }.firstIndex { $0 === sibling }
    }

    /// Changes the superview. All methods that move views come here.
    func move(to newSuperview: View?, at index: Int) {
        let (oldSuperview, oldWindow) = (superview, window)
        let move = WindowMove(from: oldWindow, to: newSuperview?.window)
        willMove(toSuperview: newSuperview)
        announce(move)
        oldSuperview?.subviews.removeAll { $0 === self }
        superview = newSuperview
        if let newSuperview {
            let position = min(max(index, 0), newSuperview.subviews.count)
            newSuperview.subviews.insert(self, at: position)
        }
        if oldSuperview !== newSuperview {
            // A container view and its subviews inherit from the presentation controller.
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

/// Whether a move brings views into a window or out of one.
struct WindowMove {
    let enters: Bool
    let leaves: Bool

    @MainActor
    init(from old: Window?, to new: Window?) {
        enters = old == nil && new != nil
        leaves = old != nil && new == nil
    }
}

extension View {
    /// Before the move: the controllers of the views that move will appear or disappear.
    func announce(_ move: WindowMove) {
        guard move.enters || move.leaves else { return }
        for case let controller as ViewController in subtree {
            if move.leaves { controller.viewWillDisappear(false) }
            if move.enters { controller.viewWillAppear(false) }
        }
    }

    /// After the move: controllers whose views left have disappeared, others appear with the next
    /// update.
    func finish(_ move: WindowMove) {
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
