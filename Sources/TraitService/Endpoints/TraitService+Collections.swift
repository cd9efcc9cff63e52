// Trait collections as values, without any session: made, merged, modified and compared.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `POST /v1/collections` with `{"from":[collection…]?,"modify":{…}?,"traits":{…}?}`: the
    /// collections merged as `init(traitsFrom:)` does, then modified as `modifyingTraits` does.
    func makeCollection(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody(optional: "{}") { json throws(SessionError) in
            let object = try ObjectReader(
                json, "a request for a collection", members: ["from", "modify", "traits"])
            let reader = try collectionReader(object)
            var collection = TraitCollection(merging: try Self.sources(object, reader))
                .adopting(reader.definitions)
            if let modify = object["modify"] {
                do throws(SessionError) {
                    collection = try reader.apply(modify, to: collection)
                } catch {
                    throw error.prefixed("/modify")
                }
            }
            context.body.beginObject()
            context.body.key("traits")
            collection.write(into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    private static func sources(
        _ object: ObjectReader, _ reader: CollectionReader
    ) throws(SessionError) -> [TraitCollection] {
        guard let from = object["from"] else { return [] }
        guard from.kind == .array else {
            throw object.wrongType("from", "an array of trait collections", from)
        }
        var collections: [TraitCollection] = []
        collections.reserveCapacity(from.count)
        for json in from.elements {
            do throws(SessionError) {
                collections.append(try reader.collection(json))
            } catch {
                throw error.prefixed("/from/\(collections.count)")
            }
        }
        return collections
    }

    /// `POST /v1/collections/compare` with `{"a","b","traits"?}`.
    func compareCollections(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(SessionError) in
            let object = try ObjectReader(
                json, "a comparison", members: ["a", "b", "traits"])
            let reader = try collectionReader(object)
            let a = try Self.collection("a", of: object, reader)
            let b = try Self.collection("b", of: object, reader)
            context.body.beginObject()
            request.writeComparison(a, with: b)
            context.body.key("contains")
            context.body.value(a.contains(b))
            context.body.key("equal")
            context.body.value(a == b)
            context.body.endObject()
            context.body.newline()
        }
    }

    private static func collection(
        _ name: StaticString, of object: ObjectReader, _ reader: CollectionReader
    ) throws(SessionError) -> TraitCollection {
        let json = try object.required(name)
        do throws(SessionError) {
            return try reader.collection(json)
        } catch {
            throw error.prefixed("/\(name)")
        }
    }

    private func collectionReader(_ object: ObjectReader) throws(SessionError) -> CollectionReader {
        try CollectionReader(
            traits: object["traits"], limits: limits.hierarchy, hashSeed: environment.random())
    }

    /// `GET …/nodes/{node}/compare?with={node}`: two nodes' collections, at one revision.
    func compareNodes(_ request: Request) throws(Problem) {
        let context = request.context
        guard let name = try context.query.string(.with) else {
            throw Query.malformed(.with, "Name the node to compare with.")
        }
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let other = try session.node(named: name, "with")
            context.body.beginObject()
            context.body.key("node")
            session.hierarchy.withIdentifier(of: node) { context.body.value(bytes: $0) }
            context.body.key("with")
            session.hierarchy.withIdentifier(of: other) { context.body.value(bytes: $0) }
            context.body.key("revision")
            context.body.value(session.head)
            request.writeComparison(
                session.hierarchy.shownCollection(of: node),
                with: session.hierarchy.shownCollection(of: other))
            context.body.endObject()
            context.body.newline()
        }
    }
}

extension Request {
    /// `"changedTraits"`, in the catalogue's order, and `"hasDifferentColorAppearance"` of the open object.
    fileprivate func writeComparison(_ a: TraitCollection, with b: TraitCollection) {
        let changed = a.changedTraits(from: b).map { a.definitions[$0].key }
        context.body.key("changedTraits")
        context.body.beginArray()
        for key in changed { context.body.value(key) }
        context.body.endArray()
        context.body.key("hasDifferentColorAppearance")
        context.body.value(a.hasDifferentColorAppearance(comparedTo: b))
    }
}
