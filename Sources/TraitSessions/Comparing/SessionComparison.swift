// What differs between two sessions, as the operations of a transaction that turns one into the other. Both
// are snapshots, so nothing changes meanwhile; the comparison is found out and written in slices.
//
// The operations come in this order, so that each finds what it needs and nothing is in the way of the next:
//
//     unregister, removeScope            what would hear, or keep definitions from being deleted
//     updateNode with null               detaches what moves, so that no move meets a cycle
//     deleteNode                         what the target does not have
//     removeOverride, …                  values that go, or whose definition does
//     delete…, then define…              definitions never change, so another one is deleted first
//     createNode, updateNode             in tree order, parents before what stands below them
//     setOverride, …, updateNode         values and labels
//     register, setScope

import JSONCodec
import TraitEngine

/// The operations that turn session `b` into session `a`.
///
/// `@unchecked Sendable`: used by one step at a time.
package final class SessionComparison: @unchecked Sendable {
    enum Stage: Int {
        // Found out before anything is written.
        case ordinals, fates, listeners, ready
        // Written, in this order.
        case unregister, removeScopes, detach, deleteNodes, removeValues, deleteDefinitions, define
        case nodes, leftNodes, setValues, register, setScopes, end
    }

    /// What becomes of a node of `b`.
    enum Fate {
        static let gone: UInt8 = 0
        static let stays: UInt8 = 1
        /// Detached, and attached again in its turn.
        static let moves: UInt8 = 2
    }

    let a: Session
    let b: Session
    var stage = Stage.ordinals
    /// The node, or the registration, that the stage has come to.
    var lastNode: NodeIndex?
    var lastRegistration: RegistrationIndex?
    /// By node of `b`: its place in tree order, and what becomes of it.
    var ordinals: [Int32] = []
    var fates: [UInt8] = []
    var count: Int32 = 0
    /// By level of `a`'s tree, of the siblings that are being visited: the place in `b` of the last one that
    /// stays where it is, and whether one came that does not.
    var lastOrdinals: [Int32] = []
    var isBroken: [Bool] = []
    /// By node of `a`: whether a node is there by now that `b` lacks.
    var isCreated: [Bool] = []
    /// Nodes of `a` that are attached when all are there.
    var left: [NodeIndex] = []
    /// The places of `b`'s registrations, and those that stay.
    var registrationOrdinals: [String: Int] = [:]
    var keptRegistrations: Set<String> = []
    var lastRegistrationOrdinal = -1
    var listsA = false
    let definitions: DefinitionDifference
    /// How many operations were written.
    package private(set) var operationCount = 0
    var hasBegun = false

    /// Of nodes and registrations that one slice looks at: about a millisecond.
    static let itemsAtATime = 1_000

    /// - Parameters:
    ///   - a: what `b` is to become; a snapshot's session, like `b`.
    package init(_ a: Session, _ b: Session) {
        self.a = a
        self.b = b
        definitions = Self.locked(a, b) { DefinitionDifference(a, b) }
        if a === b { stage = .ready }
    }

    /// Runs `body` while both are locked, always in the same order.
    static func locked<R>(_ a: Session, _ b: Session, _ body: () -> R) -> R {
        if a === b { return a.locked(body) }
        let inOrder =
            UInt(bitPattern: ObjectIdentifier(a).hashValue)
            < UInt(
                bitPattern: ObjectIdentifier(b).hashValue)
        let (first, second) = inOrder ? (a, b) : (b, a)
        return first.locked { second.locked(body) }
    }

    /// Finds out a part of what differs. Returns whether that is all.
    package func prepare() -> Bool {
        Self.locked(a, b) {
            switch stage {
            case .ordinals:
                if !visit(b.hierarchy, note) { advance() }
            case .fates:
                if !visitWithLevel(a.hierarchy, findFate) { advance() }
            case .listeners:
                if !findListeners() { advance() }
            default: return true
            }
            return false
        }
    }

    /// Writes on until the writer has `budget` bytes. Returns whether that is all.
    package func write(budget: Int, into writer: inout JSONWriter) -> Bool {
        Self.locked(a, b) {
            begin(&writer)
            while stage != .end {
                if writer.count >= budget { return false }
                if !writeSlice(into: &writer) { advance() }
            }
            writer.endArray()
            writer.endObject()
            writer.newline()
            return true
        }
    }

    private func advance() {
        stage = Stage(rawValue: stage.rawValue + 1) ?? .end
        lastNode = nil
        lastRegistration = nil
    }

    private func begin(_ writer: inout JSONWriter) {
        if hasBegun {
            if operationCount > 0 { writer.separate() }
            return
        }
        hasBegun = true
        stage = a === b ? .end : .unregister
        writer.beginObject()
        Self.writeHead(of: a, into: &writer)
        writer.key("with")
        writer.beginObject()
        Self.writeHead(of: b, into: &writer)
        writer.endObject()
        writer.key("settings")
        writer.beginArray()
        let (one, other) = (a.configuration, b.configuration)
        if one.propagation != other.propagation { writer.value("propagation" as StaticString) }
        if one.updates != other.updates { writer.value("updates" as StaticString) }
        if one.limits != other.limits { writer.value("limits" as StaticString) }
        writer.endArray()
        writer.key("operations")
        writer.beginArray()
    }

    private static func writeHead(of session: Session, into writer: inout JSONWriter) {
        writer.key("session")
        writer.value(session.name)
        writer.key("uid")
        writer.value(session.uid)
        writer.key("revision")
        writer.value(session.head)
    }

    /// Returns whether the stage goes on.
    private func writeSlice(into writer: inout JSONWriter) -> Bool {
        switch stage {
        case .unregister: return visitRegistrations(of: b) { unregister($0, &writer) }
        case .removeScopes:
            if b.hierarchy.scopeCount == 0 { return false }
            return visit(b.hierarchy) { removeScopes(of: $0, &writer) }
        case .detach: return visit(b.hierarchy) { detach($0, &writer) }
        case .deleteNodes: return visit(b.hierarchy) { delete($0, &writer) }
        case .removeValues: return visit(b.hierarchy) { removeValues(of: $0, &writer) }
        case .deleteDefinitions:
            definitions.writeDeletions(self, &writer)
            return false
        case .define:
            definitions.writeDefinitions(self, &writer)
            return false
        case .nodes: return visit(a.hierarchy) { place($0, &writer) }
        case .leftNodes:
            for node in left { attach(node, &writer) }
            left = []
            return false
        case .setValues: return visit(a.hierarchy) { setValues(of: $0, &writer) }
        case .register: return visitRegistrations(of: a) { register($0, &writer) }
        case .setScopes:
            if a.hierarchy.scopeCount == 0 { return false }
            return visit(a.hierarchy) { setScopes(of: $0, &writer) }
        default: return false
        }
    }

    /// Writes one operation.
    func operation(
        _ kind: OperationKind, _ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        operationCount += 1
        writer.beginObject()
        writer.key("op")
        writer.value(kind.rawValue)
        members(&writer)
        writer.endObject()
    }

    // MARK: - Going through

    private func visit(_ hierarchy: Hierarchy, _ body: (NodeIndex) -> Void) -> Bool {
        visitWithLevel(hierarchy) { node, _ in body(node) }
    }

    /// Visits the next nodes in tree order. Returns whether there are more.
    private func visitWithLevel(
        _ hierarchy: Hierarchy, _ body: (NodeIndex, Int) -> Void
    ) -> Bool {
        var visits = 0
        var hasMore = false
        hierarchy.forEachNode(after: lastNode) { node, level in
            if visits == Self.itemsAtATime {
                hasMore = true
                return .stop
            }
            body(node, level)
            lastNode = node
            visits += 1
            return .descend
        }
        return hasMore
    }

    private func visitRegistrations(of session: Session, _ body: (RegistrationInfo) -> Void) -> Bool
    {
        let some = session.hierarchy.registrations(
            after: lastRegistration, limit: Self.itemsAtATime)
        for registration in some { body(session.hierarchy.registrationInfo(registration)) }
        lastRegistration = some.last ?? lastRegistration
        return some.count == Self.itemsAtATime
    }

    // MARK: - Finding out

    private func note(_ node: NodeIndex) {
        Self.set(&ordinals, node, count, filler: -1)
        Self.set(&fates, node, Fate.gone, filler: Fate.gone)
        count += 1
    }

    static func set<Value>(
        _ values: inout [Value], _ node: NodeIndex, _ value: Value, filler: Value
    ) {
        let index = Int(node.rawValue)
        if index >= values.count {
            values.append(contentsOf: repeatElement(filler, count: index + 1 - values.count))
        }
        values[index] = value
    }

    /// The node of `b` that a node of `a` is, if it can be that one: its kind never changes.
    func counterpart(_ node: NodeIndex) -> NodeIndex? {
        let found = a.hierarchy.withIdentifier(of: node) { b.hierarchy.node($0) }
        guard let found, b.hierarchy.kind(of: found) == a.hierarchy.kind(of: node) else {
            return nil
        }
        return found
    }

    /// The node of `a` that a node of `b` becomes.
    func origin(_ node: NodeIndex) -> NodeIndex? {
        if fate(node) == Fate.gone { return nil }
        return b.hierarchy.withIdentifier(of: node) { a.hierarchy.node($0) }
    }

    func fate(_ node: NodeIndex) -> UInt8 { fates[Int(node.rawValue)] }

    /// Whether a node that `b` has too stands below the same ones in both.
    private func isSame(_ one: NodeIndex?, _ other: NodeIndex?) -> Bool {
        guard let one else { return other == nil }
        return other != nil && counterpart(one) == other
    }

    private func findFate(_ node: NodeIndex, _ level: Int) {
        while lastOrdinals.count <= level + 1 {
            lastOrdinals.append(-1)
            isBroken.append(false)
        }
        // Its children are the next on their level.
        lastOrdinals[level + 1] = -1
        isBroken[level + 1] = false
        guard let found = counterpart(node) else {
            isBroken[level] = true
            return
        }
        let hierarchy = a.hierarchy
        let parent = hierarchy.parent(of: node)
        let stands =
            isSame(parent, b.hierarchy.parent(of: found))
            && isSame(hierarchy.controller(of: node), b.hierarchy.controller(of: found))
        // Siblings stand in the order in which they were attached. Roots, and controllers, whose place
        // follows from their views', cannot be attached again by themselves.
        let isOrdered = level > 0 && parent == hierarchy.traitParent(of: node)
        let ordinal = ordinals[Int(found.rawValue)]
        var fate = Fate.stays
        if !stands {
            fate = Fate.moves
            isBroken[level] = true
        } else if isOrdered {
            if isBroken[level] || ordinal < lastOrdinals[level] {
                fate = Fate.moves
                isBroken[level] = true
            } else {
                lastOrdinals[level] = ordinal
            }
        }
        fates[Int(found.rawValue)] = fate
    }

    /// Which registrations stay. Returns whether there are more.
    private func findListeners() -> Bool {
        if !listsA {
            let isOver = !visitRegistrations(of: b) { info in
                registrationOrdinals[info.identifier ?? ""] = registrationOrdinals.count
            }
            if isOver {
                listsA = true
                lastRegistration = nil
            }
            return true
        }
        return visitRegistrations(of: a) { info in
            let id = info.identifier ?? ""
            guard lastRegistrationOrdinal < .max, let ordinal = registrationOrdinals[id],
                ordinal > lastRegistrationOrdinal, isKept(info, id)
            else {
                // What comes behind one that is made anew is made anew, too: they are told in their order.
                lastRegistrationOrdinal = .max
                return
            }
            lastRegistrationOrdinal = ordinal
            keptRegistrations.insert(id)
        }
    }

    private func isKept(_ info: RegistrationInfo, _ id: String) -> Bool {
        guard let index = b.hierarchy.registration(named: id) else { return false }
        let other = b.hierarchy.registrationInfo(index)
        guard let node = counterpart(info.node), node == other.node,
            a.note(of: info)?.label == b.note(of: other)?.label,
            Set(info.colors) == Set(other.colors), Set(info.images) == Set(other.images)
        else { return false }
        let keys = keys(of: info.traits, a)
        return keys == self.keys(of: other.traits, b) && keys.isDisjoint(with: definitions.traits)
            && definitions.colors.isDisjoint(with: other.colors)
            && definitions.images.isDisjoint(with: other.images)
    }

    func keys(of traits: TraitSet, _ session: Session) -> Set<String> {
        Set(traits.map { session.hierarchy.definitions[$0].key })
    }
}
