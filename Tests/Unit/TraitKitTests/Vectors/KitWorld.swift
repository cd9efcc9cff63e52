// Scripts on the library: scenes, windows, controllers and views.

import ConformanceCases
import TraitKit

@MainActor
final class KitWorld: VectorWorld {
    typealias Collection = TraitCollection

    private var objects: [String: Responder] = [:]
    private var registrations: [String: (Responder, any TraitChangeRegistration)] = [:]
    /// One hierarchy for each run.
    private let hierarchy: TraitHierarchy

    init(_ script: VectorCase) throws {
        hierarchy = TraitHierarchy(isLegacy: script.isLegacy)
        let shape = try TreeShape.nodes(script.tree ?? "T0")
        try hierarchy.perform {
            for node in shape { try create(node) }
        }
        // Without a scene nothing is updated: what the objects show from the start is compared.
        guard let scene = objects["s"] as? WindowScene else { return }
        for (trait, value) in TreeShape.supplied { try supply("s", trait, value) }
        scene.layoutIfNeeded()
    }

    // MARK: - Building

    private func create(_ node: TreeNode) throws {
        switch node.kind {
        case .scene: objects[node.name] = WindowScene()
        case .window:
            objects[node.name] =
                node.parent == nil ? Window() : Window(windowScene: try object(node.parent))
        case .presentation:
            // Made by the controller that is presented; see `present`.
            break
        case .controller: objects[node.name] = ViewController()
        case .view:
            let view = View()
            objects[node.name] = view
            if let name = node.controller {
                let controller: ViewController = try object(name)
                controller.view = view
                try place(controller, name)
            } else if let parent: View = try? object(node.parent) {
                parent.addSubview(view)
            }
        }
    }

    /// Puts a controller whose view is made where its tree has it.
    private func place(_ controller: ViewController, _ name: String) throws {
        switch name {
        case "A": (try object("w") as Window).rootViewController = controller
        case "B":
            (try object("A") as ViewController).addChild(controller)
            (try object("m") as View).addSubview(controller.view)
        case "C":
            (try object("A") as ViewController).present(controller, animated: false)
            objects["P"] = controller.presentationController
        default: break
        }
    }

    private func object<Object: Responder>(_ name: String?) throws -> Object {
        guard let name, let object = objects[name] as? Object else {
            throw ScriptError(description: "no \(Object.self) \(name ?? "")")
        }
        return object
    }

    // MARK: - Values

