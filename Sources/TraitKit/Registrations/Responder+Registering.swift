// Registering at an environment, behind all the spellings that there are for it.

internal import TraitEngine

extension Responder {
    /// Registers for changes of any of the traits.
    ///
    /// - Throws: `emptyTraitList`, `privateTrait` when only private members of the system sets
    ///   are named.
    package func tryRegister(
        _ traits: [Trait],
        _ handler: @escaping @MainActor (Responder, TraitCollection) -> Void
    ) throws(TraitError) -> any TraitChangeRegistration {
        let hierarchy = node.hierarchy
        let token = RegistrationToken(serial: hierarchy.nextSerial())
        let set = TraitTable.traits(traits)
        let registration = try hierarchy.tryChange { (engine) throws(OperationError) in
            try engine.register("registration-\(token.serial)", node: node.index, traits: set)
        }
        node.handlers[registration] = TraitChangeHandler(token: token, call: handler)
        return token
    }

    /// The same for lists that the program writes.
    func register(
        _ traits: [Trait],
        _ handler: @escaping @MainActor (Responder, TraitCollection) -> Void
    ) -> any TraitChangeRegistration {
        do throws(TraitError) {
            return try tryRegister(traits, handler)
        } catch {
            misuse("\(error)")
        }
    }

    /// Ends a registration of this environment; any other token does nothing.
    func unregister(_ token: any TraitChangeRegistration) {
        guard let token = token as? RegistrationToken,
            let registration = node.handlers.first(where: { $0.value.token == token })?.key
        else { return }
        node.handlers[registration] = nil
        node.hierarchy.change { $0.unregister(registration) }
    }
}
