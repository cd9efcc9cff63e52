// Adding, moving and removing subviews.

extension View {
    /// Inserts a view among the subviews.
    func insert(_ view: View, at index: Int) {
        require(!isDescendant(of: view), "a view cannot be in itself")
        require(!(view is Window), "a window stands in a scene, not in a view")
        view.move(to: self, at: index)
    }

    /// Moves a subview among the subviews. Does nothing for other views.
    func reorder(_ view: View, to index: Int) {
        guard view.superview === self else { return }
        subviews.removeAll { $0 === view }
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        setNeedsLayout()
    }

    /// The view itself or its first descendant with the tag, superviews first; nil without one.
    /// O(subtree).
    public func viewWithTag(_ tag: Int) -> View? {
        subtree.lazy.compactMap { $0 as? View }.first { $0.tag == tag }
    }

    func position(of sibling: View, without view: View) -> Int? {
        subviews.filter { $0 !== view }.firstIndex { $0 === sibling }
    }

    /// Changes the superview. All methods that move views come here.
    func move(to newSuperview: View?, at index: Int) {
        let (oldSuperview, oldWindow) = (superview, window)
        let newWindow = newSuperview?.window
        let move = WindowMove(from: oldWindow, to: newWindow)
        let oldTint = tintColor
        willMove(toSuperview: newSuperview)
        if oldWindow !== newWindow {
            for object in subtree { (object as? View)?.willMove(toWindow: newWindow) }
        }
        announce(move)
        if oldSuperview !== newSuperview { oldSuperview?.willRemoveSubview(self) }
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
        if !hasOwnTint, newSuperview != nil, tintColor != oldTint { tintChanged() }
        // UIKit calls in this order.
        if oldWindow !== window {
            for object in subtree { (object as? View)?.didMoveToWindow() }
        }
        didMoveToSuperview()
        if oldSuperview !== newSuperview { newSuperview?.didAddSubview(self) }
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
            if move.leaves { controller.willDisappear(animated: false) }
            if move.enters { controller.willAppear(animated: false) }
        }
    }

    /// After the move: controllers whose views left have disappeared, others appear with the next
    /// update.
    func finish(_ move: WindowMove) {
        guard move.enters || move.leaves else { return }
        let hierarchy = node.hierarchy
        for object in subtree {
            if move.enters {
                if (object as? View)?.controller?.appearance == .appearing {
                    object.wait(for: .appearance)
                }
                if !AppearanceRules.shared.isEmpty, object is View {
                    object.wait(for: .proxies)
                }
                if !object.waiting.isEmpty { hierarchy.waiting.insert(object) }
            } else {
                _ = object.take(.appearance)
                hierarchy.waiting.remove(object.node)
                (object as? ViewController)?.didDisappear(animated: false)
            }
        }
    }
}
