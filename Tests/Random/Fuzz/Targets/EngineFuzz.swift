// Operations decoded from bytes, applied in transactions that are kept, taken back or undone. After
// each, every structure is checked against every other, and what was taken back must be as before.

import TraitEngine

/// One hierarchy and what is known of its past.
struct EngineFuzz {
    private static let stepsMax = 32
    private static let operationsMax = 16

    let hierarchy: Hierarchy
    /// What it looks like now.
    private var present: [NodePicture] = []
    /// What it looked like at each revision that can be gone back to.
    private var past: [Int64: [NodePicture]] = [:]
    private var watches = WatchBook()
    /// Copies that are not made yet, and what they must show.
    private var snapshots: [(HierarchySnapshot, [NodePicture])] = []

    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        var source = ByteSource(input)
        var run = EngineFuzz(mode: source.byte())
        try run.transaction(&source, start: true)
        var steps = 0
        while !source.isEmpty, steps < stepsMax {
            steps += 1
            try run.step(&source)
            do throws(InvariantError) {
                try run.hierarchy.checkInvariants()
            } catch {
                throw FuzzFailure("after step \(steps): \(error)")
            }
        }
        try run.finish()
    }

    private init(mode: UInt8) {
        let sizes =
            mode & 4 == 0
            ? StructureSizes(blockLevels: 2, listedChildrenMax: 2) : StructureSizes()
        var limits = HierarchyLimits()
        limits.nodesMax = 24
        limits.depthMax = 10
        limits.registrationsMax = 12
        limits.customTraitsMax = 4
        limits.snapshotsMax = 2
        hierarchy = Hierarchy(
            propagation: mode & 1 == 0 ? .unified : .legacy,
            updates: mode & 2 == 0 ? .immediate : .layout, limits: limits, hashSeed: 0x5EED,
            sizes: sizes)
    }

    private mutating func step(_ source: inout ByteSource) throws(FuzzFailure) {
        switch source.below(12) {
        case 0: try undo()
        case 1: acknowledge(&source)
        case 2: watches.add(&source, hierarchy)
        case 3: watches.remove(&source, hierarchy)
        case 4: takeSnapshot()
        case 5: try completeSnapshot(&source)
        case 6: hierarchy.reclaimSlice()
        default: try transaction(&source, start: false)
        }
    }

    private mutating func transaction(
        _ source: inout ByteSource, start: Bool
    ) throws(FuzzFailure) {
        hierarchy.begin()
        var keeps = source.byte() & 7 != 0
        var operations = EngineOperations(hierarchy)
        for _ in 0..<1 + source.below(Self.operationsMax) {
            do throws(OperationError) {
                try operations.apply(&source)
            } catch {
                // Refused, as a client's transaction would be: all of it goes.
                keeps = keeps && source.byte() & 1 == 0
                if !keeps { break }
            }
        }
        guard keeps || start else {
            hierarchy.rollback()
            return try expectPresent("before and after a rollback")
        }
        let commit = hierarchy.commit()
        for notification in commit.notifications {
            _ = commit.changes(of: notification)
            _ = commit.dynamicChanges(of: notification)
        }
        if commit.isUnchanged { return try expectPresent("before and after no change") }
        watches.note(commit)
        past[commit.revision - 1] = present
        present = NodePicture.all(of: hierarchy)
    }

    private func expectPresent(_ what: String) throws(FuzzFailure) {
        try expectSame(what, present, NodePicture.all(of: hierarchy))
    }

    private mutating func undo() throws(FuzzFailure) {
        guard hierarchy.unacknowledgedCount > 0 else { return }
        watches.undone(hierarchy.undo(), revision: hierarchy.revision)
        present = past.removeValue(forKey: hierarchy.revision) ?? []
        try expectPresent("before and after undoing")
    }

    private mutating func acknowledge(_ source: inout ByteSource) {
        let revision = hierarchy.revision - Int64(source.below(3))
        hierarchy.acknowledge(through: revision)
        watches.acknowledged(through: revision)
    }

    private mutating func takeSnapshot() {
        if let snapshot = try? hierarchy.snapshot() { snapshots.append((snapshot, present)) }
    }

    private mutating func completeSnapshot(_ source: inout ByteSource) throws(FuzzFailure) {
        guard !snapshots.isEmpty else { return }
        let (snapshot, picture) = snapshots.remove(at: source.below(snapshots.count))
        if source.byte() & 3 == 0 { return snapshot.cancel() }
        guard let copy = try? snapshot.materialize() else {
            throw FuzzFailure("a snapshot was not made")
        }
        try expectSame("the hierarchy and its copy", picture, NodePicture.all(of: copy))
    }

    /// Everything back to the beginning, or for good.
    private mutating func finish() throws(FuzzFailure) {
        while hierarchy.unacknowledgedCount > 0 { try undo() }
        for (snapshot, picture) in snapshots {
            guard let copy = try? snapshot.materialize() else { continue }
            try expectSame("the hierarchy and its late copy", picture, NodePicture.all(of: copy))
        }
        do throws(InvariantError) {
            try hierarchy.checkInvariants()
        } catch {
            throw FuzzFailure("at the end: \(error)")
        }
    }
}
