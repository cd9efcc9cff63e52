// What a node's traits are: the hot path of the whole service.

import Glibc
import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `GET …/nodes/{node}/traits`: the node's trait collection.
    func getNodeTraits(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try request.listing()
        let names = try request.listedTraits()
        if options.explain { return try explain(names, options, request) }
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let traits = try session.traits(names)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            session.writeTraits(traits, at: node, options, into: &context.body)
            context.body.endText()
        }
    }

    /// The same with sources and chains: a short answer under the lock, a long one streamed from a
    /// snapshot.
    private func explain(
        _ names: TraitNames, _ options: TraitListing, _ request: Request
    ) throws(Problem) {
        let context = request.context
        let session = try session(request)
        var long: (SessionSnapshot, ExplainedTraits)?
        try translating { () throws(SessionError) in
            let session = try request.entered(session, before: true)
            defer { session.leave() }
            try request.checkIsThere(session)
            context.response = session.pendingResponse(until: session.head)
            let node = try session.node(context.secondParameter)
            let text = ExplainedTraits(try session.traits(names), at: node, options)
            var part = text
            if part.write(
                from: session, budget: limits.inlineAnswerBytesMax, into: &context.body)
            {
                return request.finishReading(session)
            }
            context.body.reset()
            long = (try session.snapshot(), text)
        }
        guard let (snapshot, text) = long else { return }
        readAtLength(request, snapshot) { _, _ in
            true
        } then: { _, request throws(Problem) in
            request.finishReading(
                uid: snapshot.header.uid, revision: snapshot.revision, bodyBytes: 0)
            if request.context.status == 304 { return }
            try request.stream("application/json", PartsProducer(snapshot, text))
        }
    }

    /// `GET …/nodes/{node}/traits/{trait}`: one value and where it comes from.
    func getNodeTrait(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try request.listing()
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let trait = try session.trait(context.thirdParameter)
            let encoding = session.encodings.encoding(
                of: trait, in: session.hierarchy.definitions)
            if encoding.definition.origin == .systemPrivate {
                throw SessionError(OperationError.privateTrait(encoding.definition.key))
            }
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.member("trait", encoding.definition.key)
            session.writeExplained(trait, at: node, encoding, options, into: &context.body)
            context.body.endText()
        }
    }
}

extension ExplainedTraits: TextInParts {}

extension Request {
    /// How the answer shows traits.
    func listing() throws(Problem) -> TraitListing {
        var options = TraitListing()
        guard context.query.hasAny(of: Self.listingParameters) else { return options }
        options.specified = context.query.flag(.specified)
        options.explain = context.query.flag(.explain)
        options.absent = context.query.flag(.absent)
        if options.absent, !options.explain {
            throw Query.malformed(.absent, "It adds to a chain, so it goes with explain=true.")
        }
        options.pending = context.query.flag(.pending)
        if options.pending, !options.explain {
            throw Query.malformed(.pending, "It is for a chain, so it goes with explain=true.")
        }
        return options
    }

    private static let listingParameters = QueryParameterSet([
        .specified, .explain, .absent, .pending,
    ])

    /// `?traits=a,b` or a set's name; all settable traits when it is not given. Names are compared
    /// as they came unless one is percent-encoded.
    func listedTraits() throws(Problem) -> TraitNames {
        guard let list = context.query[.traits] else { return .all }
        if let base = list.baseAddress, memchr(base, Int32(UInt8(ascii: "%")), list.count) == nil {
            return .list(list)
        }
        let text = try context.query.string(.traits) ?? ""
        return .names(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
}