    func make(from base: Collection?, _ writes: [(String, JSON)]) throws -> Collection {
        var failure: (any Error)?
        let collection = (base ?? TraitCollection()).modifyingTraits { traits in
            do {
                for (name, json) in writes { try KitTrait.named(name).write(&traits, json) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return collection
    }

    func merge(_ collections: [Collection]) -> Collection {
        TraitCollection(traitsFrom: collections)
    }

    func read(_ collection: Collection, _ trait: String) throws -> JSON {
        try KitTrait.named(trait).read(collection)
    }

    func areEqual(_ left: Collection, _ right: Collection) -> Bool {
        left == right && left.hashValue == right.hashValue
    }

    func contains(_ collection: Collection, _ other: Collection?) -> Bool {
        collection.containsTraits(in: other)
    }

    func changed(_ collection: Collection, from other: Collection?) -> [String] {
        KitTrait.names(collection.changedTraits(from: other))
    }

    func differsInColor(_ collection: Collection, from other: Collection?) -> Bool {
        collection.hasDifferentColorAppearance(comparedTo: other)
    }

    func printed(_ collection: Collection) -> [String] {
        Self.parts(ofDescription: collection.description)
    }

    // MARK: - Overrides

    func set(_ node: String, _ trait: String, _ value: JSON) throws {
        let object: Responder = try object(node)
        var overrides: any MutableTraits = object.traitOverrides
        try KitTrait.named(trait).write(&overrides, value)
        if let overrides = overrides as? TraitOverrides { object.traitOverrides = overrides }
    }

    func remove(_ node: String, _ trait: String) throws {
        (try object(node) as Responder).traitOverrides.remove(try KitTrait.named(trait).type)
    }

    func has(_ node: String, _ trait: String) throws -> Bool {
        (try object(node) as Responder).traitOverrides.contains(try KitTrait.named(trait).type)
    }

    func override(_ node: String, _ trait: String) throws -> JSON {
        do throws(TraitError) {
            let overrides = (try? object(node) as Responder)?.traitOverrides
            guard let overrides, let trait = KitTrait.all[trait] else {
                throw .refused("unknown-trait")
            }
            return try trait.override(overrides)
        } catch {
            throw VectorError(error.code == "refused" ? error.description : error.code)
        }
    }

    func supply(_ node: String, _ trait: String, _ value: JSON) throws {
        if isOfScreen(node) {
            var supplied: any MutableTraits = hierarchy.perform { Screen.main.suppliedTraits }
            try KitTrait.named(trait).write(&supplied, value)
            guard let supplied = supplied as? TraitOverrides else { return }
            return hierarchy.perform { Screen.main.suppliedTraits = supplied }
        }
        let object: Responder = try object(node)
        var supplied: any MutableTraits = object.suppliedTraits
        try KitTrait.named(trait).write(&supplied, value)
        if let supplied = supplied as? TraitOverrides { object.suppliedTraits = supplied }
    }

    /// What the system says without a scene, it says of the main screen.
    private func isOfScreen(_ node: String) -> Bool { node == "s" && objects["s"] == nil }

    func removeSupplied(_ node: String, _ trait: String) throws {
        if isOfScreen(node) {
            let trait = try KitTrait.named(trait).type
            return hierarchy.perform { Screen.main.suppliedTraits.remove(trait) }
        }
        (try object(node) as Responder).suppliedTraits.remove(try KitTrait.named(trait).type)
    }

    // MARK: - Updates and places

    func flush() throws {
        do throws(UpdateLoop) {
            if let scene = objects["s"] as? WindowScene { return try scene.updateLayout() }
            try (objects["w"] as? Window)?.updateLayout()
        } catch {
            throw VectorError("trait_update_loop")
        }
    }

    func flush(_ node: String) throws {
        let object: Responder = try object(node)
        do throws(UpdateLoop) {
            try object.updateTraits()
        } catch {
            throw VectorError("trait_update_loop")
        }
    }

    func attach(_ view: String, to superview: String) throws {
        let (view, superview): (View, View) = (try object(view), try object(superview))
        if superview.isDescendant(of: view) { throw VectorError("cycle") }
        superview.addSubview(view)
        guard let controller = controller(of: view) else { return }
        var ancestor: View? = superview
        while let current = ancestor {
            if let owner = self.controller(of: current) { return owner.addChild(controller) }
            ancestor = current.superview
        }
    }

    func detach(_ view: String) throws {
        let view: View = try object(view)
        view.removeFromSuperview()
        controller(of: view)?.removeFromParent()
    }

    private func controller(of view: View) -> ViewController? {
        objects.values.lazy.compactMap { $0 as? ViewController }
            .first { $0.viewIfLoaded === view }
    }

    func shown(_ node: String) throws -> Collection {
        (try object(node) as Responder).traitCollection
    }

    // MARK: - Registrations

    func register(
        _ name: String, _ node: String, _ traits: [String],
        _ handler: @escaping @MainActor (Collection, Collection) -> Void
    ) throws {
        let object: Responder = try object(node)
        let types = try traits.flatMap(KitTrait.types(named:))
        do throws(TraitError) {
            let registration = try object.tryRegister(types) { environment, previous in
                handler(previous, environment.traitCollection)
            }
            registrations[name] = (object, registration)
        } catch {
            throw VectorError(error.code)
        }
    }

    func unregister(_ name: String) throws {
        guard let (object, registration) = registrations.removeValue(forKey: name) else { return }
        object.unregisterForTraitChanges(registration)
    }
}
