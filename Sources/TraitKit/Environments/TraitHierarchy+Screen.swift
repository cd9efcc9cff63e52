// The main screen: what it supplies is shown by all that is made outside of updates, and inherited by
// windows without a scene.

internal import TraitEngine

/// What a hierarchy knows of its main screen.
@MainActor
struct MainScreen {
    /// What the program has supplied to a screen without a scene. The style is light at first.
    var own: TraitOverrides = {
        var values = TraitOverrides(TraitValues())
        values.userInterfaceStyle = .light
        return values
    }()
    /// The node from which windows without a scene inherit, once there is such a window.
    var node: NodeIndex?
    /// The screen's traits, until they change.
    var traits: TraitCollection?
    /// The key window of those without a scene.
    weak var keyWindow: Window?
    /// The screen of a process without scenes.
    let object = Screen(nil, isMain: true)
}

extension TraitHierarchy {
    /// The scene that was made first, of those that are there.
    var mainScene: WindowScene? { Application.shared.windowScenes(of: self).first }

    /// The traits of the main screen: those supplied for the main scene; without a scene, those
    /// that the program supplied to the screen.
    var screenTraits: TraitCollection {
        if let traits = screen.traits { return traits }
        let traits = TraitCollection(screenValues.values.collection)
        screen.traits = traits
        return traits
    }

    private var screenValues: TraitOverrides { mainScene?.node.supplied ?? screen.own }

    /// The node from which windows without a scene inherit. Its style is light unless the screen has
    /// another.
    var screenNode: NodeIndex {
        if let node = screen.node { return node }
        // A node of this kind shows what is supplied to it at once.
        let node = change { (engine) throws(OperationError) in
            try engine.createNode("screen", kind: .windowScene)
        }
        screen.node = node
        supplyScreen(node)
        return node
    }

    /// A scene was made or is gone, or other traits were supplied to the screen.
    func screenChanged() {
        screen.traits = nil
        if let node = screen.node { supplyScreen(node) }
    }

    private func supplyScreen(_ node: NodeIndex) {
        var values = MainScreen().own.values
        values.merge(screenValues.values)
        if TraitValues(engine.supplied(of: node)) == values { return }
        change { (engine) throws(OperationError) in
            try engine.replaceSupplied(node, values.pairs)
        }
    }
}
