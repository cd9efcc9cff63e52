// The handler that a registration calls.

/// The handler of one registration, with the number of its token.
struct RegisteredHandler {
    let token: RegistrationToken
    /// Gets the observed environment and its collection before the update.
    let call: @MainActor (Responder, TraitCollection) -> Void
}
