// The values that are set at a node: overrides, and what the system or a container supplies.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `PUT …/{layer}/{trait}` with `{"value": …}`.
    func putValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(SessionError) in
            let value: JSONValue
            if json.count == 1, let only = json.member("value") {
                value = only
            } else {
                let object = try ObjectReader(
                    json, "a value",
                    members: layer == .overrides ? ["value", "expiresAt", "ttl"] : ["value"])
                value = try object.required("value")
                if let end = try ValueEnd(object) {
                    return try write(
                        request,
                        .setValue(
                            layer, Reference(context.secondParameter),
                            Reference(context.thirdParameter),
                            value, until: end))
                }
            }
            try write(
                request,
                .setValue(
                    layer, Reference(context.secondParameter), Reference(context.thirdParameter),
                    value))
        }
    }

    /// `DELETE …/{layer}/{trait}`: quiet when it was not set.
    func deleteValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try translated(
            try write(
                request,
                .removeValue(
                    layer, Reference(context.secondParameter), Reference(context.thirdParameter))))
    }

    /// `GET …/{layer}/{trait}`: an error when it is not set, as in UIKit.
    func getValue(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
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
                throw SessionError(
                    .noOverride,
                    layer == .overrides
                        ? "The node '\(id)' has no override of '\(key)'."
                        : "Nothing is supplied for '\(key)' at the node '\(id)'.",
                    hint: layer == .overrides ? .readTrait(node: id, trait: key) : nil)
            }
            context.body.beginObject()
            context.body.member("node", node, of: hierarchy)
            context.body.member("trait", key)
            context.body.key("value")
            encoding.write(value, into: &context.body)
            if layer == .overrides { session.writeEnd(of: trait, at: node, into: &context.body) }
            context.body.endText()
        }
    }

    /// `GET …/{layer}`: `{"node","revision","overrides":{…}}`.
    func listValues(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        let context = request.context
        try readingInParts(request) { session throws(SessionError) in
            NodeText(try session.node(context.secondParameter), listing: layer)
        }
    }

    /// `PATCH …/{layer}`: null removes, the rest sets, a value is replaced whole; one commit.
    func patchValues(_ layer: ValueLayer, _ request: Request) throws(Problem) {
        try request.withBody { json throws(SessionError) in
            guard case .object = json.kind else {
                throw SessionError.malformed(
                    "A patch is an object of trait and value, null to remove", json, at: "")
            }
            let node = Reference(request.context.secondParameter)
            try write(request, .patchValues(layer, node, json))
        }
    }
}
