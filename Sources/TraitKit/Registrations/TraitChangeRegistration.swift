// What stands for a registration, to end it.

/// A registration for trait changes (`UITraitChangeRegistration`).
///
/// Need not be kept: the environment keeps it, and it ends with the environment. A weak reference
/// is nil once the registration has ended.
public protocol TraitChangeRegistration: AnyObject, Sendable {}

/// The only kind there is: a number that is never used again.
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
