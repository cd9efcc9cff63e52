// Operations that name a device.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    /// Supplies a node with the traits of a device. What the device does not say stays.
    ///
    /// - Throws: `unknownTrait`, and what refuses a supplied value.
    package mutating func setDevice(_ node: NodeIndex, _ choice: DeviceChoice) throws(SessionError)
    {
        guard session.configuration.hasSystemTraits else {
            throw SessionError(
                .unknownTrait,
                "The session '\(session.name)' has no system traits, which are what a device supplies."
            ).inside(at: "/device")
        }
        for (trait, value) in choice.values { try set(.supplied, node, trait, value) }
    }
}
