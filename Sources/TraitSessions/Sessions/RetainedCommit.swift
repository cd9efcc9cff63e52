// A commit as its session keeps it: what streams, resume tokens and the log are views of.

import Background
import SessionLog
import TraitEngine

/// Immutable, shared by all who read it.
package final class RetainedCommit: Sendable {
    /// One record that somebody hears of the commit.
    package enum Note: Sendable {
        case change(ChangeNote)
        case invalidation(InvalidationNote)

        /// The node that it is about.
        var node: String {
            switch self {
            case .change(let note): note.node
            case .invalidation(let note): note.node
            }
        }

        /// The nodes at or above it whose subtrees have streams.
        var within: [Int32] {
            get {
                switch self {
                case .change(let note): note.within
                case .invalidation(let note): note.within
                }
            }
            set {
                switch self {
                case .change(var note):
                    note.within = newValue
                    self = .change(note)
                case .invalidation(var note):
                    note.within = newValue
                    self = .invalidation(note)
                }
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
        let key: RegistrationKey?
        let reason: StreamReason
    }

    package let entry: LogEntry
    private let payload: EntryPayload
    /// Whether the entry has all operations; else no stream may read it, and it is not retained.
    let isWhole: Bool
    let counts: OperationCounts
    /// In delivery order.
    package let notes: [Note]
    /// Bytes of what the notes hold; what several share counts once.
    let noteBytes: Int
    let endings: [Ending]
    /// Whether registrations came or went.
    let changesRegistrations: Bool
    /// Nodes with streams of their subtrees that are gone.
    let endedSubtrees: [Int32]
    /// Nanoseconds of `SessionEnvironment.ticks`; 0 when no stream was open.
    let decidedAt: UInt64

    init(
        entry: LogEntry, payload: EntryPayload, isWhole: Bool = true, counts: OperationCounts,
        notes: [Note], noteBytes: Int = 0, endings: [Ending], registers: Bool = false,
        endedSubtrees: [Int32] = [], decidedAt: UInt64 = 0
    ) {
        self.entry = entry
        self.payload = payload
        self.isWhole = isWhole
        self.counts = counts
        self.notes = notes
        self.noteBytes = noteBytes
        self.endings = endings
        changesRegistrations = registers || endings.contains { $0.key != nil }
        self.endedSubtrees = endedSubtrees
        self.decidedAt = decidedAt
    }

    /// Whether nodes may have another place in the tree.
    var changesTree: Bool {
        counts.kinds.contains {
            $0.kind == .createNode || $0.kind == .updateNode || $0.kind == .deleteNode
        }
    }

    /// Whether streams and answers hear of it, or what could undo it is let go, for longer than others
    /// can wait.
    var takesLongToPublish: Bool {
        notes.count + endings.count > ShortWrite.deletedMax
            || counts.total > ShortWrite.acknowledgedMax
    }

    /// A million notes take tens of milliseconds to give back, which no event loop does.
    deinit {
        guard
            notes.count + endings.count > Disposal.itemsMax
                || entry.payload.count > Disposal.bytesMax
        else { return }
        Disposal.keepForAWhile((notes, endings, entry))
    }

    /// Bytes of one record of a note at most, about.
    static func recordBytes(of note: Note) -> Int {
        switch note {
        case .change(let note):
            200 + note.node.utf8.count + note.changes.count + note.colors.count + note.images.count
                + (note.collections.map { $0.previous.count + $0.current.count } ?? 0)
        case .invalidation(let note): 200 + note.node.utf8.count + note.changed.count
        }
    }

    /// The operations, as a JSON array.
    func withOperations<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        entry.payload.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[payload.operations]))
        }
    }

    /// What the request was, as a JSON object; empty when nothing is known of it.
    func withCause<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        entry.payload.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[payload.cause])) }
    }

    package var revision: Int64 { entry.revision }

    /// Registrations that hear of it.
    package var notified: Int { notes.count { $0.isRegistered } }

    /// What keeping it costs, about: the process grows by 320 bytes for a commit beside what is in it.
    package var byteCount: Int {
        320 + entry.payload.count + notes.count * 120 + noteBytes + endings.count * 32
    }
}

/// One registration or watch that hears of a change.
package struct ChangeNote: Sendable {
    let registration: RegistrationIndex
    /// nil for a watch.
    package let id: String?
    package let node: String
    /// The `changes` array, ready to copy; shared by notes of the same changes.
    let changes: [UInt8]
    /// The arrays `colors` and `images`, ready to copy; empty when there are none.
    var colors: [UInt8] = []
    var images: [UInt8] = []
    /// The values of all its traits before and after, as JSON objects, where a stream wants them.
    var collections: (previous: [UInt8], current: [UInt8])?
    /// The nodes at or above it whose subtrees have streams.
    var within: [Int32] = []
}

/// A tracked scope that went stale: who watches its node, or has a registration on it, hears.
package struct InvalidationNote: Sendable {
    package let node: String
    package let scope: String
    /// What UIKit would call, such as `setNeedsLayout`.
    let invalidation: String
    /// The array `changed`, ready to copy.
    let changed: [UInt8]
    /// The nodes at or above it whose subtrees have streams.
    var within: [Int32] = []
}
