// Which objects of a scene wait for something to run, so that a pass need not look at all.

internal import TraitEngine

/// Attached objects with waiting work, in the order in which they began to wait.
@MainActor
final class WaitingObjects {
    private var order: [NodeIndex: UInt64] = [:]
    private var objects: [NodeIndex: Reference] = [:]
    private var last: UInt64 = 0
    /// Passes that run now and have to hear of what begins to wait.
    private var passes: [UpdatePass] = []

    private struct Reference {
        weak var object: Responder?
    }

    /// Objects outside of scenes do not wait here; they are found when they come into one.
    func insert(_ object: Responder) {
        let node = object.node.index
        if order[node] == nil, object.node.isAttached {
            last += 1
            order[node] = last
            objects[node] = Reference(object: object)
        }
        for pass in passes { pass.enqueue(object) }
    }

    func remove(_ node: NodeIndex) {
        order[node] = nil
        objects[node] = nil
    }

    /// The objects at and below a root, in the order in which they began to wait.
    func objects(under root: Responder) -> [Responder] {
        objects.keys.sorted { (order[$0] ?? 0) < (order[$1] ?? 0) }
            .compactMap { objects[$0]?.object }.filter { $0.node.inherits(from: root.node) }
    }

    func begin(_ pass: UpdatePass) { passes.append(pass) }

    func end(_ pass: UpdatePass) { passes.removeAll { $0 === pass } }
}
