// What a node's traits are: the hot path of the whole service.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `GET …/nodes/{node}/traits`: the node's trait collection.
    func getNodeTraits(_ request: Request) throws(Problem) {
        let context = request.context
        let options = try ResolveOptions(context.query)
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            let traits = try session.requestedTraits(context.query)
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
        let options = try ResolveOptions(context.query)
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            let trait = try session.trait(context.thirdParameter)
            let encoding = session.encodings.encoding(
                of: trait, in: session.hierarchy.definitions)
            if encoding.definition.origin == .systemPrivate {
                throw Problem(OperationError.privateTrait(encoding.definition.key))
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

struct ResolveOptions {
    var specified = false
    var explain = false
    var absent = false
    /// What will be shown instead of what is.
    var pending = false

    static let plain = ResolveOptions()

    private init() {}

    init(_ query: Query) throws(Problem) {
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
    }
}

extension Session {
    /// `?traits=a,b` or a set's name; all settable traits when it is not given.
    ///
    /// Names are compared as they came unless one is percent-encoded.
    func requestedTraits(_ query: Query) throws(Problem) -> TraitSet {
        guard let list = query[.traits] else { return hierarchy.definitions.settable }
        if list.contains(UInt8(ascii: "%")) || list.isEmpty {
            let text = try query.string(.traits) ?? ""
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            return try traitSet(names: names) { _ in nil }
                .subtracting(TraitDefinitions.privateTraits)
        }
        var set = TraitSet()
        var start = 0
        while start <= list.count {
            var end = start
            while end < list.count, list[end] != UInt8(ascii: ",") { end += 1 }
            let name = UnsafeRawBufferPointer(rebasing: list[start..<end])
            if let trait = hierarchy.definitions.index(of: name), !isPrivate(trait) {
                set.insert(trait)
            } else {
                let name = String(decoding: name, as: UTF8.self)
                set.formUnion(
                    try traitSet(names: [name]) { _ in nil }
                        .subtracting(TraitDefinitions.privateTraits))
            }
            start = end + 1
        }
        return set
    }

    private func isPrivate(_ trait: TraitIndex) -> Bool {
        let position = Int(trait.rawValue)
        return position >= TraitDefinitions.systemCount && position < TraitDefinitions.customStart
    }

    /// `"node","revision","state"` of the open object.
    func writeHead(_ node: NodeIndex, into writer: inout JSONWriter) {
        writer.key("node")
        hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
        writer.key("revision")
        writer.value(head)
        writeState(node, into: &writer)
    }

    func writeState(_ node: NodeIndex, into writer: inout JSONWriter) {
        writer.key("state")
        switch hierarchy.state(of: node) {
        case .current: writer.value("current" as StaticString)
        case .pending: writer.value("pending" as StaticString)
        case .detached: writer.value("detached" as StaticString)
        }
    }

    /// `"traits"` of the open object.
    func writeTraits(
        _ traits: TraitSet, at node: NodeIndex, _ options: ResolveOptions,
        into writer: inout JSONWriter
    ) {
        writer.key("traits")
        writer.beginObject()
        write(traits, at: node, options, into: &writer)
        writer.endObject()
    }

    private func write(
        _ traits: TraitSet, at node: NodeIndex, _ options: ResolveOptions,
        into writer: inout JSONWriter
    ) {
        let definitions = hierarchy.definitions
        if options.explain {
            for trait in traits {
                let encoding = encodings.encoding(of: trait, in: definitions)
                let value =
                    options.pending
                    ? pendingResolution(trait, at: node).value
                    : hierarchy.value(of: trait, at: node)
                if options.specified, value == encoding.definition.defaultValue { continue }
                writer.member(encoding.member)
                writer.beginObject()
                writeExplained(trait, at: node, encoding, options, into: &writer)
                writer.endObject()
            }
            return
        }
        encodings.make(traits, in: definitions)
        // A copy keeps what is prepared in place, and is read without a check of exclusivity.
        let encodings = encodings
        let specified = options.specified
        hierarchy.words(of: traits, at: node) { trait, word in
            if !specified, let member = encodings.prepared(trait).member(for: word) {
                return writer.raw(member)
            }
            let encoding = encodings[trait]
            let value = hierarchy.value(from: word, of: trait)
            if specified, value == encoding.definition.defaultValue { return }
            writer.member(encoding.member)
            encoding.write(value, into: &writer)
        }
    }

    /// The value that the node will show when it is brought up to date.
    private func pendingResolution(_ trait: TraitIndex, at node: NodeIndex) -> Resolution {
        let chain = hierarchy.pendingChain(of: trait, at: node)
        guard let winner = chain.first(where: { $0.status == .winner }), let value = winner.value
        else { return hierarchy.resolve(trait, at: node) }
        return Resolution(
            value: value,
            source: Source(
                kind: winner.layer, node: winner.node, revision: winner.revision,
                deletedNode: winner.deletedNode))
    }

    /// `"value","source"` of the open object, with `explain` the `chain` too.
    func writeExplained(
        _ trait: TraitIndex, at node: NodeIndex, _ encoding: TraitEncoding,
        _ options: ResolveOptions, into writer: inout JSONWriter
    ) {
        let resolution =
            options.pending
            ? pendingResolution(trait, at: node) : hierarchy.resolve(trait, at: node)
        writer.key("value")
        encoding.write(resolution.value, into: &writer)
        writer.key("source")
        write(resolution.source, into: &writer)
        guard options.explain else { return }
        writer.key("chain")
        writer.beginArray()
        let chain =
            options.pending
            ? hierarchy.pendingChain(of: trait, at: node, includeAbsent: options.absent)
            : hierarchy.chain(of: trait, at: node, includeAbsent: options.absent)
        for entry in chain {
            writer.beginObject()
            if let node = entry.node {
                writer.key("node")
                hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
            } else if let node = entry.deletedNode {
                write(deleted: node, into: &writer)
            }
            writer.key("layer")
            writer.value(entry.layer.name)
            if let value = entry.value {
                writer.key("value")
                encoding.write(value, into: &writer)
            }
            writer.key("status")
            writer.value(entry.status.rawValue)
            if let revision = entry.revision {
                writer.key("revision")
                writer.value(revision)
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
