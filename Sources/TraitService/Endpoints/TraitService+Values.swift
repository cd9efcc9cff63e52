// The values that are set at a node: overrides, and what the system or a container supplies.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT …/{layer}/{trait}` with `{"value": …}`.
    func putValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            let object = try ObjectReader(json, "a value", members: ["value"])
            let value = try object.required("value")
            try writing(request) { transaction throws(Problem) in
                let node = try transaction.session.node(context.secondParameter)
                let trait = try transaction.session.trait(context.thirdParameter)
                do throws(Problem) {
                    try transaction.set(layer, node, trait, value)
                } catch {
                    throw error.at("/value")
                }
            }
        }
    }

    /// `DELETE …/{layer}/{trait}`: quiet when it was not set.
    func deleteValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try writing(request) { transaction throws(Problem) in
            let node = try transaction.session.node(context.secondParameter)
            let trait = try transaction.session.trait(context.thirdParameter)
            transaction.remove(layer, node, trait)
        }
    }

    /// `GET …/{layer}/{trait}`: an error when it is not set, as in UIKit.
    func getValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            let trait = try session.trait(context.thirdParameter)
            let hierarchy = session.hierarchy
            let value =
                layer == .overrides
                ? hierarchy.override(trait, of: node) : hierarchy.supplied(trait, of: node)
            let encoding = session.encodings.encoding(of: trait, in: hierarchy.definitions)
            let key = encoding.definition.key
            guard let value else {
                let id = hierarchy.identifier(of: node)
                throw Problem(
                    .noOverride,
                    layer == .overrides
                        ? "The node '\(id)' has no override of '\(key)'. GET …/nodes/\(id)/traits/\(key) gives the value it inherits."
                        : "Nothing is supplied for '\(key)' at the node '\(id)'.")
            }
            context.body.beginObject()
            context.body.key("node")
            hierarchy.withIdentifier(of: node) { context.body.value(bytes: $0) }
            context.body.key("trait")
            context.body.value(key)
            context.body.key("value")
            encoding.write(value, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    /// `GET …/{layer}`: `{"node","revision","overrides":{…}}`.
    func listValues(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            let hierarchy = session.hierarchy
            context.body.beginObject()
            context.body.key("node")
            hierarchy.withIdentifier(of: node) { context.body.value(bytes: $0) }
            context.body.key("revision")
            context.body.value(session.head)
            context.body.key(layer.member)
            NodeWriter.write(
                layer == .overrides ? hierarchy.overrides(of: node) : hierarchy.supplied(of: node),
                of: session, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    /// `PATCH …/{layer}`: null removes, the rest sets, a value is replaced whole; one commit.
    func patchValues(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            guard case .object = json.kind else {
                throw Problem(
                    .malformedBody,
                    "A patch is an object of trait and value, null to remove; it is \(json.summary).",
                    pointer: "")
            }
            try writing(request) { transaction throws(Problem) in
                let node = try transaction.session.node(context.secondParameter)
                try transaction.patch(layer, node, json)
            }
        }
    }
}

extension Transaction {
    fileprivate mutating func patch(
        _ layer: ValueLayer, _ node: NodeIndex, _ json: JSONValue
    ) throws(Problem) {
        var seen = TraitSet()
        for (key, value) in json.members {
            let name = key.string
            let pointer = "/" + name.pointerToken
            let trait = try session.trait(named: name, pointer)
            guard seen.insert(trait) else { throw Problem.sameTraitTwice(name).at(pointer) }
            if value.isNull {
                remove(layer, node, trait)
                continue
            }
            do throws(Problem) {
                try set(layer, node, trait, value)
            } catch {
                var problem = error
                problem.pointer = pointer
                throw problem
            }
        }
    }
}
