// The token of a registration, by which a program ends it.

/// A registration for trait changes (`UITraitChangeRegistration`).
///
/// The program need not keep the token: the environment keeps it, and the registration ends with
/// the environment. A weak reference to the token is nil once the registration has ended.
public protocol TraitChangeRegistration: AnyObject, Sendable {}

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
