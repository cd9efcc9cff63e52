// Dynamic colours and images: defined once, resolved at any node.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `PUT …/colors/{color}`, `…/images/{image}`: the same again is `unchanged`, another one
    /// replaces it unless a registration names it.
    func putDynamic(_ kind: DynamicKind, _ request: Request) throws(Problem) {
        let name = try request.secondName()
        try request.withBody { json throws(SessionError) in
            try write(request, .defineDynamic(kind, name, DefinitionBody(json)), creates: true)
        }
    }

    func getDynamic(_ kind: DynamicKind, _ request: Request) throws(Problem) {
        let context = request.context
        try readingInParts(request) { session throws(SessionError) in
            let value = try session.dynamic(kind, context.secondParameter)
            return ListText(count: value.variants.count) { _, writer in
                DynamicWriter.begin(value, into: &writer)
            } member: { session, position, writer in
                DynamicWriter.write(
                    value.variants[position], with: &session.encodings, into: &writer)
            } end: { _, writer in
                DynamicWriter.end(into: &writer)
                writer.newline()
            }
        }
    }

    /// In the order in which they were defined.
    func listDynamics(_ kind: DynamicKind, _ request: Request) throws(Problem) {
        try listing(
            request,
            NamedList(member: kind == .color ? "colors" : "images") { session in
                session.hierarchy.definitions.dynamics(kind)
            } name: {
                $0.name
            } bytes: { value in
                value.variants.reduce(0) { $0 + $1.value.utf8.count }
            } write: { session, value, writer in
                DynamicWriter.write(value, with: &session.encodings, into: &writer)
            })
    }

    /// Refused while a registration names it.
    func deleteDynamic(_ kind: DynamicKind, _ request: Request) throws(Problem) {
        try translated(
            try write(request, .deleteDynamic(kind, Reference(request.context.secondParameter))))
    }

    /// `GET …/nodes/{node}/colors/{color}`: the value, the variant it is from, and the traits that
    /// can make a difference.
    func resolveDynamic(_ kind: DynamicKind, _ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let value = try session.dynamic(kind, context.thirdParameter)
            let hierarchy = session.hierarchy
            let choice = try refusing { () throws(OperationError) in
                try hierarchy.resolveDynamic(kind, value.name, at: node)
            }
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.key(kind.member)
            context.body.value(value.name)
            DynamicWriter.writeChoice(
                choice.index, of: value, with: &session.encodings, into: &context.body)
            context.body.endText()
        }
    }
}
