// One commit while it is applied: each operation is checked and applied by the engine, then
// written down as JSON, which is what the log holds and what history shows.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON

/// Lives for one commit, while the session's lock is held.
package struct Transaction {
    package let session: SessionState
    /// Milliseconds since 1970: the time of the commit. A replay passes that of the log entry.
    let time: Int64
    /// Whether operations that create or find must create.
    let wantsNew: Bool
    /// What is left of the work that it may do.
    package var budget: WorkBudget
    /// Whether the operations are those of a log entry, so that times in them may be over.
    var isReplay = false
    /// Whether the times in its operations are those of an earlier state, which may be over by now.
    package var takesAnyEnd = false
    /// The manager of the values and nodes that the transaction sets and creates; nil for none.
    let manager: String?
    var counts = OperationCounts()
    /// The end of the operations that a plan lists, in `text`; nil when a plan lists all of them.
    private(set) var listedEnd: Int?
    /// The operations so far, as a JSON array that is still open.
    let text: TextBuffer

    /// Whether a definition came or went, so that prepared encodings are stale.
    var changesDefinitions = false
    /// Whether the text of a creation was dropped, because no log keeps it.
    private(set) var isTextDropped = false
    /// The format that a process has to read to follow the commit; see `SessionHeader.format`.
    private(set) var neededFormat: Int64 = 1
    /// Registrations that it made.
    package var registered: [RegistrationKey] = []
    /// Registrations that it found as they were asked for, which renews their leases.
    var renewed: [RegistrationKey] = []
    /// The managers that a revert has given back.
    var givenBack: [NamedManager] = []
    /// Whether an operation that creates or finds has created.
    var isNew = false
    /// The numbers of nodes and scopes that its operations have deleted, and of the overrides of these nodes.
    var ended = EndedCounts()

    package var hierarchy: Hierarchy { session.hierarchy }
    /// The revision that the commit will have.
    var revision: Int64 { session.head + 1 }

    /// - Parameter text: where the operations are written down, behind what it holds already.
    init(
        _ session: SessionState, time: Int64, wantsNew: Bool = false, text: TextBuffer,
        manager: String? = nil, budget: WorkBudget = .unbounded
    ) {
        self.manager = manager
        self.budget = budget
        self.session = session
        self.time = time
        self.wantsNew = wantsNew
        self.text = text
    }

    /// Drops the text of a commit that makes a session and outgrows the window of retained
    /// commits, when there is no log. No stream and no follower can have listened,
    /// and loading a large hierarchy does not write it down twice.
    mutating func dropTextThatNoLogKeeps() {
        guard text.json.count > Self.droppedTextBytes, session.head == 0,
            session.log == nil,
            isTextDropped || text.json.count > session.limits.retainedBytesMax
        else { return }
        isTextDropped = true
        EntryPayload.restart(text, keeping: 2 * Self.droppedTextBytes)
    }

    /// Bytes of text that are written between two drops: few enough to stay in a core's cache.
    private static let droppedTextBytes = 65_536

    package mutating func needs(format: Int64) { neededFormat = max(neededFormat, format) }

    /// Starts the record of an operation; the caller adds members and ends the object.
    mutating func record(_ kind: OperationKind) {
        if counts.total == session.limits.answeredChangesMax, listedEnd == nil {
            listedEnd = text.json.count
        }
        counts.add(kind)
        text.json.beginObject()
        text.json.member("op", kind.rawValue)
    }

    mutating func write(_ name: StaticString, node: NodeIndex) {
        text.json.key(name)
        text.json.value(bytes: hierarchy.identifierBytes(of: node))
    }

    func encoding(of trait: TraitIndex) -> TraitEncoding {
        session.encodings.known(trait)
            ?? session.encodings.encoding(of: trait, in: hierarchy.definitions)
    }

    mutating func write(_ value: TraitValue, of trait: TraitIndex) {
        encoding(of: trait).write(value, into: &text.json)
    }
}

/// Runs an engine operation and gives its refusal the words of a session.
@inline(__always)
package func refusing<R>(
    _ body: () throws(OperationError) -> R
) throws(SessionError) -> R {
    do { return try body() } catch { throw SessionError(error) }
}
