// Every bound the reader keeps, in one place. A text that breaks one is refused with an error that
// names the limit and states its value.

import Limits

/// Limits on the texts of a ``JSONTape``, and on the memory that it keeps between two texts.
package struct JSONLimits: Sendable, Equatable {
    /// The most containers inside one another; `[[1]]` has a depth of two, a scalar of none.
    package var depthMax: Int

    /// The longest text. Larger settings than ``documentBytesCeiling`` count as the ceiling.
    package var documentBytesMax: Int

    /// The most values in one text, member names counted as well. Each takes 16 bytes of memory.
    package var valuesMax: Int

    /// The most bytes that each of the tape's buffers keeps for the next text; larger ones are given
    /// back, so that one large text does not hold its memory for the rest of the process.
    package var retainedBytesMax: Int

    package init(
        depthMax: Int = 64,
        documentBytesMax: Int = JSONLimits.documentBytesCeiling,
        valuesMax: Int = 67_108_864,
        retainedBytesMax: Int = 4_194_304
    ) {
        self.depthMax = max(0, depthMax)
        self.documentBytesMax = max(0, min(documentBytesMax, JSONLimits.documentBytesCeiling))
        self.valuesMax = max(1, min(valuesMax, JSONLimits.documentBytesCeiling))
        self.retainedBytesMax = max(0, retainedBytesMax)
    }

    /// Lengths and counts have 29 bits on the tape, and no text has more values than bytes.
    package static let documentBytesCeiling = 536_870_911

    /// How much of a member name an error repeats.
    static let keyInErrorBytesMax = 256

    /// How long a pointer an error carries.
    static let pointerInErrorBytesMax = 1_024
}

extension JSONLimits: LimitTable {
    package init() { self.init(depthMax: 64) }

    private static let malformed = LimitConsequence.refused(status: 400, code: "malformed-json")

    // The names say that they are about JSON, since a tree has a depth, too.
    package static let all: [Limit<JSONLimits>] = [
        Limit(
            "jsonDepthMax", \.depthMax, beyond: malformed,
            help: "Objects and arrays inside one another in a body."),
        Limit(
            "jsonDocumentBytesMax", \.documentBytesMax, beyond: malformed,
            help: "Bytes of a body or a file; what the tape can count."),
        Limit(
            "jsonValuesMax", \.valuesMax,
            beyond: malformed,
            help: "Values and member names of one body."),
        Limit(
            "jsonRetainedBytesMax", \.retainedBytesMax,
            beyond: .effect("the memory is given back after the request"),
            help: "Bytes that each buffer of a tape keeps for the next body."),
    ]
}
