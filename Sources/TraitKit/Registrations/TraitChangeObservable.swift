// Registering for trait changes, in the spellings that UIKit has for it.

/// An environment whose trait changes can be observed (`UITraitChangeObservable`).
///
/// A handler runs in an update, after the environment took its new traits, when at least one of
/// the registered ones differs from before; once an update, however many do. There is no first
/// call. Parents hear before children, one environment's registrations in the order in which they
/// were made. A registration made by a handler waits for the next update, one ended by it is not
/// called any more. Handlers may write overrides: deeper ones are taken up in the same pass, others
/// in another one of the same update.
///
/// Any object may register at any environment; what is handed over is the observed one. A
/// registration lasts as long as its environment.
@MainActor
public protocol TraitChangeObservable: TraitEnvironment {}

extension TraitChangeObservable where Self: Responder {
    /// Calls a closure with the environment and its collection before the update.
    ///
    /// - Parameter traits: at least one; traits named twice count once.
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [Trait], handler: @escaping @MainActor (Self, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerTyped(traits, handler)
    }

    /// Calls a closure that declares the type of the environment: `(self: Self, previous:
    /// TraitCollection) in` inside of a class, or a superclass of the environment's.
    ///
    /// The environment has to be of that type; anything else stops the program.
    @discardableResult
    public func registerForTraitChanges<Environment: TraitEnvironment>(
        _ traits: [Trait], handler: @escaping @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        registerTyped(traits, handler)
    }

    private func registerTyped<Environment>(
        _ traits: [Trait], _ handler: @escaping @MainActor (Environment, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        require(self is Environment, "\(type(of: self)) is no \(Environment.self)")
        return register(traits) { environment, previous in
            if let environment = environment as? Environment { handler(environment, previous) }
        }
    }

    /// Ends a registration. Quiet when it ended before or belongs to another environment; nil is
    /// the programmer's error, as in UIKit, and stops the program.
    public func unregisterForTraitChanges(_ registration: (any TraitChangeRegistration)?) {
        guard let registration else {
            misuse("unregisterForTraitChanges(_:) needs a registration, not nil")
        }
        unregister(registration)
    }
}
