// A commit as its session keeps it: what streams, resume tokens and the log are views of.

import SessionLog
import TraitEngine

/// Immutable, shared by all who read it.
final class RetainedCommit: Sendable {
    /// One registration or watch that hears of the commit.
    struct Note: Sendable {
        let registration: RegistrationIndex
        /// nil for a watch.
        let id: String?
        let node: String
        /// The `changes` array, ready to copy; shared by notes with equal changes.
        let changes: [UInt8]
    }

    /// A registration or watch that ended with this commit.
    struct Ending: Sendable {
        let registration: RegistrationIndex
        /// nil for a watch.
        let id: String?
        let reason: StreamReason
    }

    let entry: LogEntry
    /// Whether the entry has all operations; else nobody may read it, and it is not retained.
    let isWhole: Bool
    /// `cause`, ready to copy; empty when there is none.
    let cause: [UInt8]
    let counts: OperationCounts
    /// In delivery order.
    let notes: [Note]
    let endings: [Ending]

    init(
        entry: LogEntry, isWhole: Bool = true, cause: [UInt8], counts: OperationCounts,
        notes: [Note], endings: [Ending]
    ) {
        self.entry = entry
        self.isWhole = isWhole
        self.cause = cause
        self.counts = counts
        self.notes = notes
        self.endings = endings
    }

    var revision: Int64 { entry.revision }

    /// Registrations that hear of it; watches are no part of the state and do not count.
    var notified: Int { notes.count { $0.id != nil } }

    /// What keeping it costs, about.
    var byteCount: Int {
        160 + entry.payload.count + cause.count + notes.count * 120 + endings.count * 16
    }
}

/// How many operations of each kind a commit has.
struct OperationCounts: Sendable {
    private(set) var total = 0
    private var counts: [(kind: OperationKind, count: Int)] = []

    mutating func add(_ kind: OperationKind) {
        total += 1
        if let position = counts.firstIndex(where: { $0.kind == kind }) {
            counts[position].count += 1
        } else {
            counts.append((kind, 1))
        }
    }

    /// In the order in which the kinds first came.
    var kinds: [(kind: OperationKind, count: Int)] { counts }
}

/// The operations of a transaction, by their name in `op`.
enum OperationKind: String, CaseIterable, Sendable {
    case createNode, updateNode, deleteNode
    case setOverride, removeOverride, setSupplied, removeSupplied
    case defineTrait, deleteTrait
    case register, unregister
    case layout, updateTraitsIfNeeded
}
