// One write of a script, as data: a failing script can be printed and run again.

/// What a client sends.
package struct Write: Sendable {
    package enum Form: Sendable {
        /// Operations as a transaction has them, each a JSON object.
        case transaction([String])
        /// The only operation, decoded and applied by itself.
        case one(String)
        /// `PUT` of a node with this body.
        case putNode(String, String)
        /// A merge patch of overrides or supplied values.
        case patch(isSupplied: Bool, node: String, String)
        /// `PUT` of a registration with this body.
        case putRegistration(String, String)
    }

    package var form: Form
    package var dryRun = false
    package var changes = false
    package var wantsNew = false
    /// How far the revision of `If-Match` is from the head; nil for none.
    package var ifMatch: Int64?
    package var ifRevision: Int64?
    package var cause: String?

    package init(_ form: Form) { self.form = form }
}

extension Write: CustomStringConvertible {
    package var description: String {
        let what =
            switch form {
            case .transaction(let list): "transaction\n    " + list.joined(separator: "\n    ")
            case .one(let operation): "one \(operation)"
            case .putNode(let id, let body): "putNode \(id) \(body)"
            case .patch(let isSupplied, let node, let body):
                "patch \(isSupplied ? "supplied" : "overrides") \(node) \(body)"
            case .putRegistration(let id, let body): "putRegistration \(id) \(body)"
            }
        let options: [(String, Bool)] = [
            ("dryRun", dryRun), ("changes", changes), ("wantsNew", wantsNew),
            ("ifMatch", ifMatch != nil), ("ifRevision", ifRevision != nil), ("cause", cause != nil),
        ]
        return ([what] + options.filter(\.1).map(\.0)).joined(separator: " ")
    }
}
