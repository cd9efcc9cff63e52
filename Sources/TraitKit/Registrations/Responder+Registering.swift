// Registering at an environment. All overloads of `registerForTraitChanges` come here.

internal import TraitEngine

/// The handler of one registration, with the number of its token.
struct RegisteredHandler {
    let token: RegistrationToken
    /// Gets the observed environment and its collection before the update.
    let call: @MainActor (Responder, TraitCollection) -> Void
}

extension Responder {
    /// Registers for changes of any of the traits.
    ///
    /// - Throws: `emptyTraitList`, `privateTrait` when only private members of the system sets
    ///   are named.
    package func tryRegister(
        _ traits: [TraitKey],
        _ handler: @escaping @MainActor (Responder, TraitCollection) -> Void
    ) throws(TraitError) -> any TraitChangeRegistration {
        let hierarchy = node.hierarchy
        let token = RegistrationToken(serial: hierarchy.nextSerial())
        let set = TraitTable.traits(traits)
        let registration = try hierarchy.tryChange { (engine) throws(OperationError) in
            try engine.register("registration-\(token.serial)", node: node.index, traits: set)
        }
        node.handlers[registration] = RegisteredHandler(token: token, call: handler)
        return token
    }

    /// Registers for a list in the program's source. An invalid list is a programmer's error.
    func register(
        _ traits: [TraitKey],
        _ handler: @escaping @MainActor (Responder, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        do throws(TraitError) {
            return try tryRegister(traits, handler)
        } catch {
            misuse("\(error)")
        }
    }

    /// Calls a closure that declares the type of the environment; see `TraitChangeObservable`.
    @discardableResult
    public func registerForTraitChanges<Environment>(
        _ traits: [TraitKey], handler: @escaping TraitChangeHandler<Environment>
    ) -> any TraitChangeRegistration {
        require(self is Environment, "\(type(of: self)) is no \(Environment.self)")
        return register(traits) { environment, previous in
            if let environment = environment as? Environment { handler(environment, previous) }
        }
    }

    /// Ends a registration. Does nothing when it has ended before or belongs to another
    /// environment.
    public func unregisterForTraitChanges(_ registration: any TraitChangeRegistration) {
        guard let token = registration as? RegistrationToken,
            let registration = node.handlers.first(where: { $0.value.token == token })?.key
        else { return }
        node.handlers[registration] = nil
        node.hierarchy.change { $0.unregister(registration) }
    }
}
