// The engine one would write first, to have something to compare with: an object for each node
// with a dictionary of what it overrides and one of what it resolves to, and every change walks
// the subtree at once. It is how the cost of trait overrides is commonly described: a change
// updates the trait collections of all descendants. It does stop where a nearer override shields.

final class NaiveNode {
    unowned(unsafe) let parent: NaiveNode?
    fileprivate(set) var children: [NaiveNode] = []
    /// By position in `BenchTraits.all`; values by their number there.
    fileprivate(set) var overrides: [Int: Int] = [:]
    fileprivate(set) var resolved: [Int: Int] = [:]
    fileprivate var registrations: [NaiveRegistration] = []

    init(parent: NaiveNode?) { self.parent = parent }

    func value(of trait: Int) -> Int { resolved[trait] ?? 0 }

    var depth: Int {
        var depth = 0
        var node = parent
        while let above = node {
            depth += 1
            node = above.parent
        }
        return depth
    }
}

final class NaiveRegistration {
    let number: Int
    let traits: Set<Int>
    fileprivate unowned(unsafe) let node: NaiveNode

    fileprivate init(_ number: Int, _ traits: Set<Int>, on node: NaiveNode) {
        self.number = number
        self.traits = traits
        self.node = node
    }
}

/// One registration's part of a commit.
struct NaiveNotification: Hashable {
    struct Change: Hashable {
        let trait: Int
        let previous: Int
        let current: Int
    }

    let registration: Int
    let changes: [Change]
}

final class NaiveEngine {
    private struct Place: Hashable {
        let node: ObjectIdentifier
        let trait: Int
    }

    /// The values at watched nodes before the commit's first change of them.
    private var previous: [Place: Int] = [:]
    private var touched: [ObjectIdentifier: NaiveNode] = [:]
    private var registrationCount = 0
    private var stack: [NaiveNode] = []

    func makeNode(below parent: NaiveNode?) -> NaiveNode {
        let node = NaiveNode(parent: parent)
        if let parent {
            parent.children.append(node)
            node.resolved = parent.resolved
        }
        return node
    }

    func set(_ node: NaiveNode, _ trait: Int, _ value: Int) {
        node.overrides[trait] = value
        propagate(from: node, trait, value)
    }

    func remove(_ node: NaiveNode, _ trait: Int) {
        guard node.overrides.removeValue(forKey: trait) != nil else { return }
        propagate(from: node, trait, node.parent?.value(of: trait) ?? 0)
    }

    func register(_ node: NaiveNode, _ traits: Set<Int>) {
        node.registrations.append(NaiveRegistration(registrationCount, traits, on: node))
        registrationCount += 1
    }

    /// The notifications of the operations since the last commit: by depth, then in the order in
    /// which the registrations were made.
    func commit() -> [NaiveNotification] {
        var notified: [(depth: Int, notification: NaiveNotification)] = []
        for node in touched.values where !node.registrations.isEmpty {
            let depth = node.depth
            for registration in node.registrations {
                let changes = changes(for: registration)
                if changes.isEmpty { continue }
                notified.append(
                    (depth, NaiveNotification(registration: registration.number, changes: changes)))
            }
        }
        notified.sort {
            ($0.depth, $0.notification.registration) < ($1.depth, $1.notification.registration)
        }
        previous.removeAll(keepingCapacity: true)
        touched.removeAll(keepingCapacity: true)
        return notified.map(\.notification)
    }

    private func changes(for registration: NaiveRegistration) -> [NaiveNotification.Change] {
        let node = registration.node
        return registration.traits.sorted().compactMap { trait in
            let place = Place(node: ObjectIdentifier(node), trait: trait)
            guard let old = previous[place], old != node.value(of: trait) else { return nil }
            return .init(trait: trait, previous: old, current: node.value(of: trait))
        }
    }

    /// Writes a value into a node and all below it that no override shields.
    private func propagate(from top: NaiveNode, _ trait: Int, _ value: Int) {
        if top.value(of: trait) == value { return }
        stack.append(top)
        while let node = stack.popLast() {
            if !node.registrations.isEmpty {
                let place = Place(node: ObjectIdentifier(node), trait: trait)
                if previous[place] == nil { previous[place] = node.value(of: trait) }
                touched[ObjectIdentifier(node)] = node
            }
            node.resolved[trait] = value
            for child in node.children where child.overrides[trait] == nil { stack.append(child) }
        }
    }
}
