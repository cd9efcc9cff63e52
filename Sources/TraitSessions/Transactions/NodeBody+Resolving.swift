// A node of a body with its references resolved in a session.

import JSONCodec
import TraitEngine
import TraitJSON

extension NodeBody {
    /// Everything that a new node needs, its references resolved.
    func description(in transaction: Transaction) throws(SessionError) -> NodeDescription {
        do throws(SessionError) {
            return NodeDescription(
                kind: try requiredKind(),
                parent: try Self.reference(parent, "/parent", transaction.session),
                controller: try Self.reference(controller, "/controller", transaction.session),
                label: try label(),
                overrides: try transaction.readValues(overrides, .overrides),
                supplied: try transaction.readValues(supplied, .supplied))
        } catch {
            try check(in: transaction)
            throw error
        }
    }

    /// - Throws: all faults of a new node; without a transaction those that are found without the session.
    func check(in transaction: Transaction? = nil) throws(SessionError) {
        var faults = Faults()
        func collect<R>(_ part: @autoclosure () throws(SessionError) -> R) throws(SessionError) {
            try faults.collect { () throws(SessionError) in _ = try part() }
        }
        guard let transaction else {
            try collect(try requiredIdentifier())
            try collect(try requiredKind())
            try collect(try label())
            return try faults.check()
        }
        try collect(try requiredKind())
        try collect(try Self.reference(parent, "/parent", transaction.session))
        try collect(try Self.reference(controller, "/controller", transaction.session))
        try collect(try label())
        try collect(try transaction.readValues(overrides, .overrides))
        try collect(try transaction.readValues(supplied, .supplied))
        try faults.check()
    }

    /// null and absent are no node.
    package static func reference(
        _ json: JSONValue?, _ pointer: StaticString, _ session: SessionState
    ) throws(SessionError) -> NodeIndex? {
        guard let json, !json.isNull else { return nil }
        if let text = json.string, let node = session.hierarchy.node(text.bytes) { return node }
        return try session.node(json, pointer.description, code(pointer))
    }

    /// A node, null to clear, absent to keep.
    static func change(
        _ json: JSONValue?, _ pointer: StaticString, _ session: SessionState
    ) throws(SessionError) -> Change<NodeIndex> {
        guard let json else { return .keep }
        if json.isNull { return .clear }
        return .set(try session.node(json, pointer.description, code(pointer)))
    }

    private static func code(_ pointer: StaticString) -> SessionErrorCode {
        pointer.description == "/parent" ? .unknownParent : .unknownController
    }
}
