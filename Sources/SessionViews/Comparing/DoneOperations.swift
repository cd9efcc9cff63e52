// Which operations of the inverse of a commit have nothing left to do, as the present session has what they lead to.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// An operation by the names before the commit, and by those of the present session.
struct InverseOperation {
    let operation: PrimitiveOperation
    let present: JSONValue

    init(_ operation: PrimitiveOperation, _ present: JSONValue) {
        self.operation = operation
        self.present = present
    }

    /// Whether the present session has what the operation leads to. False where that is not looked at.
    ///
    /// - Parameter moved: the present names of the nodes that the list puts elsewhere among their siblings.
    fileprivate func isDone(in session: SessionState, _ moved: Set<String>) -> Bool {
        let hierarchy = session.hierarchy
        switch operation.kind {
        case .setOverride, .setSupplied, .setEnvironment: return isSet(in: session)
        case .removeOverride, .removeSupplied, .removeEnvironment, .deleteTrait,
            .deleteEnvironmentKey, .deleteColor, .deleteImage:
            return ReplacedValues.previous(present, session) == nil
        case .deleteNode: return node("node", in: hierarchy) == nil
        case .createNode: return isMade(in: hierarchy)
        case .updateNode: return isUpdated(in: hierarchy)
        case .moveNode: return isMoved(in: hierarchy, moved)
        case .updateTrait: return isRedefined(in: hierarchy.definitions)
        case .defineTrait, .defineEnvironmentKey, .defineColor, .defineImage:
            return isDefined(in: session)
        default: return false
        }
    }

    fileprivate func text(_ member: StaticString) -> String? {
        present.member(member)?.string?.string
    }

    fileprivate func node(_ member: StaticString, in hierarchy: Hierarchy) -> NodeIndex? {
        text(member).flatMap { hierarchy.node($0) }
    }

    private func isSet(in session: SessionState) -> Bool {
        guard let value = present.member("value"),
            let stored = ReplacedValues.previous(present, session),
            stored.elementsEqual(value.rawBytes)
        else { return false }
        let end = text("expiresAt").flatMap { Timestamp.milliseconds($0) }
        if operation.kind != .setOverride { return end == nil }
        guard present.member("under")?.bool != true,
            let node = node("node", in: session.hierarchy),
            let trait = text("trait").flatMap({ session.hierarchy.definitions.index(of: $0) })
        else { return false }
        return session.end(of: trait, at: node) == end
    }

    /// Whether a node is there as the operation makes it. A node that gets its place later has none yet.
    private func isMade(in hierarchy: Hierarchy) -> Bool {
        guard let node = node("node", in: hierarchy),
            text("kind") == hierarchy.kind(of: node).name,
            text("label") == hierarchy.label(of: node)
        else { return false }
        if present.member("parent") == nil { return true }
        func name(_ node: NodeIndex?) -> String? { node.map(hierarchy.identifier) }
        return text("parent") == name(hierarchy.parent(of: node))
            && text("controller") == name(hierarchy.controller(of: node))
    }

    /// Whether a node has the parent, the controller and the label that the operation gives it.
    private func isUpdated(in hierarchy: Hierarchy) -> Bool {
        guard let node = node("node", in: hierarchy) else { return false }
        let parts: [(StaticString, String?)] = [
            ("parent", hierarchy.parent(of: node).map { hierarchy.identifier(of: $0) }),
            ("controller", hierarchy.controller(of: node).map { hierarchy.identifier(of: $0) }),
            ("label", hierarchy.label(of: node)),
        ]
        return parts.allSatisfy { present.member($0.0) == nil || text($0.0) == $0.1 }
    }

    /// Whether a node stands beside the sibling that the operation names. What the list puts between them counts for
    /// nothing.
    private func isMoved(in hierarchy: Hierarchy, _ moved: Set<String>) -> Bool {
        guard let node = node("node", in: hierarchy) else { return false }
        if let previous = self.node("after", in: hierarchy) {
            return hierarchy.siblingBefore(node) == previous
        }
        guard let next = self.node("before", in: hierarchy) else { return false }
        var sibling = hierarchy.siblingBehind(node)
        while let found = sibling, found != next, moved.contains(hierarchy.identifier(of: found)) {
            sibling = hierarchy.siblingBehind(found)
        }
        return sibling == next
    }

    private func isRedefined(in definitions: TraitDefinitions) -> Bool {
        guard let trait = text("trait").flatMap({ definitions.index(of: $0) }),
            let patch = present.member("patch"),
            let wanted = try? DefinitionPatch.apply(patch, to: definitions[trait])
        else { return false }
        return definitions[trait].isSame(as: wanted)
    }

    private func isDefined(in session: SessionState) -> Bool {
        guard let (kind, _) = operation.definition, let wanted = present.member("definition"),
            let known = ReplacedValues.definition(kind, present, session)
        else { return false }
        return known.elementsEqual(wanted.rawBytes)
    }
}

