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
    private var entries: [NodeIndex: Entry] = [:]
    private var last: UInt64 = 0
    /// The running updates. Each gets the objects that begin to wait.
    private var updates: [EnvironmentUpdate] = []

    private struct Entry {
        let order: UInt64
        weak var object: Responder?
    }

    /// Adds an object. Objects outside of scenes are left out; they are added when they enter a
    /// scene.
    func insert(_ object: Responder) {
        let node = object.node.index
        if entries[node] == nil, object.node.isAttached {
            last += 1
            entries[node] = Entry(order: last, object: object)
        }
        for update in updates { update.enqueue(object) }
    }

    func remove(_ node: NodeIndex) { entries[node] = nil }

    /// The objects at and below a root, in the order in which they began to wait. O(n log n) for n
    /// waiting objects.
    func objects(under root: Responder) -> [Responder] {
        let waiting = entries.values.compactMap { entry in
            entry.object.map { (order: entry.order, object: $0) }
        }
        return waiting.sorted { $0.order < $1.order }.map(\.object)
            .filter { $0.node.inherits(from: root.node) }
    }

    func begin(_ update: EnvironmentUpdate) { updates.append(update) }

    func end(_ update: EnvironmentUpdate) { updates.removeAll { $0 === update } }
}
