// Reverting one commit alone: the operations that lead from the state after it to the state before it, done to the
// present state. It is refused where a later commit has changed the same thing.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

extension Revert {
    /// Applies the inverse of the commit, and gives back the managers. O(nodes, and operations of later commits).
    ///
    /// - Throws: `changedSince` with the places and the revisions that changed them; what an operation is refused for,
    ///   as a revert of the whole session.
    func apply(
        inverseOf change: PastCommit, _ revision: Int64, to transaction: inout Transaction
    ) throws(SessionError) {
        let session = transaction.session
        guard let later = session.commits(after: revision) else { throw session.pastGone }
        var names = InverseNames(change, NamesSince(after: revision, in: session))
        let comparison = try SessionComparison(
            inverseOf: change, nodes: nodes?.map(names.before), moves: moves)
        names.limit(to: comparison.part)
        let states = change.before.withState { $0.hierarchy.heldBytes.total }
        try withText(of: comparison, states: 2 * states, in: session) { list throws(SessionError) in
            let now = JSONTape(limits: .logEntry)
            try names.translated(list).withBytes { bytes throws(SessionError) in
                try now.withDocument(bytes, refusal: SessionError.init) {
                    present throws(SessionError) in
                    let operations = zip(list.elements, present.elements).compactMap {
                        inverse, present in
                        PrimitiveOperation(inverse).map { InverseOperation($0, present) }
                    }
                    var undone = UndoneCommit(operations, names, change.after, in: session)
                    undone.changes.look(at: later)
                    undone.look(at: session)
                    let managers = Self.managers(change, names, comparison, in: session)
                    // The operations name what is there by the names that are given back. A conflict says more than
                    // a name that is taken.
                    var taken: SessionError?
                    do throws(SessionError) {
                        try transaction.giveBack(names)
                    } catch {
                        taken = error
                    }
                    let wanted = try undone.operations(unchangedIn: session)
                    if let taken { throw taken }
                    try apply(wanted, count: wanted.count, to: &transaction)
                    try Self.give(managers, to: &transaction)
                }
            }
        }
    }

    /// The managers that the commit has changed, where they still are those that it gave.
    private static func managers(
        _ change: PastCommit, _ names: InverseNames, _ comparison: SessionComparison,
        in session: SessionState
    ) -> [NamedManager] {
        func managed(_ state: Session, at time: Int64?) -> [NamedPlace: String] {
            state.withState { state in
                state.annotations.managers.isEmpty
                    ? [:]
                    : Self.managed(state, at: time).filter { $0.isIn(comparison.part) }
                        .reduce(into: [:]) { $0[$1.place] = $1.manager }
            }
        }
        let before = managed(change.before, at: comparison.now)
        let after = managed(change.after, at: nil)
        let places = Set(before.keys).union(after.keys).sorted {
            ($0.kind.rawValue, $0.node ?? "", $0.name ?? "")
                < ($1.kind.rawValue, $1.node ?? "", $1.name ?? "")
        }
        return places.compactMap { place in
            guard session.manager(of: names.present(place, isRenamed: false)) == after[place]
            else { return nil }
            return NamedManager(
                place: names.present(place, isRenamed: true), manager: before[place])
        }
    }

    /// Gives the managers to those places that exist.
    private static func give(
        _ managers: [NamedManager], to transaction: inout Transaction
    ) throws(SessionError) {
        let session = transaction.session
        for change in managers
        where session.has(change.place) && session.manager(of: change.place) != change.manager {
            transaction.needs(format: 2)
            if let manager = change.manager {
                try session.annotations.managers.checkRoom(
                    for: manager, max: session.limits.managersMax)
            }
            try transaction.setManager(change)
        }
    }
}

/// How the names before and after a commit are called in the present session.
struct InverseNames {
    private let change: PastCommit
    /// Present names by the names after the commit, where they differ.
    private let nodes: [String: String]
    private let traits: [String: String]
    /// Names after the commit by present names.
    private let since: NamesSince
    /// The new names of the commit that are taken back: names after the commit by those before it.
    private(set) var givenNodes: [String: String]
    private(set) var givenTraits: [String: String]
    /// All new names of the commit in the same way.
    private let renamedNodes: [String: String]
    private let renamedTraits: [String: String]

    init(_ change: PastCommit, _ since: NamesSince) {
        func inverse(_ names: [String: String]) -> [String: String] {
            names.reduce(into: [:]) { $0[$1.value] = $1.key }
        }
        self.change = change
        self.since = since
        nodes = inverse(since.nodes)
        traits = inverse(since.traits)
        renamedNodes = inverse(change.nodes)
        renamedTraits = inverse(change.traits)
        // What has its former name again keeps it.
        let (nodes, traits) = (nodes, traits)
        givenNodes = renamedNodes.filter { nodes[$0.value] != $0.key }
        givenTraits = renamedTraits.filter { traits[$0.value] != $0.key }
    }