/// The last operation for a place decides whether the place is as it was. Operations for such places are left out, but
/// not where another one deletes the node or the definition first.
struct DoneOperations {
    private let operations: [InverseOperation]
    /// By operation: what it changes, by the names after the commit.
    private let places: [[ChangedPlace]]
    /// By operation: the nodes that it names beside the one that it changes.
    private let neighbours: [[String]]
    /// Nodes that the list makes and deletes again: a window for detached nodes while definitions are deleted.
    private let shelters: Set<String>
    /// Definitions that the list deletes and makes anew.
    private let redefined: Set<ChangedPlace>
    private var isPlaceDone: [ChangedPlace: Bool] = [:]

    init(_ operations: [InverseOperation], _ names: InverseNames) {
        self.operations = operations
        places = operations.map {
            $0.operation.places(node: names.after(node:), trait: names.after(trait:))
        }
        neighbours = operations.map { $0.operation.neighbours.map(names.after(node:)) }
        var made: Set<String> = []
        var shelters: Set<String> = []
        for inverse in operations {
            guard let name = inverse.operation.name("node") else { continue }
            if inverse.operation.kind == .createNode { made.insert(name) }
            if inverse.operation.kind == .deleteNode, made.contains(name) { shelters.insert(name) }
        }
        self.shelters = shelters
        var deleted: Set<ChangedPlace> = []
        var redefined: Set<ChangedPlace> = []
        for (inverse, places) in zip(operations, places) {
            if inverse.operation.isDeletionOfDefinition { deleted.formUnion(places) }
            if inverse.operation.isDefinition { redefined.formUnion(deleted.intersection(places)) }
        }
        self.redefined = redefined
    }

    /// Returns for each operation whether it has nothing left to do. O(operations), as a rule.
    mutating func find(in session: SessionState) -> [Bool] {
        let moves = operations.filter { $0.operation.kind == .moveNode }
        let moved = Set(moves.compactMap { $0.text("node") })
        for index in operations.indices.reversed() {
            let fresh = places[index].filter { isPlaceDone[$0] == nil }
            if fresh.isEmpty { continue }
            let isDone = operations[index].isDone(in: session, moved)
            for place in fresh { isPlaceDone[place] = isDone }
        }
        repeat {} while wantsMore()
        let deletes = operations.indices.contains { index in
            operations[index].operation.isDeletionOfDefinition && !isDone(index)
        }
        var usesShelter = false
        for index in operations.indices where deletes && isSheltering(index) {
            guard let node = operations[index].node("node", in: session.hierarchy),
                session.hierarchy.parent(of: node) == nil
            else { continue }
            // It leaves the shelter again, and is computed anew where it stands.
            for place in places[index] { isPlaceDone[place] = false }
            usesShelter = true
        }
        return operations.indices.map { index in
            if places[index].isEmpty { return !deletes }
            if isShelter(index) { return !usesShelter }
            if isSheltering(index) { return !usesShelter || isDone(index) }
            return isDone(index)
        }
    }

    private func isDone(_ index: Int) -> Bool {
        places[index].allSatisfy { isPlaceDone[$0] ?? true }
    }

    private func isShelter(_ index: Int) -> Bool {
        operations[index].operation.name("node").map(shelters.contains) ?? false
    }

    private func isSheltering(_ index: Int) -> Bool {
        !shelters.isDisjoint(with: operations[index].operation.neighbours)
    }

    /// What a wanted operation deletes goes with all that is in it, and with all that refers to it. Returns whether
    /// that, or a further place of a wanted operation, makes further operations wanted.
    private mutating func wantsMore() -> Bool {
        var nodes: Set<String> = []
        var definitions: Set<ChangedPlace> = []
        for index in operations.indices where !isDone(index) {
            let operation = operations[index].operation
            if operation.kind == .deleteNode, !isShelter(index) {
                nodes.formUnion(places[index].compactMap(\.node))
            } else if operation.isDeletionOfDefinition {
                definitions.formUnion(places[index])
            }
        }
        let deletesTrait = definitions.contains { place in
            if case .definition(.trait, _) = place { true } else { false }
        }
        // What the list defines anew may refer to the trait.
        if deletesTrait { definitions.formUnion(redefined) }
        var isMore = false
        // A wanted operation also changes those of its places that are as they were: a view is detached when it loses
        // its controller, and the operation that puts it back is wanted, too.
        for index in operations.indices where !isDone(index) {
            for place in places[index] where isPlaceDone[place] == true {
                isPlaceDone[place] = false
                isMore = true
            }
        }
        for index in operations.indices
        where places[index].contains(where: { place in
            place.node.map(nodes.contains) ?? false
                || place.definition.map(definitions.contains) ?? false
        }) || !nodes.isDisjoint(with: neighbours[index]) {
            for place in places[index] where isPlaceDone[place] == true {
                isPlaceDone[place] = false
                isMore = true
            }
        }
        return isMore
    }
}

extension PrimitiveOperation {
    fileprivate var isDefinition: Bool {
        switch kind {
        case .defineTrait, .defineEnvironmentKey, .defineColor, .defineImage: true
        default: false
        }
    }

    /// Whether a node or a definition goes, with what is in it or refers to it.
    var isDeletion: Bool { kind == .deleteNode || isDeletionOfDefinition }

    fileprivate var isDeletionOfDefinition: Bool {
        switch kind {
        case .deleteTrait, .deleteEnvironmentKey, .deleteColor, .deleteImage: true
        default: false
        }
    }
}
