// Registering for trait changes: the protocol with UIKit's requirements, and the token of a
// registration.

/// A type that calls a program's code when traits change (`UITraitChangeObservable`).
///
/// A handler runs in an update, after the environment took its new traits, when at least one of the
/// registered traits differs from before. It runs once an update, however many traits differ. For a
/// window scene, window or view controller each write to that object is such an update of its own.
/// Registering calls no handler. Handlers of parents run before those of children, handlers of one
/// environment in the order of their registrations. A registration made by a handler waits for the
/// next update. A registration that a handler ends is not called any more. Handlers may write
/// overrides: overrides of deeper environments take effect in the same pass, others in another pass
/// of the same update.
///
/// Any object may register at any environment. The handler gets the observed environment. A
/// registration lasts as long as its environment.
///
/// All environments conform. A type of the program may conform by forwarding to an environment, for
/// code that takes `some TraitChangeObservable` or `any TraitChangeObservable`.
@MainActor
public protocol TraitChangeObservable {
    /// A handler. It gets the environment, and the environment's collection before the update.
    typealias TraitChangeHandler<Environment> =
        @MainActor (_ environment: Environment, _ previousTraitCollection: TraitCollection) -> Void

    /// Calls a closure that declares the type of the environment: `(self: Self, previous:
    /// TraitCollection) in` inside of a class, a superclass of it, or `any TraitEnvironment`.
    ///
    /// The environment has to be of that type; anything else stops the program.
    ///
    /// - Parameters:
    ///   - traits: at least one; traits named twice count once.
    ///   - handler: gets the environment, and its collection before the update.
    @preconcurrency @discardableResult
    func registerForTraitChanges<Environment>(
        _ traits: [TraitKey], handler: @escaping TraitChangeHandler<Environment>
    ) -> any TraitChangeRegistration

    /// Ends a registration. Does nothing when it has ended before or belongs to another
    /// environment.
    @preconcurrency
    func unregisterForTraitChanges(_ registration: any TraitChangeRegistration)
}

extension TraitChangeObservable {
    /// Calls a closure with the object and its collection before the update.
    ///
    /// - Parameters:
    ///   - traits: at least one; traits named twice count once.
    ///   - handler: gets the environment, and its collection before the update.
    @preconcurrency @discardableResult
    public func registerForTraitChanges(
        _ traits: [TraitKey],
        handler: @escaping @MainActor (Self, TraitCollection) -> Void
    ) -> any TraitChangeRegistration where Self: TraitEnvironment {
        // The existential has only the requirement; on `Self` this overload would call itself.
        let observable: any TraitChangeObservable = self
        return observable.registerForTraitChanges(traits, handler: handler)
    }

    /// Ends a registration. Passing nil is a programmer's error, as in UIKit, and stops the
    /// program.
    @preconcurrency
    public func unregisterForTraitChanges(_ registration: (any TraitChangeRegistration)?) {
        guard let registration else {
            misuse("unregisterForTraitChanges(_:) needs a registration, not nil")
        }
        unregisterForTraitChanges(registration)
    }
}

/// A registration for trait changes (`UITraitChangeRegistration`).
///
/// The program need not keep the token: the environment keeps it, and the registration ends with
/// the environment. A weak reference to the token is nil once the registration has ended.
public protocol TraitChangeRegistration: AnyObject, Sendable {}

extension TraitChangeRegistration {
    /// The registration itself: it never changes.
    public func copy() -> Any { self }
}

/// The one conforming class: a serial number that is never used again.
final class RegistrationToken: TraitChangeRegistration, Hashable {
    let serial: UInt64

    init(serial: UInt64) {
        self.serial = serial
    }

    static func == (left: RegistrationToken, right: RegistrationToken) -> Bool {
        left.serial == right.serial
    }

    func hash(into hasher: inout Hasher) { hasher.combine(serial) }
}