    /// Leaves the names of traits, and of nodes outside of the part.
    mutating func limit(to part: ComparedPart?) {
        guard let part else { return }
        givenTraits = [:]
        givenNodes = givenNodes.filter { part.names.contains($0.key) }
    }

    private var isEmpty: Bool {
        [nodes, traits, renamedNodes, renamedTraits].allSatisfy(\.isEmpty)
    }

    /// The name before the commit of a node that has that name now.
    func before(_ present: String) -> String {
        let after = since.nodes[present] ?? present
        return change.nodes[after] ?? after
    }

    /// The name after the commit by that before it.
    func after(node: String) -> String { renamedNodes[node] ?? node }
    func after(trait: String) -> String { renamedTraits[trait] ?? trait }

    /// The present name by that after the commit.
    func present(after node: String) -> String { nodes[node] ?? node }
    func present(afterTrait trait: String) -> String { traits[trait] ?? trait }

    /// The present name by the name before the commit.
    ///
    /// - Parameter isRenamed: whether the names of the commit are taken back already.
    func present(node: String, isRenamed: Bool = true) -> String {
        if isRenamed, givenNodes[node] != nil { return node }
        return present(after: after(node: node))
    }

    func present(trait: String, isRenamed: Bool = true) -> String {
        if isRenamed, givenTraits[trait] != nil { return trait }
        return present(afterTrait: after(trait: trait))
    }

    func present(_ place: NamedPlace, isRenamed: Bool) -> NamedPlace {
        var place = place
        place.node = place.node.map { present(node: $0, isRenamed: isRenamed) }
        switch place.kind {
        case .overrides, .supplied, .trait:
            place.name = place.name.map { present(trait: $0, isRenamed: isRenamed) }
        case .node, .environment, .scope, .registration, .environmentKey, .color, .image: break
        }
        return place
    }

    /// The operations by the present names. Definitions name other traits as they did.
    func translated(_ list: JSONValue) -> [UInt8] {
        if isEmpty { return Array(list.rawBytes) }
        return JSONWriter.text { writer in
            writer.beginArray()
            for operation in list.elements {
                writer.beginObject()
                for (key, value) in operation.members {
                    writer.key(key.string)
                    switch (key.string, value.string?.string) {
                    case ("node", let name?), ("parent", let name?), ("controller", let name?),
                        ("before", let name?), ("after", let name?):
                        writer.value(present(node: name))
                    case ("trait", let name?): writer.value(present(trait: name))
                    default: writer.copy(value)
                    }
                }
                writer.endObject()
            }
            writer.endArray()
        }
    }
}

/// The inverse of a commit, and what later commits did to its places.
private struct UndoneCommit {
    private let operations: [InverseOperation]
    private let names: InverseNames
    /// By operation: the places that it needs unchanged.
    private var places: [[ChangedPlace]] = []
    var changes = ChangesSince()
    private let after: Session
    /// What is in the way of deletions: later changes in what goes, of things that are still there.
    private var within: [ChangedPlace: Int64] = [:]
    /// The new names that are taken back, as places.
    private let renamed: [ChangedPlace]

    init(
        _ operations: [InverseOperation], _ names: InverseNames, _ after: Session,
        in session: SessionState
    ) {
        self.operations = operations
        self.names = names
        self.after = after
        var renamed: [ChangedPlace] = []
        for (before, after) in names.givenNodes {
            renamed += [.member(node: after, .name), .node(before), .node(after)]
        }
        for (before, after) in names.givenTraits {
            renamed += [
                .name(trait: after), .definition(.trait, before), .definition(.trait, after),
            ]
        }
        self.renamed = renamed
        var made: Set<String> = []
        for inverse in operations {
            let operation = inverse.operation
            var some = operation.places(node: names.after(node:), trait: names.after(trait:))
            some += some.compactMap(\.definition)
            let others = operation.neighbours + (operation.name("node").map { [$0] } ?? [])
            some += others.filter { !made.contains($0) }.map { .node(names.after(node: $0)) }
            if operation.kind == .createNode, let name = operation.name("node") {
                made.insert(name)
                some.append(.node(names.after(node: name)))
            }
            places.append(some)
            changes.places.formUnion(some)
            noteWhole(operation)
        }
        changes.places.formUnion(renamed)
    }

