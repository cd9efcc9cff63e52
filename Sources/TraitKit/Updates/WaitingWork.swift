// The methods that objects wait for, and the objects that wait, so that an update need not visit all
// objects.

internal import TraitEngine

/// The methods of an object that wait to run in the next update.
struct WaitingWork: OptionSet {
    let rawValue: UInt16

    /// The view's controller is about to appear.
    static let appearing = WaitingWork(rawValue: 1)
    static let configuration = WaitingWork(rawValue: 2)
    static let contentUnavailable = WaitingWork(rawValue: 4)
    static let properties = WaitingWork(rawValue: 8)
    static let constraints = WaitingWork(rawValue: 16)
    static let layout = WaitingWork(rawValue: 32)
    static let display = WaitingWork(rawValue: 64)
    /// `viewDidAppear` of the view's controller has not run yet.
    static let appeared = WaitingWork(rawValue: 128)
    /// The values of appearance proxies have not been set on the view yet.
    static let proxies = WaitingWork(rawValue: 256)

    static let appearance: WaitingWork = [.appearing, .appeared]

    /// The work at the end of an update, when no other work is left.
    static let late: WaitingWork = [.display, .appeared]
}

/// Attached objects with waiting work, in the order in which they began to wait.
@MainActor
final class WaitingObjects {
    /// The objects' nodes in that order; nil where an object waits no longer. Each node knows its
    /// position.
    @exclusivity(unchecked) private var nodes: ContiguousArray<NodeIndex?> = []
    /// How many objects wait.
    @exclusivity(unchecked) private var count = 0
    /// The running updates. Each gets the objects that begin to wait.
    @exclusivity(unchecked) private var updates: [EnvironmentUpdate] = []
    private var lastUpdate: UInt64 = 0

    /// Adds an object. Objects outside of scenes are left out; they are added when they enter a
    /// scene. O(depth), amortized.
    func insert(_ object: Responder) {
        let node = object.node
        if node.waitingPosition < 0, node.isAttached {
            if nodes.count > 2 * count + 64 { compact(node.hierarchy) }
            node.waitingPosition = nodes.count
            nodes.append(node.index)
            count += 1
        }
        for update in updates { update.enqueue(object) }
    }

    func remove(_ node: EnvironmentNode) {
        let position = node.waitingPosition
        node.waitingPosition = -1
        // The node of an object that was being released is left out by `compact`, which cannot tell it.
        guard nodes.indices.contains(position), nodes[position] == node.index else { return }
        nodes[position] = nil
        count -= 1
        if count == 0 { nodes.removeAll(keepingCapacity: true) }
    }

    /// Closes the gaps.
    private func compact(_ hierarchy: TraitHierarchy) {
        let left = nodes
        nodes.removeAll(keepingCapacity: true)
        for case let node? in left {
            guard let environment = hierarchy[objectOf: node]?.node else { continue }
            environment.waitingPosition = nodes.count
            nodes.append(node)
        }
        count = nodes.count
    }

    /// The objects at and below a root, in the order in which they began to wait. O(waiting objects and
    /// their depths).
    func objects(under root: Responder) -> [Responder] {
        let hierarchy = root.node.hierarchy
        return nodes.compactMap { node in node.flatMap { hierarchy[objectOf: $0] } }
            .filter { $0.node.inherits(from: root.node) }
    }

    /// Returns a number for an update that does not run inside another; nil for one that does.
    func begin(_ update: EnvironmentUpdate) -> UInt64? {
        updates.append(update)
        if updates.count > 1 { return nil }
        lastUpdate += 1
        return lastUpdate
    }

    func end(_ update: EnvironmentUpdate) { updates.removeAll { $0 === update } }
}
