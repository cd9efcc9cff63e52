// Trait collections as values, without any session: made, merged, modified and compared.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `POST /v1/collections` with `{"from":[collection…]?,"modify":{…}?,"traits":{…}?}`: the
    /// collections merged as `init(traitsFrom:)` does, then modified as `modifyingTraits` does.
    func makeCollection(_ request: Request) throws(Problem) {
        try computing(request, optional: "{}") { json, reading, body throws(SessionError) in
            let object = try ObjectReader(
                json, "a request for a collection", members: ["from", "modify", "traits"])
            let reader = try reading.reader(object)
            var collection = TraitCollection(merging: try Self.sources(object, reader))
                .adopting(reader.definitions)
            if let modify = object["modify"] {
                collection = try within("/modify", try reader.apply(modify, to: collection))
            }
            body.beginObject()
            body.key("traits")
            var encodings = TraitEncodings()
            collection.write(with: &encodings, into: &body)
            body.endText()
        }
    }

    /// The limits and the hash seed of a `CollectionReader`.
    private struct CollectionReading: Sendable {
        let limits: HierarchyLimits
        let hashSeed: UInt64

        func reader(_ object: ObjectReader) throws(SessionError) -> CollectionReader {
            try CollectionReader(traits: object["traits"], limits: limits, hashSeed: hashSeed)
        }
    }

    /// Answers with the output of `compute`, which runs at once for a short body, off the shard for a long one.
    private func computing(
        _ request: Request, optional: StaticString? = nil,
        _ compute:
            @escaping @Sendable (JSONValue, CollectionReading, inout JSONWriter)
            throws(SessionError) -> Void
    ) throws(Problem) {
        let reading = CollectionReading(limits: limits.hierarchy, hashSeed: environment.random())
        guard request.exchange.body.count > limits.inlineBodyBytesMax else {
            return try request.withBody(optional: optional) { json throws(SessionError) in
                try compute(json, reading, &request.context.body)
            }
        }
        try request.checkMediaType()
        workWithJSON(request) { json throws(SessionError) -> [UInt8]? in
            var writer = JSONWriter()
            try compute(json, reading, &writer)
            return writer.array()
        } then: { bytes, request in
            bytes.withUnsafeBytes { request.context.body.verbatim($0) }
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
            collections.append(
                try within("/from/\(collections.count)", try reader.collection(json)))
        }
        return collections
    }

    /// `POST /v1/collections/compare` with `{"a","b","traits"?}`.
    func compareCollections(_ request: Request) throws(Problem) {
        try computing(request) { json, reading, body throws(SessionError) in
            let object = try ObjectReader(
                json, "a comparison", members: ["a", "b", "traits"])
            let reader = try reading.reader(object)
            let a = try Self.collection("a", of: object, reader)
            let b = try Self.collection("b", of: object, reader)
            body.beginObject()
            Self.writeComparison(a.changedTraits(from: b), a.definitions, into: &body)
            body.member("contains", a.contains(b))
            body.member("equal", a == b)
            body.endText()
        }
    }

    private static func collection(
        _ name: StaticString, of object: ObjectReader, _ reader: CollectionReader
    ) throws(SessionError) -> TraitCollection {
        let json = try object.required(name)
        return try within("/\(name)", try reader.collection(json))
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
            context.body.member("node", node, of: session.hierarchy)
            context.body.member("with", other, of: session.hierarchy)
            context.body.member("revision", session.head)
            let hierarchy = session.hierarchy
            Self.writeComparison(
                hierarchy.changedTraits(at: node, from: other), hierarchy.definitions,
                into: &context.body)
            context.body.endText()
        }
    }

    /// `"changedTraits"`, sorted by key, and `"hasDifferentColorAppearance"` of the open object.
    private static func writeComparison(
        _ changed: TraitSet, _ definitions: TraitDefinitions, into body: inout JSONWriter
    ) {
        body.beginArray("changedTraits")
        for key in changed.map({ definitions[$0].key }).sorted() { body.value(key) }
        body.endArray()
        body.member(
            "hasDifferentColorAppearance",
            changed.contains { definitions[$0].affectsColorAppearance })
    }
}
