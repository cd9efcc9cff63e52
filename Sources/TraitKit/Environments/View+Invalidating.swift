// Asking for a method to run, and running it.

extension View {
    // MARK: - Asking

    /// Asks for a layout in the next update.
    public func setNeedsLayout() { wait(for: .layout) }

    /// Asks for `updateConstraints()` in the next update.
    public func setNeedsUpdateConstraints() { wait(for: .constraints) }

    /// Asks for `updateProperties()` in the next update.
    public func setNeedsUpdateProperties() { wait(for: .properties) }

    /// Asks for drawing at the end of the next update.
    public func setNeedsDisplay() { wait(for: .display) }

    /// Whether the method waits to run.
    public var needsLayout: Bool { waiting.contains(.layout) }
    /// Whether `updateConstraints()` waits to run.
    public var needsUpdateConstraints: Bool { waiting.contains(.constraints) }
    /// Whether `updateProperties()` waits to run.
    public var needsUpdateProperties: Bool { waiting.contains(.properties) }
    /// Whether `draw(_:)` waits to run.
    public var needsDisplay: Bool { waiting.contains(.display) }

    // MARK: - Updating

    /// Updates traits and lays out this view and what is in it now; see `updateLayout()`. A loop is
    /// reported to `UpdateLoop.handler`.
    ///
    /// Outside of a scene it lays out only: there, views keep the traits they have.
    public func layoutIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateLayout() }
    }

    /// Updates this view and what is in it until nothing is left to do: traits with their change
    /// handlers, properties and layout from the top down, then drawing. What it inherits from gets
    /// its traits first.
    ///
    /// - Throws: `UpdateLoop` after 16 passes.
    public func updateLayout() throws(UpdateLoop) {
        let top: Responder = controller ?? self
        try UpdatePass(top, includesLayout: true).run()
    }

    /// Brings traits up to date and updates properties, of this view, its controller and all that
    /// is in it, now. Nothing is laid out (iOS 26).
    public func updatePropertiesIfNeeded() { (controller ?? self).updatePropertiesNow() }

    // MARK: - Running

    func runConstraints() {
        guard let controller else { return track(.updateConstraints) { updateConstraints() } }
        controller.track(.updateViewConstraints, others: [self]) {
            controller.updateViewConstraints()
        }
    }

    /// A controller hears before and after its view lays out, a presentation controller before and
    /// after its container view.
    func runLayout() {
        if let presentation {
            presentation.track(.containerViewWillLayoutSubviews, others: [self]) {
                presentation.containerViewWillLayoutSubviews()
            }
        }
        if let controller {
            controller.track(.viewWillLayoutSubviews, others: [self]) {
                controller.viewWillLayoutSubviews()
            }
        }
        track(.layoutSubviews) { layoutSubviews() }
        if let controller {
            controller.track(.viewDidLayoutSubviews, others: [self]) {
                controller.viewDidLayoutSubviews()
            }
        }
        if let presentation {
            presentation.track(.containerViewDidLayoutSubviews, others: [self]) {
                presentation.containerViewDidLayoutSubviews()
            }
        }
    }

    func drawIfNeeded() {
        guard window != nil, take(.display) else { return }
        track(.draw) { draw(bounds) }
    }

    func finishAppearance() {
        if take(.appeared) { controller?.viewDidAppear(false) }
    }
}
