// `POST …/resolve` with `assume`: what nodes would show after operations. Decided as a dry run; see `AssumedRead`.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// Values that one answer about an assumed state may have. The whole answer is in memory.
private let assumedValuesMax = 1_000_000

extension TraitService {
    /// - Parameter json: the body.
    func resolveAssumed(
        _ request: Request, _ json: JSONValue, _ options: ResolveOptions
    ) throws(SessionError) {
        let context = request.context
        let inline = limits.inlineValuesMax
        let read = AssumedRead(updates: context.query.updates, asLines: options.form.asLines) {
            json, session, work throws(SessionError) -> AssumedRead.Writing in
            let body = try ResolveBody(json)
            let parts = try ResolvedParts(body, in: session)
            try body.checkSize(work.isShort ? inline : nil, options, parts, in: session)
            guard try body.changed() else {
                return { session, writer, work throws(SessionError) in
                    try body.writeAssumed(parts, options, session, &writer, &work)
                }
            }
            let before = try ShownBefore(body, parts.traits, in: session, &work)
            return { session, writer, work throws(SessionError) in
                try body.writeChanged(before, options, session, &writer, &work)
            }
        }
        try answer(request, json, read)
    }

    /// Answers with what a read of an assumed state writes.
    ///
    /// - Parameter json: the body.
    func answer(
        _ request: Request, _ json: JSONValue, _ read: AssumedRead
    ) throws(SessionError) {
        var options = CommitOptions()
        options.requestBytes = request.exchange.body.count
        options.condition.ifMatch = request.ifMatch
        var proposal = Proposal(assuming: json, read, options)
        try decide(request, &proposal, in: try presentOrPast(request.context))
    }
}

extension Query {
    /// Whether a layout session shows an assumption after a pass: unless the query says `pending=false`.
    var updates: Bool { self[.pending] == nil || flag(.pending) }
}

/// What nodes show before the operations.
private struct ShownBefore {
    let traits: TraitSet
    /// The position of each node's words in `words`.
    private var places: [NodeIndex: Int] = [:]
    private var words: [UInt64] = []

    /// O(nodes · traits).
    init(
        _ body: ResolveBody, _ traits: TraitSet, in session: SessionState,
        _ work: inout AssumedWork
    ) throws(SessionError) {
        self.traits = traits
        try body.forEachNode(in: session, isAssumed: false) { node throws(SessionError) in
            places[node] = words.count
            session.forEachWord(of: traits, at: node) { _, word in words.append(word) }
            if places.count % 64 == 0 {
                try work.goOn(words.count * 8 + places.count * 32, session)
            }
        }
    }

    /// The words of a node that was there; nil for a new one.
    func words(of node: NodeIndex) -> ArraySlice<UInt64>? {
        places[node].map { words[$0..<$0 + traits.count] }
    }
}

