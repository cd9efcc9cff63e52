// Reads of a session as it would be after operations: they are applied as in a dry run, the answer is written, and they
// are taken back. Everything that holds for writes holds for them, except that there is no commit.

import JSONCodec
import TraitEngine
import TraitJSON

/// The budget of a read of an assumed state.
package struct AssumedWork {
    package var budget: WorkBudget
    /// Bytes of the operations that are written down.
    private let textBytes: Int

    init(_ budget: WorkBudget, textBytes: Int) {
        self.budget = budget
        self.textBytes = textBytes
    }

    /// Whether an event loop waits for the answer.
    package var isShort: Bool { budget.isShort }

    /// To be called between parts of about a tenth of a millisecond, with the bytes of the answer so far.
    ///
    /// - Throws: `takesLong`, `memoryFull`, `interrupted`.
    package mutating func goOn(
        _ bytes: Int, _ session: SessionState
    ) throws(SessionError) {
        try budget.goOn(text: textBytes + bytes, session)
    }

    /// Before memory is taken that no request has brought.
    ///
    /// - Throws: `takesLong`, `memoryFull`.
    package func take(_ bytes: Int, _ session: SessionState) throws(SessionError) {
        try budget.take(bytes, session)
    }
}

/// What a request reads of the assumed state.
package struct AssumedRead: Sendable {
    /// Writes the answer from the assumed state.
    package typealias Writing = (
        _ state: SessionState, _ writer: inout JSONWriter, _ work: inout AssumedWork
    ) throws(SessionError) -> Void

    /// Reads what is needed of the state before the operations, and returns what writes the answer. Throws `takesLong`
    /// where that takes long and has to be short.
    package let begin:
        @Sendable (
            _ body: JSONValue, _ state: SessionState, _ work: inout AssumedWork
        ) throws(SessionError) -> Writing
    /// Whether nodes of a layout session show the values that they have after the next pass.
    package let updates: Bool
    /// Whether the answer is lines of JSON.
    package let asLines: Bool

    package init(
        updates: Bool, asLines: Bool,
        _ begin:
            @escaping @Sendable (
                JSONValue, SessionState, inout AssumedWork
            ) throws(SessionError) -> Writing
    ) {
        self.updates = updates
        self.asLines = asLines
        self.begin = begin
    }
}
