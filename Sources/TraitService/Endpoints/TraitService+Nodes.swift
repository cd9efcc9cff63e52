// Nodes: created, replaced, moved, deleted, listed in tree order.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT …/nodes/{node}`: creates it, or replaces `parent`, `controller` and `label` (and the
    /// values of a layer, when given).
    func putNode(_ request: Request) throws(Problem) {
        let context = request.context
        let id = try Identifier.checked(context.secondParameter)
        var isNew = false
        try request.withBody { json throws(Problem) in
            let body = try NodeBody(json)
            try ObjectReader.check(try body.identifier(), "id", agreesWith: id)
            try writing(request) { transaction throws(Problem) in
                if let node = transaction.hierarchy.node(id) {
                    try request.refuseWhenCreateOnly(id)
                    try transaction.replace(node, with: body)
                } else {
                    isNew = true
                    try transaction.createNode(id, try body.description(in: transaction))
                }
            }
        }
        if isNew, context.status == 200 { context.status = 201 }
    }

    /// `POST …/nodes`: with an identifier in the body, or with one of ours.
    func createNode(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            let body = try NodeBody(json)
            let id = try body.identifier() ?? environment.name(length: 12)
            try writing(
                request,
                describe: { session, outcome in
                    request.describeNode(id, session, outcome)
                }
            ) { transaction throws(Problem) in
                do throws(Problem) {
                    try transaction.createNode(id, try body.description(in: transaction))
                } catch {
                    throw error.pointingAtIdentifier("/id")
                }
            }
        }
        if context.status == 200 { context.status = 201 }
    }

    func getNode(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            NodeWriter.write(node, of: session, into: &context.body)
            context.body.newline()
        }
    }

    /// A merge patch of `parent`, `controller` and `label`; null detaches or clears.
    func patchNode(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            let object = try ObjectReader(
                json, "a node's patch", members: ["parent", "controller", "label"])
            try writing(request) { transaction throws(Problem) in
                let node = try transaction.session.node(context.secondParameter)
                try transaction.update(node, object)
            }
        }
    }

    func deleteNode(_ request: Request) throws(Problem) {
        try writing(request) { transaction throws(Problem) in
            let node = try transaction.session.node(request.context.secondParameter)
            try transaction.deleteNode(node)
        }
    }

    /// `GET …/nodes?under=&kind=&depth=`, in tree order. `depth` counts levels below `under`
    /// (0: only itself), or below the roots.
    func listNodes(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let depth = try context.query.integer(.depth, in: 0...limits.hierarchy.depthMax)
        var kind: NodeKind?
        if let name = try context.query.string(.kind) {
            kind = NodeKind(name: name)
            if kind == nil {
                throw Query.malformed(
                    .kind,
                    "It takes \(NodeKind.allCases.map(\.name).joined(separator: ", ")).")
            }
        }
        let underName = try context.query.string(.under)
        try reading(request) { session throws(Problem) in
            var under: NodeIndex?
            if let underName {
                under = try session.node(named: underName, "under")
            }
            var after: NodeIndex?
            if let name = page.after {
                guard let node = session.hierarchy.node(name) else { throw Page.malformedToken() }
                after = node
            }
            request.writeNodes(
                session, under: under, after: after, kind: kind, depth: depth, page: page)
        }
    }
}

extension Request {
    fileprivate func describeNode(_ id: String, _ session: Session, _ outcome: CommitOutcome) {
        guard let node = session.hierarchy.node(id) else { return }
        context.field("Location", "/v1/sessions/\(session.name)/nodes/\(id)")
        let isDryRun = context.query.flag(.dryRun)
        NodeWriter.write(node, of: session, into: &context.body) { body in
            body.key("revision")
            body.value(outcome.revision)
            if isDryRun {
                body.key("dryRun")
                body.value(true)
            }
        }
        context.body.newline()
    }

    /// `If-None-Match: *` on PUT asks for a new resource only.
    func refuseWhenCreateOnly(_ what: String) throws(Problem) {
        if let condition = exchange.header(.ifNoneMatch), condition.elementsEqual("*".utf8) {
            throw Problem(
                .revisionMismatch,
                "There is a '\(what)' already, and If-None-Match: * asks for a new one.")
        }
    }

    fileprivate func writeNodes(
        _ session: Session, under: NodeIndex?, after: NodeIndex?, kind: NodeKind?, depth: Int?,
        page: Page
    ) {
        let hierarchy = session.hierarchy
        context.body.beginObject()
        context.body.key("nodes")
        context.body.beginArray()
        var last: NodeIndex?
        var count = 0
        var hasMore = false
        hierarchy.forEachNode(under: under, after: after) { node, level in
            let isAtBottom = depth.map { level >= $0 } ?? false
            if kind == nil || hierarchy.kind(of: node) == kind {
                if count == page.size {
                    hasMore = true
                    return .stop
                }
                NodeWriter.write(node, of: session, into: &context.body)
                count += 1
                last = node
            }
            return isAtBottom ? .skipChildren : .descend
        }
        context.body.endArray()
        if hasMore, let last { page.writeNext(after: hierarchy.identifier(of: last), self) }
        context.body.endObject()
        context.body.newline()
    }
}

extension Transaction {
    /// Replaces what `PUT` replaces; the kind has to stay.
    fileprivate mutating func replace(
        _ node: NodeIndex, with body: NodeBody
    ) throws(Problem) {
        let present = hierarchy.kind(of: node)
        if let kind = try body.kind(), kind != present {
            throw Problem(
                .kindImmutable,
                "The node is a \(present.name) and stays one. Delete it and create it again.",
                pointer: "/kind")
        }
        let parent = try NodeBody.reference(body.parent, "/parent", session)
        let controller = try NodeBody.reference(body.controller, "/controller", session)
        let label = try body.label()
        let overrides = try readValues(body.overrides, .overrides)
        let supplied = try readValues(body.supplied, .supplied)
        try updateNode(
            node, parent: parent.map(Change.set) ?? .clear,
            controller: controller.map(Change.set) ?? .clear,
            label: label.map(Change.set) ?? .clear)
        if let overrides { try replace(.overrides, node, with: overrides) }
        if let supplied { try replace(.supplied, node, with: supplied) }
    }

    /// A patch: `parent`, `controller`, `label`, each kept when absent and cleared by null.
    mutating func update(_ node: NodeIndex, _ object: ObjectReader) throws(Problem) {
        try updateNode(
            node,
            parent: try NodeBody.change(object["parent"], "/parent", session),
            controller: try NodeBody.change(object["controller"], "/controller", session),
            label: try object.change("label"))
    }
}
