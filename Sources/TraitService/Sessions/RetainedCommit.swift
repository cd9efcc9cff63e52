// A commit as its session keeps it: what streams, resume tokens and the log are views of.

import SessionLog
import TraitEngine

/// Immutable, shared by all who read it.
final class RetainedCommit: Sendable {
    /// One record that somebody hears of the commit.
    enum Note: Sendable {
        case change(ChangeNote)
        case invalidation(InvalidationNote)

        /// The node that it is about.
        var node: String {
            switch self {
            case .change(let note): note.node
            case .invalidation(let note): note.node
            }
        }

        /// Whether a registration hears of it; watches are no part of the state and do not count.
        var isRegistered: Bool {
            if case .change(let note) = self { note.id != nil } else { false }
        }
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

    /// Registrations that hear of it.
    var notified: Int { notes.count { $0.isRegistered } }

    /// What keeping it costs, about.
    var byteCount: Int {
        160 + entry.payload.count + cause.count + notes.count * 120 + endings.count * 16
    }
}

/// One registration or watch that hears of a change.
struct ChangeNote: Sendable {
    let registration: RegistrationIndex
    /// nil for a watch.
    let id: String?
    let node: String
    /// The `changes` array, ready to copy; shared by notes with equal changes.
    let changes: [UInt8]
    /// The arrays `colors` and `images`, ready to copy; empty when there are none.
    var colors: [UInt8] = []
    var images: [UInt8] = []
}

/// A tracked scope that went stale: who watches its node, or has a registration on it, hears.
struct InvalidationNote: Sendable {
    let node: String
    let scope: String
    /// What UIKit would call, such as `setNeedsLayout`.
    let invalidation: String
    /// The array `changed`, ready to copy.
    let changed: [UInt8]
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
    case setScope, removeScope
    case defineEnvironmentKey, deleteEnvironmentKey, setEnvironment, removeEnvironment
    case defineColor, deleteColor, defineImage, deleteImage
}
