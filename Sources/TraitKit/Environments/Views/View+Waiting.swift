// A view's work that waits for the next update, and the functions that run it.

extension View {
    // MARK: - Waiting work

    /// Whether `layoutSubviews()` waits to run.
    public var needsLayout: Bool { waiting.contains(.layout) }
    /// Whether `updateConstraints()` waits to run.
    public var needsUpdateConstraints: Bool { waiting.contains(.constraints) }
    /// Whether `updateProperties()` waits to run.
    public var needsUpdateProperties: Bool { waiting.contains(.properties) }
    /// Whether `draw(_:)` waits to run.
    public var needsDisplay: Bool { waiting.contains(.display) }

    // MARK: - Updating

    /// Updates this view and its subviews until no work is left: traits with their change handlers,
    /// properties and layout from the top down, then drawing. The environments that the view
    /// inherits from get their traits first.
    ///
    /// - Throws: `UpdateLoop` after 16 passes.
    public func updateLayout() throws(UpdateLoop) {
        let top: Responder = controller ?? self
        try EnvironmentUpdate(top, includesLayout: true, climbs: true).run()
    }

    // MARK: - Running

    func runConstraints() {
        guard let controller else { return track(.updateConstraints) { updateConstraints() } }
        controller.track(.updateViewConstraints, with: self) {
            controller.updateViewConstraints()
        }
    }

    /// Lays the view out. A controller is called before and after the layout of its view, a
    /// presentation controller before and after that of its container view.
    func runLayout() {
        layOut(presentation, .containerViewWillLayoutSubviews) {
            $0.containerViewWillLayoutSubviews()
        }
        controller?.updateOverridesForChildren()
        layOut(controller, .viewWillLayoutSubviews) { $0.viewWillLayoutSubviews() }
        track(.layoutSubviews) { layoutSubviews() }
        layOut(controller, .viewDidLayoutSubviews) { $0.viewDidLayoutSubviews() }
        layOut(presentation, .containerViewDidLayoutSubviews) {
            $0.containerViewDidLayoutSubviews()
        }
    }

    private func layOut<Owner: Responder>(
        _ owner: Owner?, _ method: TrackedMethod, _ body: (Owner) -> Void
    ) {
        if let owner { owner.track(method, with: self) { body(owner) } }
    }

    func drawIfNeeded() {
        guard window != nil, take(.display) else { return }
        track(.draw) { draw(bounds) }
    }

    func finishAppearance() {
        if take(.appeared) { controller?.didAppear(animated: false) }
    }
}