    /// A deletion takes away what later commits have put into the node, or set for the definition.
    private mutating func noteWhole(_ operation: PrimitiveOperation) {
        switch operation.kind {
        case .deleteNode:
            guard let name = operation.name("node") else { return }
            let below = after.withState { state -> [String] in
                var names: [String] = []
                guard let node = state.hierarchy.node(name) else { return names }
                state.hierarchy.forEachStructuralDescendant(of: node) {
                    names.append(state.hierarchy.identifier(of: $0))
                    return true
                }
                return names
            }
            for name in below + [name] { changes.wholeNodes.insert(names.after(node: name)) }
        case .deleteTrait, .deleteEnvironmentKey, .deleteColor, .deleteImage:
            guard let (kind, name) = operation.definition else { return }
            changes.wholeDefinitions.insert(
                .definition(kind, kind == .trait ? names.after(trait: name) : name))
        default: break
        }
    }

    /// Looks at what there is, before names are given back.
    mutating func look(at session: SessionState) {
        let hierarchy = session.hierarchy
        func exists(_ after: String) -> Bool {
            hierarchy.node(names.present(after: after)) != nil
        }
        let missing = Set(places.joined().compactMap(\.node)).filter { !exists($0) }
        after.withState { state in
            changes.noteDeletions(of: missing) { name in
                guard let node = state.hierarchy.node(name) else { return [] }
                return [state.hierarchy.parent(of: node), state.hierarchy.controller(of: node)]
                    .compactMap { $0.map(state.hierarchy.identifier) }
            }
        }
        within = changes.withinWhole.filter { place, _ in
            place.node.map(exists) ?? true && place.definition.map { has($0, session) } ?? true
        }
    }

    /// The operations that are to be done, by the names of the session, which has its former names again.
    ///
    /// - Throws: `changedSince`.
    mutating func operations(unchangedIn session: SessionState) throws(SessionError) -> [JSONValue]
    {
        var found: [ChangedPlace: Int64] = [:]
        var wanted: [JSONValue] = []
        var done = DoneOperations(operations, names)
        var deletes = false
        for (index, isDone) in done.find(in: session).enumerated() where !isDone {
            wanted.append(operations[index].present)
            if operations[index].operation.isDeletion { deletes = true }
            for place in places[index] { found[place] = changes.revisions[place] }
        }
        for place in renamed { found[place] = changes.revisions[place] }
        if deletes { found.merge(within) { _, revision in revision } }
        if found.isEmpty { return wanted }
        throw refusal(found)
    }

    private func has(_ definition: ChangedPlace, _ session: SessionState) -> Bool {
        guard case .definition(let kind, let name) = definition else { return false }
        let present = kind == .trait ? names.present(afterTrait: name) : name
        return session.has(NamedPlace(kind.managed, present))
    }

    private static let placesMax = 100

    private func refusal(_ found: [ChangedPlace: Int64]) -> SessionError {
        let sorted = found.map { place, revision in
            (text: JSONWriter.text { write(place, revision, into: &$0) }, revision: revision)
        }.sorted { ($0.revision, $0.text.count) < ($1.revision, $1.text.count) }
        var list = JSONWriter()
        list.beginArray()
        for place in sorted.prefix(Self.placesMax) { list.raw(place.text) }
        list.endArray()
        let last = sorted.last?.revision ?? 0
        return SessionError(
            .changedSince,
            "\(found.count) \(found.count == 1 ? "place has" : "places have") changed since, last in revision \(last). Revert the later commits first, or set what you want."
        ).with("count", Int64(found.count)).with("places", .json(list.array()))
    }

    private func write(_ place: ChangedPlace, _ revision: Int64, into json: inout JSONWriter) {
        json.beginObject()
        json.member("node", ifPresent: place.node.map(names.present(after:)))
        switch place {
        case .value(_, .environment, let key): json.member("environmentKey", key)
        case .value(_, let layer, let trait):
            json.member("trait", names.present(afterTrait: trait))
            json.member("layer", layer == .supplied ? "supplied" as StaticString : "override")
            json.flag("under", when: layer == .under)
        case .member(_, let member): json.member("member", member.rawValue)
        case .definition(.trait, let trait), .content(let trait), .name(let trait):
            json.member("trait", names.present(afterTrait: trait))
        case .definition(.environmentKey, let key): json.member("environmentKey", key)
        case .definition(.color, let name): json.member("color", name)
        case .definition(.image, let name): json.member("image", name)
        case .node: break
        }
        json.member("revision", revision)
        json.endObject()
    }
}

extension Transaction {
    /// Gives nodes and traits the names that a commit took away.
    mutating func giveBack(_ names: InverseNames) throws(SessionError) {
        var (nodes, traits): ([String: String], [String: String]) = ([:], [:])
        for (before, after) in names.givenNodes { nodes[names.present(after: after)] = before }
        for (before, after) in names.givenTraits {
            traits[names.present(afterTrait: after)] = before
        }
        try give(nodes: nodes, traits: traits)
    }
}
