// The rules of UIKit's trait system in the plainest form: dictionaries, everything computed anew
// whenever it is asked for, nothing shared with the engine but its vocabulary. Slow and obvious;
// when engine and oracle disagree, read the rules.

import TraitEngine

/// The state of one hierarchy: a value, so a snapshot is a copy.
struct OracleState {
    struct Stored: Equatable {
        var value: TraitValue
        var revision: Int64
    }

    struct Node {
        let serial: Int
        let kind: NodeKind
        var parent: String?
        var controller: String?
        var label: String?
        var overrides: [String: Stored] = [:]
        var supplied: [String: Stored] = [:]
        var legacyCollection: [String: Stored] = [:]
        var legacyStyle: [String: Stored] = [:]
        var limits: Limits?
        /// Of the root of a detached tree: what it inherited last, or was predicted to.
        var kept: [String: Stored] = [:]
        /// When it last got its trait parent; the order of siblings.
        var stamp = 0
        /// Its place among siblings of the same stamp, where an operation ordered them.
        var place = 0
        /// In a layout hierarchy: what the node shows, and whether that waits for an update.
        var shown: [ShownLevel] = []
        var isDue = true
        /// When it was last brought up to date where it is.
        var seen = 0

        /// Scenes, windows and controllers show a write at once, not with the next update.
        var showsWrites: Bool { [.windowScene, .window, .viewController].contains(kind) }
    }

    /// Of the content size category, as ranks.
    struct Limits: Equatable {
        var minimum: Int?
        var maximum: Int?
        var revision: Int64
    }

    struct Listener {
        let serial: Int
        var node: String
        var nodeSerial: Int
        var traits: [String]
        var colors: [String] = []
        var images: [String] = []
        /// In a layout hierarchy: what the node showed when it was made.
        var heardFrom: [ShownLevel] = []
    }

    /// An object, since definitions are large and copied all the time.
    final class Trait: Sendable {
        let serial: Int
        let definition: TraitDefinition

        init(serial: Int, definition: TraitDefinition) {
            self.serial = serial
            self.definition = definition
        }
    }

    var propagation: Propagation
    var updates: UpdateMode
    /// Whether this transaction brought something up to date.
    var hasUpdated = false
    /// Whether this transaction asked for another order of siblings.
    var hasOrdered = false
    /// How often a node got another trait parent.
    var moveCount = 0
    /// How often a node was brought up to date.
    var updateCount = 0
    /// In a layout hierarchy: windows and controllers whose inputs were written and that do not
    /// show it yet.
    var written: Set<String> = []
    /// These as they were before the first of the writes.
    var writtenBefore: [String: Node] = [:]
    var revision: Int64 = 0
    var nodes: [String: Node] = [:]
    var registrations: [String: Listener] = [:]
    var traits: [String: Trait] = [:]
    var scopes: [ScopeName: TrackedScope] = [:]
    var keys: [String: Key] = [:]
    var dynamics: [DynamicName: Dynamic] = [:]
    /// Registrations that ended in this transaction, and why.
    var ended: [(id: String, serial: Int, reason: String)] = []

    init(propagation: Propagation, updates: UpdateMode = .immediate) {
        self.propagation = propagation
        self.updates = updates
        for (position, definition) in SystemTraits.definitions.enumerated() {
            traits[definition.key] = Trait(serial: position - 100, definition: definition)
        }
    }

    var customTraits: [String] {
        traits.filter { $0.value.definition.origin == .custom }.keys.sorted()
    }

    /// Whether the listener's node is still the one it listens to.
    func isThere(_ listener: Listener) -> Bool {
        nodes[listener.node]?.serial == listener.nodeSerial
    }

    // MARK: - The trait tree

    func rootView(of controller: String) -> String? {
        nodes.first { $0.value.controller == controller }?.key
    }

    /// The trait parent of every node that has one.
    func traitParents() -> [String: String] {
        var views: [String: Node] = [:]
        for node in nodes.values { if let its = node.controller { views[its] = node } }
        return nodes.compactMapValuesWithKey { id, node in
            switch node.kind {
            case .view: return node.controller ?? node.parent
            case .viewController where propagation == .unified:
                if let superview = views[id]?.parent { return superview }
                guard let parent = node.parent, let kind = nodes[parent]?.kind else { return nil }
                return kind == .window || kind == .presentationController ? parent : nil
            default: return node.parent
            }
        }
    }

