// The rule for the names of sessions, nodes, registrations and definitions.

import TraitEngine

/// The grammar of names is the engine's; here are its length and the words of a refusal.
package enum Identifier {
    package static let bytesMax = 128

    /// The identifier as text.
    /// - Throws: `malformedIdentifier` when no identifier can look like this.
    package static func checked(
        _ bytes: UnsafeRawBufferPointer
    ) throws(SessionError) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isValid(bytes) else { throw .malformedIdentifier(text) }
        return text
    }

    package static func isValid(_ text: String) -> Bool {
        IdentifierRules.isWellFormed(text, bytesMax: bytesMax)
    }

    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        IdentifierRules.isWellFormed(bytes, bytesMax: bytesMax)
    }
}
