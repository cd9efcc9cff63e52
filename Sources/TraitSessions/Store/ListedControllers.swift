// The controllers of views in a list of nodes that makes a session. A controller may stand behind its view, so
// views get such controllers when all nodes are there. That changes trait parents of views and controllers, and
// siblings are then put into the order of the list.

import JSONCodec
import TraitEngine
import TraitJSON

struct ListedControllers {
    /// A view whose controller comes later.
    private struct Waiting {
        let position: Int
        let view: NodeIndex
        let controller: JSONValue
    }

    private var waiting: [Waiting] = []
    private var hasControllers = false

    /// Creates a node of the list, without its controller if that is not there yet.
    mutating func create(
        _ id: UnsafeRawBufferPointer, _ body: NodeBody, at position: Int,
        _ transaction: inout Transaction
    ) throws(SessionError) {
        guard let controller = body.controller, let name = controller.string else {
            return try transaction.apply(.createNode(Reference(id), body))
        }
        hasControllers = true
        let hierarchy = transaction.hierarchy
        if hierarchy.node(name.bytes) != nil {
            return try transaction.apply(.createNode(Reference(id), body))
        }
        try transaction.apply(.createNode(Reference(id), body.withoutController()))
        if let view = hierarchy.node(id) {
            waiting.append(Waiting(position: position, view: view, controller: controller))
        }
    }

    /// All nodes are there.
    mutating func link(_ transaction: inout Transaction) throws(SessionError) {
        if !hasControllers { return }
        try checkNames(transaction)
        // A controller may have to wait for another one that stands above its view for now.
        while !waiting.isEmpty {
            var left: [Waiting] = []
            var refusal: SessionError?
            for next in waiting {
                do throws(SessionError) {
                    let controller = try transaction.session.node(next.controller, "/controller")
                    try transaction.updateNode(
                        next.view, parent: .keep, controller: .set(controller), label: .keep)
                } catch {
                    let error = error.prefixed("/nodes/\(next.position)")
                    guard error.mayPassLater else { throw error }
                    refusal = refusal ?? error
                    left.append(next)
                }
            }
            if left.count == waiting.count, let refusal { throw refusal }
            waiting = left
        }
        // The session is new, so its nodes are numbered as the list has them.
        try transaction.order(by: \.rawValue)
    }

    /// - Throws: all controllers that are not in the list.
    private func checkNames(_ transaction: Transaction) throws(SessionError) {
        var faults = Faults()
        for next in waiting {
            try faults.collect { () throws(SessionError) in
                _ = try within(
                    "/nodes/\(next.position)",
                    try transaction.session.node(
                        next.controller, "/controller", .unknownController))
            }
        }
        try faults.check()
    }
}