extension ResolveBody {
    /// Calls `visit` with each node that the body names, or that is at or below the node `under`.
    ///
    /// - Parameter isAssumed: whether the operations are applied. Before that, names that they make are passed over.
    fileprivate func forEachNode(
        in session: SessionState, isAssumed: Bool,
        _ visit: (NodeIndex) throws(SessionError) -> Void
    ) throws(SessionError) {
        if let names = try names() {
            var position = 0
            for name in names.elements {
                if isAssumed {
                    try visit(try session.node(name, "/nodes/\(position)"))
                } else if let text = name.string, let node = session.hierarchy.node(text.bytes) {
                    try visit(node)
                }
                position += 1
            }
            return
        }
        if !isAssumed, let text = object["under"]?.string,
            session.hierarchy.node(text.bytes) == nil
        {
            return
        }
        var failure: SessionError?
        session.hierarchy.forEachNode(under: try root(in: session), after: nil) { node, _ in
            do throws(SessionError) {
                try visit(node)
                return .descend
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Checks how many values are looked at. O(nodes that may be answered).
    ///
    /// - Parameter inline: the most for an event loop; nil elsewhere.
    /// - Throws: `takesLong` beyond `inline`, `transactionTooLarge` beyond `assumedValuesMax`.
    fileprivate func checkSize(
        _ inline: Int?, _ options: ResolveOptions, _ parts: ResolvedParts,
        in session: SessionState
    ) throws(SessionError) {
        let nodesMax = (inline ?? assumedValuesMax) / parts.count
        if let size = options.form.pageSize, size <= nodesMax, try !changed() { return }
        let isMore: Bool
        if let names = try names() {
            isMore = names.count > nodesMax
        } else if let text = object["under"]?.string, let root = session.hierarchy.node(text.bytes)
        {
            isMore = session.hierarchy.hasMore(than: nodesMax, under: root)
        } else {
            return
        }
        guard isMore else { return }
        if inline != nil { throw .takesLong }
        throw SessionError(
            .transactionTooLarge,
            "An answer about an assumed state has at most \(assumedValuesMax) values, and a node has \(parts.count) of them here. Name fewer traits or nodes, or ask for pages with pageSize."
        )
    }

    /// Bytes that are written between two looks at the budget.
    private static let bytesAtATime = 16_384

    fileprivate func writeAssumed(
        _ parts: ResolvedParts, _ options: ResolveOptions, _ session: SessionState,
        _ writer: inout JSONWriter, _ work: inout AssumedWork
    ) throws(SessionError) {
        var text: ResolvedText
        if object.has("nodes") {
            var named: [NodeIndex] = []
            try forEachNode(in: session, isAssumed: true) { named.append($0) }
            text = try options.text(named: named, parts)
        } else {
            text = try options.text(under: try root(in: session), parts, in: session)
        }
        // `ResolvedText` separates parts that begin in an empty writer.
        var part = JSONWriter()
        while true {
            let isAll = text.write(from: session, budget: Self.bytesAtATime, into: &part)
            writer.verbatim(part.bytes)
            part.reset()
            if isAll { return }
            try work.goOn(writer.count, session)
        }
    }

    /// `{"uid","revision","assumed":true,"nodes":[{"node","state","traits":{…},"previous":{…}}…],"count"}`, or a line for
    /// each of these nodes and a last one with the count. A node has the traits that differ.
    fileprivate func writeChanged(
        _ before: ShownBefore, _ options: ResolveOptions, _ session: SessionState,
        _ writer: inout JSONWriter, _ work: inout AssumedWork
    ) throws(SessionError) {
        let form = options.form
        let start = try options.position()
        let end = form.pageSize.map { start + $0 } ?? .max
        var (count, visited) = (0, 0)
        if !form.asLines {
            Page.begin(uid: session.uid, revision: session.shownRevision, &writer)
            writer.flag("assumed", when: true)
            writer.beginArray("nodes")
        }
        try forEachNode(in: session, isAssumed: true) { node throws(SessionError) in
            visited += 1
            if visited % 64 == 0 { try work.goOn(writer.count, session) }
            let previous = before.words(of: node)
            guard session.differs(node, before.traits, from: previous) else { return }
            count += 1
            guard count > start, count <= end else { return }
            session.writeChanged(node, before.traits, from: previous, form, into: &writer)
        }
        if form.asLines {
            writer.beginObject()
            writer.member("count", count)
            writer.endText()
        } else {
            writer.endArray()
            writer.member("count", count)
            Page.end(next: count > end ? PageToken.text([String(end)]) : nil, of: &writer)
        }
    }
}

extension ResolveOptions {
    /// How many nodes are on earlier pages.
    ///
    /// - Throws: `malformedToken`.
    fileprivate func position() throws(SessionError) -> Int {
        guard let after else { return 0 }
        guard after.count == 1, let number = StreamToken.number(after[0]),
            let position = Int(exactly: number), position >= 0
        else { throw Page.malformedToken() }
        return position
    }
}

extension SessionState {
    /// Whether a node shows other words than before; true for a new node.
    fileprivate func differs(
        _ node: NodeIndex, _ traits: TraitSet, from previous: ArraySlice<UInt64>?
    ) -> Bool {
        guard let previous else { return true }
        var (position, differs) = (previous.startIndex, false)
        forEachWord(of: traits, at: node) { _, word in
            if previous[position] != word { differs = true }
            position += 1
        }
        return differs
    }

    fileprivate func writeChanged(
        _ node: NodeIndex, _ traits: TraitSet, from previous: ArraySlice<UInt64>?,
        _ form: ResolvedForm, into writer: inout JSONWriter
    ) {
        var (changed, old): (TraitSet, [(TraitIndex, UInt64)]) = (TraitSet(), [])
        var position = previous?.startIndex ?? 0
        forEachWord(of: traits, at: node) { trait, word in
            if let previous, previous[position] != word { old.append((trait, previous[position])) }
            if previous == nil || previous?[position] != word { changed.insert(trait) }
            position += 1
        }
        writer.beginObject()
        if form.asLines {
            writeHead(node, into: &writer)
        } else {
            writeElementHead(node, into: &writer)
        }
        var listing = form.listing
        listing.specified = false
        if listing.explain {
            writer.beginObject("traits")
            for trait in hierarchy.definitions.inCatalogueOrder(changed) {
                let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
                writer.member(encoding.member)
                writer.beginObject()
                writeExplained(trait, at: node, encoding, listing, into: &writer)
                writer.endObject()
            }
            writer.endObject()
        } else {
            writeTraits(changed, at: node, listing, into: &writer)
        }
        if previous == nil {
            writer.flag("new", when: true)
        } else {
            writer.beginObject("previous")
            for (trait, word) in old {
                let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
                writer.member(encoding.member)
                encoding.write(hierarchy.value(from: word, of: trait), into: &writer)
            }
            writer.endObject()
        }
        writer.endObject()
        if form.asLines { writer.newline() }
    }
}
