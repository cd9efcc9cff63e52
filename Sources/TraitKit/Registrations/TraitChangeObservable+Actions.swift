// Registering with a target and an action. An action is an unapplied method of the target's class,
// such as `Self.handleTraitChange` or `Controller.handleTraitChange`, since there are no selectors
// here.

extension TraitChangeObservable {
    /// Calls a method of the target. The target is not kept alive: once it is released, nothing is
    /// called.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, _: Any, _) in action(target)() }
    }

    /// Calls a method of the target with the environment.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable, Environment>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, _) in
            action(target)(environment)
        }
    }

    /// Calls a method of the target with the environment and its collection before the update.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable, Environment>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, previous) in
            action(target)(environment, previous)
        }
    }
}

extension TraitChangeObservable where Self: AnyObject {
    /// Calls a method of the object itself.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable>(
        _ traits: [TraitKey],
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the object itself, with the environment.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable, Environment>(
        _ traits: [TraitKey],
        action: @escaping @MainActor (Target) -> @MainActor (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the object itself, with the environment and its collection before the
    /// update.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject & Sendable, Environment>(
        _ traits: [TraitKey],
        action: @escaping @MainActor (Target) -> @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }
}

extension TraitChangeObservable {
    /// Registers an action. All overloads with an action come here.
    func registerAction<Target: AnyObject, Environment>(
        _ traits: [TraitKey], _ target: AnyObject,
        _ call: @escaping @MainActor (Target, Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        require(target is Target, "\(type(of: target)) has no such action")
        let handler: TraitChangeHandler<Environment> = { [weak target] environment, previous in
            if let target = target as? Target { call(target, environment, previous) }
        }
        return registerForTraitChanges(traits, handler: handler)
    }
}
