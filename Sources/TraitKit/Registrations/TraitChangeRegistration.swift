// What stands for a registration, to end it.

/// A registration for trait changes (`UITraitChangeRegistration`). A copy stands for the same
/// registration. Need not be kept: the registration ends with the environment.
public protocol TraitChangeRegistration: Sendable {}

/// The only kind there is: a number that is never used again.
struct RegistrationToken: TraitChangeRegistration, Hashable {
    let serial: UInt64
}
