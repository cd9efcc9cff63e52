// What a node's traits are: the hot path of the whole service.

import Glibc
import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `GET …/nodes/{node}/traits`: the node's trait collection.
    func getNodeTraits(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try TraitListing(context.query)
        let names = try request.listedTraits()
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let traits = try session.traits(names)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            session.writeTraits(traits, at: node, options, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    /// `GET …/nodes/{node}/traits/{trait}`: one value and where it comes from.
    func getNodeTrait(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try TraitListing(context.query)
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
            context.body.key("trait")
            context.body.value(encoding.definition.key)
            session.writeExplained(trait, at: node, encoding, options, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }
}

extension TraitListing {
    init(_ query: Query) throws(Problem) {
        self.init()
        specified = query.flag(.specified)
        explain = query.flag(.explain)
        absent = query.flag(.absent)
        if absent, !explain {
            throw Query.malformed(.absent, "It adds to a chain, so it goes with explain=true.")
        }
        pending = query.flag(.pending)
        if pending, !explain {
            throw Query.malformed(.pending, "It is for a chain, so it goes with explain=true.")
        }
        pending = query.flag(.pending)
        if pending, !explain {
            throw Query.malformed(.pending, "It is for a chain, so it goes with explain=true.")
        }
    }
}

extension Request {
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
