// The resolved traits of a node: the hot path of the whole service.

import Glibc
import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `GET …/nodes/{node}/traits`: the node's trait collection, as JSON or as a style sheet.
    func getNodeTraits(_ request: Request) throws(Problem) {
        let context = request.context
        if try request.wantsStyleSheet() { return try getStyleSheet(request) }
        let options = try request.listing()
        let names = try request.listedTraits()
        // Only values without explanation have another form.
        try readingInParts(request, options.explain ? .json : .negotiatedJSON) {
            session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            return TraitsText(try session.traits(names), at: node, options)
        }
    }

    /// `GET …/nodes/{node}/traits/{trait}`: one value and where it comes from.
    func getNodeTrait(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try request.listing()
        if options.explain { return try explainNodeTrait(request, options) }
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let trait = try session.trait(context.thirdParameter)
            let encoding = try session.shownEncoding(of: trait)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.member("trait", encoding.definition.key)
            session.writeExplained(trait, at: node, encoding, options, into: &context.body)
            context.body.endText()
        }
    }

    /// One value with its source and chain. The chain has a value for each of up to ten thousand levels.
    private func explainNodeTrait(
        _ request: Request, _ options: TraitListing
    ) throws(Problem) {
        let context = request.context
        try readingInParts(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let trait = try session.trait(context.thirdParameter)
            let key = try session.shownEncoding(of: trait).definition.key
            let chain = session.chain(of: trait, at: node, options)
            return ListText(count: chain.count) { session, writer in
                writer.beginObject()
                session.writeHead(node, into: &writer)
                writer.member("trait", key)
                session.writeValue(of: trait, at: node, options, into: &writer)
                writer.beginArray("chain")
            } member: { session, position, writer in
                session.write(chain[position], of: trait, into: &writer)
            } end: { _, writer in
                writer.endArray()
                writer.endText()
            }
        }
    }
}

extension SessionState {
    /// - Throws: `privateTrait` for one that clients may not see.
    fileprivate func shownEncoding(of trait: TraitIndex) throws(SessionError) -> TraitEncoding {
        let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
        if encoding.definition.origin == .systemPrivate {
            throw SessionError(OperationError.privateTrait(encoding.definition.key))
        }
        return encoding
    }
}

extension TraitsText: TextInParts {}

extension Request {
    /// How the answer shows traits.
    func listing() throws(Problem) -> TraitListing {
        var options = TraitListing()
        guard context.query.given.intersects(Self.listingParameters) else { return options }
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
        return .names(text.parts(at: UInt8(ascii: ",")))
    }
}
