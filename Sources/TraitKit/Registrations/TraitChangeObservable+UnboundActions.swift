// Registering with a target whose class is not bound to the main actor. These overloads repeat
// those with an action, since the compiler does not take a method of such a class for a function of
// the main actor. The method runs on the main actor nevertheless, as all handlers do. Classes of
// the main actor are `Sendable`, so their methods take the other overloads. Code in Swift 5 mode that
// is not bound to an actor calls these. The other overloads cannot be `@preconcurrency`: they would
// have the same symbols.

extension TraitChangeObservable {
    /// Calls a method of the target. The target is not kept alive: once it is released, nothing is
    /// called.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping (Target) -> () -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, _: Any, _) in action(target)() }
    }

    /// Calls a method of the target with the environment.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping (Target) -> (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, _) in
            action(target)(environment)
        }
    }

    /// Calls a method of the target with the environment and its collection before the update.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [TraitKey], target: AnyObject,
        action: @escaping (Target) -> (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerAction(traits, target) { (target: Target, environment: Environment, previous) in
            action(target)(environment, previous)
        }
    }
}

extension TraitChangeObservable where Self: AnyObject {
    /// Calls a method of the object itself.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject>(
        _ traits: [TraitKey],
        action: @escaping (Target) -> () -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the object itself, with the environment.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [TraitKey],
        action: @escaping (Target) -> (Environment) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }

    /// Calls a method of the object itself, with the environment and its collection before the
    /// update.
    @preconcurrency @discardableResult
    public func registerForTraitChanges<Target: AnyObject, Environment>(
        _ traits: [TraitKey],
        action: @escaping (Target) -> (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerForTraitChanges(traits, target: self, action: action)
    }
}
