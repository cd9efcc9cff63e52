// The operations of one commit, as they are applied: each is checked and applied by the engine,
// then written down as JSON, which is what the log keeps and what history shows.

import JSONCodec
import TraitEngine

/// Lives for one commit, while the session's lock is held.
struct Transaction {
    let session: Session
    var counts = OperationCounts()
    /// The operations so far, as a JSON array that is still open.
    let text: TextBuffer

    /// Whether a definition came or went, so that prepared encodings are stale.
    var changesDefinitions = false
    /// Whether the text of a creation was dropped, since no log and no stream would keep it.
    private(set) var isTextDropped = false
    /// Registrations that it made.
    var registered: [String] = []

    var hierarchy: Hierarchy { session.hierarchy }

    /// - Parameter text: where the operations are written down; what it held is gone.
    init(_ session: Session, text: TextBuffer) {
        self.session = session
        self.text = text
        text.json.reset()
        text.json.beginArray()
    }

    /// Drops the text of a commit that makes a session and outgrows the window of retained
    /// commits: nobody can have listened, and a log that lasts no longer than the process is
    /// truncated with the window. Keeps loading a large hierarchy from writing it down twice.
    mutating func dropTextThatNobodyKeeps() {
        guard text.json.count > Self.droppedTextBytes, session.head == 0,
            !session.log.survivesRestart,
            isTextDropped || text.json.count > session.limits.retainedBytesMax
        else { return }
        isTextDropped = true
        text.json.reset(keeping: 2 * Self.droppedTextBytes)
        text.json.beginArray()
    }

    /// The text that is written between two drops: what stays in a core's cache.
    private static let droppedTextBytes = 65_536

    /// Starts the record of an operation; the caller adds members and ends the object.
    mutating func record(_ kind: OperationKind) {
        counts.add(kind)
        text.json.beginObject()
        text.json.key("op")
        text.json.value(kind.rawValue)
    }

    mutating func write(_ name: StaticString, node: NodeIndex) {
        text.json.key(name)
        hierarchy.withIdentifier(of: node) { text.json.value(bytes: $0) }
    }

    mutating func write(_ value: TraitValue, of trait: TraitIndex) {
        let encoding = session.encodings.encoding(of: trait, in: hierarchy.definitions)
        encoding.write(value, into: &text.json)
    }
}

/// Reused storage for JSON text that is passed around. Exclusivity is not checked at run time: whoever
/// writes is alone, and what is written knows of no writer.
final class TextBuffer {
    @exclusivity(unchecked) var json = JSONWriter()
}

/// The two layers of values that a client can set at a node.
enum ValueLayer {
    case overrides, supplied

    var setKind: OperationKind { self == .overrides ? .setOverride : .setSupplied }
    var removeKind: OperationKind { self == .overrides ? .removeOverride : .removeSupplied }
    var member: StaticString { self == .overrides ? "overrides" : "supplied" }
}

/// Runs an engine operation and gives its refusal the interface's words.
@inline(__always)
func refusing<R>(
    _ body: () throws(OperationError) -> R
) throws(Problem) -> R {
    do { return try body() } catch { throw Problem(error) }
}
