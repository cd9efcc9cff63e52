// The difference of two sessions, as the operations of a transaction that turns one into the other. Both sessions are
// snapshots, which do not change. The comparison is computed and written in slices.
//
// The operations come in this order, so that each of them is possible after those before it:
//
//     unregister, removeScope            ends notifications, and references to definitions
//     removeOverride, …                  values that the target lacks or defines differently
//     createNode, updateNode             hangs detached trees that keep values of deleted definitions below a window,
//                                        since they keep them for as long as they are detached
//     layout, updateTraitsIfNeeded       in a layout session whose traits are deleted: no node shows their values
//                                        any more, attached or not
//     delete…                            a definition cannot change, so it is deleted first, and before nodes
//                                        move: a detached node keeps what it inherited
//     updateNode with null               detaches moving nodes, so that no move makes a cycle, and those trees
//     deleteNode                         nodes that the target lacks, and that window
//     define…
//     createNode, updateNode             in tree order, a parent before its children
//     moveNode                           siblings that stand otherwise then
//     setOverride, …, updateNode         values and labels
//     register, setScope
//
// A revert leaves out the first and the last line, as registrations and scopes stay. Limited to subtrees, it leaves
// out the definitions as well.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// The operations that turn session `b` into session `a`.
package final class SessionComparison {
    enum Stage: Int {
        // Computed before anything is written.
        case ordinals, fates, registrations, listeners, ready
        // Written, in this order.
        case unregister, removeScopes, removeValues, shelter, update, deleteDefinitions
        case leaveShelter, detach, deleteNodes, deleteShelter, define
        case nodes, leftNodes, findUnordered, order, setValues, register, setScopes, expired, end
    }

    /// The fate of a node of `b` under the operations.
    enum Fate: UInt8 {
        case gone, stays
        /// The node is detached, and later attached at its new place.
        case moves
    }

    /// The sessions whose locks `prepare` and `write` take. `b` is nil where the caller holds its state.
    private let sessions: (a: Session, b: Session?)
    // Read by `prepare` and `write` alone, which hold both locks, so neither state changes.
    let a: SessionState
    let b: SessionState
    var stage = Stage.ordinals
    /// The last node or registration that the stage visited.
    var lastNode: NodeIndex?
    var lastRegistration: RegistrationIndex?
    /// The root of the detached tree that is visited, until an update of the tree is written.
    private var detachedRoot: NodeIndex?
    /// By node of `b`: its place in tree order, and its fate.
    var ordinals = NodeMap<Int32>(-1)
    var fates = NodeMap(Fate.gone)
    private var stayingCount = 0
    var count: Int32 = 0
    /// By node of `a`: its node of `b`.
    var counterparts = NodeMap(Counterpart.unknown)
    enum Counterpart {
        static let unknown: Int32 = -2
        static let none: Int32 = -1
    }
    /// By node of `a`: whether the operations so far have visited the node, so that it is at its place, or a root
    /// that is attached later.
    var isVisited = NodeMap(false)
    /// Nodes of `b` that hang below the window `shelter` while definitions are deleted.
    var sheltered: [NodeIndex] = []
    lazy var shelter: String = {
        var number = 1
        func isTaken(_ hierarchy: Hierarchy) -> Bool { hierarchy.node("detached-\(number)") != nil }
        while isTaken(a.hierarchy) || isTaken(b.hierarchy) { number += 1 }
        return "detached-\(number)"
    }()
    /// Whether all operations were written, and then an override whose time is over.
    private var isListed = false
    var hasExpired = false
    /// Nodes of `a` that are attached when all nodes exist.
    var left: [NodeIndex] = []
    var wereLeft: Set<NodeIndex> = []
    /// By level of `a`'s tree: where the last sibling stands that was visited.
    var lastPlaces: [Int64] = []
    /// The trait parents of `a` whose children stand otherwise; nil for the roots.
    var unordered: [NodeIndex?] = []
    var isUnordered: Set<NodeIndex?> = []
    /// The places of `b`'s registrations, and the names of those that stay.
    var registrationOrdinals: [String: Int] = [:]
    var keptRegistrations: Set<String> = []
    var madeOrder = MadeOrder()
    let definitions: DefinitionDifference
    /// The wall clock when the comparison began. Overrides that have ended by then are no part of what `a` sets.
    let now: Int64
    /// Whether registrations and scopes stay as `b` has them.
    private let keepsListeners: Bool
    /// The nodes that are compared; nil for all nodes and the definitions.
    private(set) var part: ComparedPart?
    /// How many operations were written.
    package private(set) var operationCount = 0
    var hasBegun = false

    /// How many nodes or registrations a slice visits: about a millisecond of work.
    static let itemsAtATime = 1_000

    /// - Parameters:
    ///   - a: the session that `b` is to become.
    ///   - b: the session that the operations change. Both are sessions of snapshots.
    package init(_ a: Session, _ b: Session) {
        sessions = (a, b)
        (self.a, self.b) = (a.frozenState, b.frozenState)
        keepsListeners = false
        now = self.b.environment.now()
        definitions = Self.locked(a, b) { DefinitionDifference($0, $1) }
        if a === b { stage = .ready }
    }

    /// The operations that revert a session to an earlier state.
    ///
    /// - Parameters:
    ///   - a: the earlier state, a session of a snapshot.
    ///   - b: the session, whose state the caller holds as long as the comparison lasts.
    ///   - nodes: the nodes to whose subtrees the revert is limited; nil for the whole session.
    ///   - moves: whether it moves nodes into these subtrees, and out of them.
    /// - Throws: `unknownNode` for a node that neither state has; `inUse` for nodes that it may not move.
    init(
        revertTo a: Session, from b: SessionState, nodes: [String]?, moves: Bool
    ) throws(SessionError) {
        sessions = (a, nil)
        (self.a, self.b) = (a.frozenState, b)
        keepsListeners = true
        now = b.environment.now()
        definitions = a.withState { DefinitionDifference($0, b) }
        if let nodes {
            part = try a.withState { a throws(SessionError) in
                try ComparedPart(nodes, a, b, moves: moves)
            }
        }
    }

    /// The operations that lead from the state after a commit to that before it, without registrations and scopes.
    ///
    /// - Throws: as a revert, for nodes by their names before the commit.
    init(
        inverseOf change: PastCommit, nodes: [String]?, moves: Bool
    ) throws(SessionError) {
        sessions = (change.before, change.after)
        (a, b) = (change.before.frozenState, change.after.frozenState)
        keepsListeners = true
        now = b.environment.now()
        (definitions, part) = try Self.locked(change.before, change.after) {
            a, b throws(SessionError) in
            (
                DefinitionDifference(a, b),
                try nodes.map { nodes throws(SessionError) in
                    try ComparedPart(nodes, a, b, moves: moves)
                }
            )
        }
    }

    /// The most bytes that the comparison takes beside the two sessions: a few for each node, and the names of
    /// registrations. O(1).
    package var bytesNeeded: Int {
        locked { a, b in
            let nodes = b.hierarchy.nodeCount * 2 * 5 + a.hierarchy.nodeCount * 2 * 9
            return nodes + b.registrationNotes.count * 64 + a.registrationNotes.count * 48
        }
    }

    /// Runs `body` while both sessions are locked. The order of locking is the same for every pair.
    private static func locked<R: Sendable, E: Error>(
        _ a: Session, _ b: Session, _ body: (SessionState, SessionState) throws(E) -> R
    ) throws(E) -> R {
        if a === b { return try a.withState { a throws(E) in try body(a, a) } }
        if ObjectIdentifier(a) < ObjectIdentifier(b) {
            return try a.withState { a throws(E) in
                try b.withState { b throws(E) in try body(a, b) }
            }
        }
        return try b.withState { b throws(E) in
            try a.withState { a throws(E) in try body(a, b) }
        }
    }

    private func locked<R: Sendable>(_ body: (SessionState, SessionState) -> R) -> R {
        guard let b = sessions.b else { return sessions.a.withState { body($0, self.b) } }
        return Self.locked(sessions.a, b, body)
    }

    /// Computes a part of the difference. Returns whether that was the last part.
    package func prepare() -> Bool {
        locked { _, _ in
            switch stage {
            case .ordinals:
                if !visit(b.hierarchy, note) { advance() }
            case .fates:
                if !visit(a.hierarchy, findFate) { advance() }
            case .registrations:
                if !visitRegistrations(of: b, note) { advance() }
            case .listeners:
                if !visitRegistrations(of: a, findKept) { advance() }
            default: return true
            }
            return false
        }
    }

    /// Writes until the writer has `budget` bytes. Returns whether the difference is complete.
    package func write(budget: Int, into writer: inout JSONWriter) -> Bool {
        locked { _, _ in
            begin(&writer)
            while stage != .end {
                if writer.count >= budget { return false }
                if stage == .expired, !isListed {
                    writer.endArray()
                    isListed = true
                }
                if !writeSlice(into: &writer) { advance() }
            }
            if hasExpired || !isListed { writer.endArray() }
            writer.endText()
            return true
        }
    }

    private func advance() {
        repeat {
            stage = Stage(rawValue: stage.rawValue + 1) ?? .end
        } while isLeftOut(stage)
        lastNode = nil
        lastRegistration = nil
    }

    private func isLeftOut(_ stage: Stage) -> Bool {
        switch stage {
        case .registrations, .listeners, .unregister, .removeScopes, .register, .setScopes,
            .expired:
            keepsListeners
        case .shelter, .update, .deleteDefinitions, .define: part != nil
        default: false
        }
    }

    private func begin(_ writer: inout JSONWriter) {
        if hasBegun {
            if operationCount > 0 || isListed { writer.separate() }
            return
        }
        hasBegun = true
        stage = a === b ? .expired : keepsListeners ? .removeValues : .unregister
        writer.beginObject()
        Self.writeHead(of: a, into: &writer)
        writer.beginObject("with")
        Self.writeHead(of: b, into: &writer)
        writer.endObject()
        writer.beginArray("settings")
        let (one, other) = (a.configuration, b.configuration)
        if one.propagation != other.propagation { writer.value("propagation" as StaticString) }
        if one.updates != other.updates { writer.value("updates" as StaticString) }
        if one.hasSystemTraits != other.hasSystemTraits {
            writer.value("systemTraits" as StaticString)
        }
        if one.limits != other.limits { writer.value("limits" as StaticString) }
        writer.endArray()
        writer.beginArray("operations")
    }

    /// Returns whether the stage goes on.
    private func writeSlice(into writer: inout JSONWriter) -> Bool {
        switch stage {
        case .unregister: return visitRegistrations(of: b) { unregister($0, &writer) }
        case .removeScopes:
            if b.hierarchy.scopeCount == 0 { return false }
            return visit(b.hierarchy) { removeScopes(of: $0, &writer) }
        case .detach:
            if isSameTree { return false }
            return visit(b.hierarchy) { detach($0, &writer) }
        case .deleteNodes:
            if isSameTree { return false }
            return visit(b.hierarchy) { delete($0, &writer) }
        case .removeValues: return visit(b.hierarchy) { removeValues(of: $0, &writer) }
        case .shelter:
            if definitions.traits.isEmpty, definitions.keys.isEmpty { return false }
            return visit(b.hierarchy) { giveShelter(to: $0, &writer) }
        case .update:
            // A pending node may still show a value that no node sets any more.
            let mayBeShown = !definitions.traits.isEmpty || !definitions.keys.isEmpty
            guard mayBeShown, b.configuration.updates == .layout else { return false }
            if lastNode == nil { operation(.layout, &writer) { _ in } }
            return visit(b.hierarchy) { updateDetached($0, &writer) }
        case .deleteDefinitions:
            definitions.writeDeletions(self, &writer)
            return false
        case .leaveShelter:
            for node in sheltered where fates[node] != .gone {
                operation(.updateNode, &writer) { writer in
                    writer.member("node", orNull: node, of: b.hierarchy)
                    writer.member("parent", orNull: nil, of: b.hierarchy)
                }
            }
            return false
        case .deleteShelter:
            if !sheltered.isEmpty { operation(.deleteNode, &writer) { $0.member("node", shelter) } }
            return false
        case .define:
            definitions.writeDefinitions(self, &writer)
            return false
        case .nodes:
            if isSameTree { return false }
            return visit(a.hierarchy) { place($0, &writer) }
        case .leftNodes:
            for node in left { attach(node, &writer) }
            wereLeft = Set(left)
            left = []
            return false
        case .findUnordered: return visitWithLevel(a.hierarchy, findUnordered)
        case .order:
            guard let parent = unordered.popLast() else { return false }
            order(below: parent, &writer)
            return true
        case .setValues: return visit(a.hierarchy) { setValues(of: $0, &writer) }
        case .register: return visitRegistrations(of: a) { register($0, &writer) }
        case .setScopes:
            if a.hierarchy.scopeCount == 0 { return false }
            return visit(a.hierarchy) { setScopes(of: $0, &writer) }
        case .expired:
            if a.annotations.expiries.isEmpty { return false }
            return visit(a.hierarchy) { listExpired(of: $0, &writer) }
        default: return false
        }
    }

    /// A layout does not come to a detached tree. The tree is updated where a node waits, or loses a value of a
    /// trait that is deleted.
    private func updateDetached(_ node: NodeIndex, _ writer: inout JSONWriter) {
        if b.hierarchy.traitParent(of: node) == nil {
            detachedRoot = b.hierarchy.state(of: node) == .detached ? node : nil
        }
        guard let root = detachedRoot, b.hierarchy.waitsForUpdate(node) || losesDefinition(node)
        else { return }
        detachedRoot = nil
        operation(.updateTraitsIfNeeded, &writer) {
            $0.member("node", orNull: root, of: b.hierarchy)
        }
    }

    /// Writes one operation.
    func operation(
        _ kind: OperationKind, _ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        operationCount += 1
        writer.beginObject()
        writer.member("op", kind.rawValue)
        members(&writer)
        writer.endObject()
    }

    // MARK: - Computing

    private func note(_ node: NodeIndex) {
        ordinals[node] = count
        fates[node] = part?.hasPresent(node) ?? true ? .gone : .stays
        count += 1
    }

    /// Whether all nodes of `a` and of `b` are the same ones at the same places.
    private var isSameTree: Bool {
        stayingCount == b.hierarchy.nodeCount && stayingCount == a.hierarchy.nodeCount
    }

    private func findFate(_ node: NodeIndex) {
        guard part?.hasEarlier(node) ?? true, let found = counterpart(node) else { return }
        let (one, other) = (a.hierarchy, b.hierarchy)
        // The place of a controller follows from its view, so the controller is detached with the view.
        let stays =
            isSame(one.parent(of: node), other.parent(of: found))
            && isSame(one.controller(of: node), other.controller(of: found))
            && isSame(one.rootView(of: node), other.rootView(of: found))
            && isSame(
                one.rootView(of: node).flatMap(one.parent),
                other.rootView(of: found).flatMap(other.parent))
        fates[found] = stays ? .stays : .moves
        if stays { stayingCount += 1 }
    }
}
