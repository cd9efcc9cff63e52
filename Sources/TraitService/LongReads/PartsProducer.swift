// A long answer about a snapshot, written part after part on the workers.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitSessions

/// A text about a session that remembers how much of it is written.
protocol TextInParts: Sendable {
    /// Writes on until the writer has `budget` bytes. Runs while the session's lock is held.
    ///
    /// - Returns: whether that is all.
    mutating func write(from session: Session, budget: Int, into writer: inout JSONWriter) -> Bool
}

/// Writes a text from a snapshot.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
final class PartsProducer<Text: TextInParts>: BodyProducer, @unchecked Sendable {
    private let snapshot: SessionSnapshot
    private var text: Text
    private var writer = JSONWriter()

    init(_ snapshot: SessionSnapshot, _ text: Text) {
        self.snapshot = snapshot
        self.text = text
    }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        // The snapshot was materialized before the answer began, so this never fails.
        guard let session = try? snapshot.session() else { return true }
        let isLast = session.locked { text.write(from: session, budget: budget, into: &writer) }
        out.append(writer.bytes)
        writer.reset()
        return isLast
    }
}
