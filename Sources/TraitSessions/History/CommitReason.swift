// The reason that a client gives for a write, for the readers of the history.

import TraitJSON

package enum CommitReason {
    /// The most bytes of UTF-8. openapi.yaml has the same bound.
    package static let bytesMax = 256

    /// The bytes of a reason: UTF-8 without control characters, which a terminal could obey. O(bytes).
    ///
    /// - Parameter pointer: where the reason stands in the body; nil for a header field.
    /// - Throws: `malformedReason`.
    package static func checked(
        _ bytes: [UInt8], pointer: String? = nil
    ) throws(SessionError) -> [UInt8] {
        if isValid(bytes) { return bytes }
        throw SessionError(
            .malformedReason,
            "A reason is a text of 1 to \(bytesMax) bytes of UTF-8 without control characters.",
            pointer: pointer)
    }

    package static func isValid(_ bytes: [UInt8]) -> Bool {
        guard (1...bytesMax).contains(bytes.count),
            let text = String(validating: bytes, as: UTF8.self)
        else { return false }
        return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
