// What a session notes beside its hierarchy: who manages its parts, when overrides end, and what they cover. Resolving
// values needs none of these.

import DequeModule
import JSONCodec
import TraitEngine
import TraitJSON

/// The notes change with the hierarchy: a transaction that is rolled back or a commit that is undone takes them back.
package struct Annotations: Sendable {
    /// A place in one of the tables.
    private enum Place: Hashable, Sendable {
        case manager(ManagedPlace)
        case end(NodeIndex, TraitIndex)
        case covered(NodeIndex, TraitIndex)
    }

    private struct Change: Sendable {
        let place: Place
        /// The number of the manager or the time before; nil for none.
        let old: Int64?
        /// The covered value before.
        var oldCovered: CoveredValue?
    }

    private struct Sealed: Sendable {
        let revision: Int64
        let changes: [Change]
        let digestBefore: StateDigest
    }

    package private(set) var managers = ManagerTable()
    package var expiries = ExpiryTable()
    package private(set) var covered = CoveredValues()
    /// The part of the session's digest for the notes.
    private(set) var digest = StateDigest()
    /// Those of the open transaction, the oldest first.
    private var open: [Change] = []
    private var digestBefore = StateDigest()
    private var sealed = Deque<Sealed>()

    var isEmpty: Bool { managers.count == 0 && expiries.count == 0 }

    // MARK: - Changes, inside of a transaction

    /// Sets the manager of a place; nil removes it.
    package mutating func setManager(
        _ place: ManagedPlace, _ manager: String?, in hierarchy: Hierarchy
    ) {
        if manager == nil, managers.isEmpty { return }
        let old = managers.manager(of: place)
        if old == manager { return }
        let number = managers.number(of: place)
        begin(Change(place: .manager(place), old: number.map(Int64.init)))
        if let old { digest.remove(ManagerTable.fact(place, old, hierarchy)) }
        if let manager { digest.add(ManagerTable.fact(place, manager, hierarchy)) }
        managers.put(place, manager)
    }

    /// Sets the time at which an override ends; nil has it stay, and drops the value that it covers, with the manager
    /// of that.
    mutating func setEnd(
        _ node: NodeIndex, _ trait: TraitIndex, _ time: Int64?, in hierarchy: Hierarchy
    ) {
        if time == nil, expiries.isEmpty { return }
        let old = expiries.time(node, trait)
        if old == time { return }
        if time == nil { dropCovered(node, trait, in: hierarchy) }
        begin(Change(place: .end(node, trait), old: old))
        if let old { digest.remove(ExpiryTable.fact(node, trait, old, hierarchy)) }
        if let time { digest.add(ExpiryTable.fact(node, trait, time, hierarchy)) }
        expiries.put(node, trait, time)
    }

    /// Sets the value that a temporary override covers; nil for none.
    mutating func setCovered(
        _ node: NodeIndex, _ trait: TraitIndex, _ value: CoveredValue?, in hierarchy: Hierarchy
    ) {
        let old = covered[node, trait]
        if old == value { return }
        begin(Change(place: .covered(node, trait), old: nil, oldCovered: old))
        if let old { digest.remove(CoveredValues.fact(node, trait, old, hierarchy)) }
        if let value { digest.add(CoveredValues.fact(node, trait, value, hierarchy)) }
        covered.put(node, trait, value)
    }

    /// Drops the value that an override covers, if there is one, with its manager.
    mutating func dropCovered(_ node: NodeIndex, _ trait: TraitIndex, in hierarchy: Hierarchy) {
        if covered.isEmpty || covered[node, trait] == nil { return }
        setCovered(node, trait, nil, in: hierarchy)
        setManager(ManagedPlace(node, .overrides, trait), nil, in: hierarchy)
    }

    /// To be called before the change of the digest.
    private mutating func begin(_ change: Change) {
        if open.isEmpty { digestBefore = digest }
        open.append(change)
    }

    /// Removes the notes of a node that is deleted.
    mutating func forget(_ node: NodeIndex, in hierarchy: Hierarchy) {
        for (place, _) in managers.places(at: node) { setManager(place, nil, in: hierarchy) }
        for end in expiries.ends(at: node) { setEnd(node, end.trait, nil, in: hierarchy) }
    }

    /// Adds the notes of a document, outside of any transaction. O(n · log(n)) for n times.
    mutating func restore(
        _ managed: [(place: ManagedPlace, manager: String)], _ ends: [Expiry],
        _ below: [CoveredPlace], in hierarchy: Hierarchy
    ) {
        for (place, manager) in managed { setManager(place, manager, in: hierarchy) }
        for end in ends { setEnd(end.node, end.trait, end.time, in: hierarchy) }
        for place in below { setCovered(place.node, place.trait, place.value, in: hierarchy) }
        open = []
        managers.seal()
    }

    /// Whether the open transaction changes a note in the end. O(changes).
    @inline(__always)
    package var hasOpenChanges: Bool { !open.isEmpty && hasOtherNotes }

    private var hasOtherNotes: Bool {
        var seen: Set<Place> = []
        return open.contains { change in
            guard seen.insert(change.place).inserted else { return false }
            return switch change.place {
            case .manager(let place): managers.number(of: place).map(Int64.init) != change.old
            case .end(let node, let trait): expiries.time(node, trait) != change.old
            case .covered(let node, let trait): covered[node, trait] != change.oldCovered
            }
        }
    }

    // MARK: - Rolling back

    /// Rolls back the open transaction.
    @inline(__always)
    mutating func rollback() {
        if !open.isEmpty { rollbackChanges() }
    }

    private mutating func rollbackChanges() {
        takeBack(open)
        open = []
        digest = digestBefore
        managers.dropUnsealed()
        expiries.compact()
    }

    private mutating func takeBack(_ changes: [Change]) {
        for change in changes.reversed() {
            switch change.place {
            case .manager(let place):
                managers.put(place, number: change.old.map(Int32.init(truncatingIfNeeded:)))
            case .end(let node, let trait): expiries.put(node, trait, change.old)
            case .covered(let node, let trait): covered.put(node, trait, change.oldCovered)
            }
        }
    }

    /// Ends the open transaction, which became the commit of that revision.
    ///
    /// - Returns: whether it changed notes.
    @inline(__always)
    mutating func seal(_ revision: Int64) -> Bool {
        if open.isEmpty { return false }
        sealed.append(Sealed(revision: revision, changes: open, digestBefore: digestBefore))
        open = []
        managers.seal()
        return true
    }

    /// Undoes the changes of commits after the revision.
    ///
    /// - Returns: whether they changed notes.
    mutating func undo(after revision: Int64) -> Bool {
        let count = sealed.count
        while let last = sealed.last, last.revision > revision {
            takeBack(last.changes)
            digest = last.digestBefore
            sealed.removeLast()
        }
        return sealed.count < count
    }

    /// Forgets how to undo commits up to the revision.
    @inline(__always)
    mutating func acknowledge(through revision: Int64) {
        if !sealed.isEmpty { forgetSealed(through: revision) }
    }

    private mutating func forgetSealed(through revision: Int64) {
        while let first = sealed.first, first.revision <= revision { sealed.removeFirst() }
        if open.isEmpty { expiries.compact() }
    }
}

/// The two layers of values that a client can set at a node.
package enum ValueLayer: Sendable {
    case overrides, supplied

    var setKind: OperationKind { self == .overrides ? .setOverride : .setSupplied }
    var removeKind: OperationKind { self == .overrides ? .removeOverride : .removeSupplied }
    package var member: StaticString { self == .overrides ? "overrides" : "supplied" }
}

/// Where an override goes when a temporary one is there, or when it is temporary itself.
package enum Stacking: Sendable {
    /// A temporary override that has no manager lies over a managed value. Every other one takes the place of what is
    /// there.
    case usual
    /// A temporary override lies over what is there.
    case over
    /// The override takes the place of what is there, managed or not.
    case instead
    /// The override goes below the temporary one that is there.
    case under
}
