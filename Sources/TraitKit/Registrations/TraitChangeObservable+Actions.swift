// Registering with a target and an action. Without selectors an action is a method of the target's
// class, not bound to an object: `Self.handleTraitChange` or `Controller.handleTraitChange`.

extension TraitChangeObservable where Self: Responder {
    /// Calls a method of the target, which is not kept alive: when it is gone, nothing is called.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject>(
        _ traits: [Trait], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, _: Self, _) in action(target)() }
    }

    /// Calls a method of the target with the environment.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [Trait], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, _) in
            action(target)(environment)
        }
    }

    /// Calls a method of the target with the environment and its collection before the update.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [Trait], target: AnyObject,
        action: @escaping @MainActor (Target) -> @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, previous) in
            action(target)(environment, previous)
        }
    }

    /// Calls a method of the environment itself.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject>(
        _ traits: [Trait], action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the environment itself, with it.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [Trait],
        action: @escaping @MainActor (Target) -> @MainActor (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the environment itself, with it and its collection before the update.
    @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [Trait],
        action: @escaping @MainActor (Target) -> @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    private func registerAction<Target: AnyObject, Environment>(
        _ traits: [Trait], _ target: AnyObject,
        _ call: @escaping @MainActor (Target, Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        require(target is Target, "\(type(of: target)) has no such action")
        require(self is Environment, "\(type(of: self)) is no \(Environment.self)")
        return register(traits) { [weak target] environment, previous in
            guard let target = target as? Target, let environment = environment as? Environment
            else { return }
            call(target, environment, previous)
        }
    }
}
