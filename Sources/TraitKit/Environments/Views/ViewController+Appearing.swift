// Whether a controller's view appears. Views that come into a scene appear by themselves; a container
// or a test can also say that a controller's view appears.

/// How far a controller's view has appeared.
enum AppearanceState {
    case disappeared
    case appearing
    case appeared
    case disappearing
}

extension ViewController {
    func beginTransition(_ isAppearing: Bool, animated: Bool) {
        loadViewIfNeeded()
        for controller in controllersOfTransition {
            if isAppearing {
                controller.willAppear(animated: animated)
            } else {
                controller.willDisappear(animated: animated)
            }
        }
    }

    func endTransition() {
        let controllers = controllersOfTransition
        if controllers.contains(where: { $0.appearance == .appearing }) { updateTraitsFromTop() }
        for controller in controllers where controller.appearance == .appearing {
            let isFirst = controller.viewIfLoaded?.take(.appearing) ?? false
            if isFirst || controller.viewIfLoaded?.waiting.contains(.appeared) != true {
                controller.viewIsAppearing(controller.isAnimating)
            }
        }
        for controller in controllers {
            switch controller.appearance {
            case .appearing:
                _ = controller.viewIfLoaded?.take(.appeared)
                controller.didAppear(animated: controller.isAnimating)
            case .disappearing: controller.didDisappear(animated: controller.isAnimating)
            case .appeared, .disappeared: break
            }
        }
    }

    /// This controller and, unless it forbids that, the controllers of views in its view.
    private var controllersOfTransition: [ViewController] {
        guard shouldAutomaticallyForwardAppearanceMethods else { return [self] }
        return subtree.compactMap { $0 as? ViewController }
    }

    func willAppear(animated: Bool) {
        guard appearance == .disappeared || appearance == .disappearing else { return }
        appearance = .appearing
        isAnimating = animated
        viewWillAppear(animated)
    }

    func didAppear(animated: Bool) {
        guard appearance == .appearing else { return }
        appearance = .appeared
        viewDidAppear(animated)
    }

    func willDisappear(animated: Bool) {
        guard appearance == .appeared || appearance == .appearing else { return }
        appearance = .disappearing
        isAnimating = animated
        viewWillDisappear(animated)
    }

    func didDisappear(animated: Bool) {
        guard appearance == .disappearing else { return }
        appearance = .disappeared
        viewDidDisappear(animated)
    }
}