    /// Whether every node's chain of parents ends.
    func isForest(_ parents: [String: String]) -> Bool {
        let children = Dictionary(grouping: parents.keys) { parents[$0] ?? "" }
        var reached = nodes.keys.filter { parents[$0] == nil }
        var next = 0
        while next < reached.count {
            reached += children[reached[next], default: []]
            next += 1
        }
        return reached.count == nodes.count
    }

    /// The nodes above, nearest first.
    func ancestors(of id: String, _ parents: [String: String]) -> [String] {
        var above: [String] = []
        var next = parents[id]
        while let node = next {
            above.append(node)
            next = parents[node]
        }
        return above
    }

    /// Whether a node without trait parent is a root, not a detached tree.
    func isRoot(_ id: String) -> Bool {
        [.windowScene, .window, .environment].contains(nodes[id]?.kind)
    }

    /// Depth-first, with the level. Siblings and roots stand by when they got their trait parent;
    /// those that a deletion moved stand by name.
    func treeOrder(_ parents: [String: String]) -> [String] {
        let children = Dictionary(grouping: nodes.keys) { parents[$0] ?? "" }
        var lines: [String] = []
        func visit(_ id: String, _ level: Int) {
            let sorted = children[id, default: []].sorted {
                (nodes[$0]?.stamp ?? 0, nodes[$0]?.place ?? 0, $0)
                    < (nodes[$1]?.stamp ?? 0, nodes[$1]?.place ?? 0, $1)
            }
            for child in sorted {
                lines.append("\(level) \(child)")
                visit(child, level + 1)
            }
        }
        visit("", 0)
        return lines
    }

    // MARK: - Values

    typealias Resolved = (value: TraitValue, source: Origin)
    typealias Collection = [String: Resolved]

    /// What a node of an immediate hierarchy reads below one that reads this.
    func collection(of id: String, inheriting inherited: Collection) -> Collection {
        var result = inherited
        for (layer, values) in layers(of: id, inherited).reversed() {
            for (trait, stored) in values {
                let source = Origin(layer: layer, node: id, revision: stored.revision)
                result[trait] = (stored.value, source)
            }
        }
        return result
    }

    /// The winning layer first.
    func layers(of id: String, _ inherited: Collection) -> [(Layer, [String: Stored])] {
        guard let node = nodes[id] else { return [] }
        return [
            (.override, node.overrides), (.legacyStyle, node.legacyStyle),
            (.legacyCollection, node.legacyCollection), (.limited, limited(node, inherited)),
            (.supplied, node.supplied), (.kept, node.kept),
        ]
    }

    func read(_ trait: String, in collection: Collection?) -> Resolved {
        collection?[trait] ?? (traits[trait]?.definition.defaultValue ?? .null, .default)
    }

    /// Whether everything that is stored, except what follows from it, is the same: then nothing
    /// happened in between.
    func isSame(as other: OracleState) -> Bool {
        func same<Name: Hashable, Value>(
            _ one: [Name: Value], _ two: [Name: Value], _ isSame: (Value, Value) -> Bool
        ) -> Bool {
            one.count == two.count
                && one.allSatisfy { name, value in two[name].map { isSame(value, $0) } ?? false }
        }
        return same(nodes, other.nodes) { one, two in
            one.serial == two.serial && one.parent == two.parent && one.label == two.label
                && one.controller == two.controller
                && one.limits?.minimum == two.limits?.minimum
                && one.limits?.maximum == two.limits?.maximum
                && Node.inputs.allSatisfy {
                    same(one[keyPath: $0], two[keyPath: $0]) { $0.value == $1.value }
                }
        }
            && same(registrations, other.registrations) { $0.serial == $1.serial }
            && same(traits, other.traits) { $0.serial == $1.serial }
            && same(keys, other.keys) { $0.serial == $1.serial }
            && same(dynamics, other.dynamics) { $0.version == $1.version }
            && same(scopes, other.scopes) {
                $0.serial == $1.serial && $0.reads == $1.reads && $0.isStale == $1.isStale
            }
    }
}

extension Dictionary {
    fileprivate func compactMapValuesWithKey<Other>(
        _ body: (Key, Value) -> Other?
    ) -> [Key: Other] {
        var result = [Key: Other](minimumCapacity: count)
        for (key, value) in self { result[key] = body(key, value) }
        return result
    }
}
