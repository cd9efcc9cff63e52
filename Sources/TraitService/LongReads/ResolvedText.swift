// The answer of `POST …/resolve`: written at once for a few nodes, part by part for many. This file writes
// both, so that their bytes are equal.

import HTTPServer
import HTTPWire
import JSONCodec
import Ledger
import SessionViews
import Synchronization
import TraitEngine
import TraitJSON
import TraitSessions

/// Which nodes are resolved.
enum ResolvedNodes: Sendable {
    /// In the order in which they were named.
    case named([NodeIndex])
    /// A node and all below it, in tree order.
    case under(NodeIndex)
}

/// How the nodes are shown.
struct ResolvedForm: Sendable {
    /// NDJSON, a line for each node, equal to the answer of its `…/traits`; otherwise one object.
    var asLines = false
    var listing = TraitListing.plain
    /// How many nodes a page has at most; nil for all of them.
    var pageSize: Int?
}

/// The text of an answer, and how much of it is written.
struct ResolvedText: Sendable {
    private let nodes: ResolvedNodes
    private let parts: ResolvedParts
    private let form: ResolvedForm
    private var hasBegun = false
    /// The position at which the page begins in the named nodes.
    private let start: Int
    /// How many nodes of the page are written.
    private var count = 0
    /// The place behind the last written node of a subtree, or the place where the page begins.
    private var last: TreePlace?
    /// The node that is partly written.
    private var partial: TraitsText?

    /// - Parameters:
    ///   - start: how many of the named nodes are on earlier pages.
    ///   - after: the place in a subtree where the page begins.
    init(
        _ nodes: ResolvedNodes, _ parts: ResolvedParts, _ form: ResolvedForm,
        start: Int = 0, after: TreePlace? = nil
    ) {
        self.nodes = nodes
        self.parts = parts
        self.form = form
        self.start = start
        last = after
    }

    /// Writes until the writer has `budget` bytes.
    ///
    /// - Returns: whether the text is complete.
    mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        begin(session, &writer)
        if partial != nil, !goOn(session, budget, &writer) { return false }
        let pageSize = form.pageSize ?? .max
        var next: String?
        switch nodes {
        case .named(let all):
            while start + count < all.count {
                if count == pageSize {
                    next = PageToken.text([String(start + count)])
                    break
                }
                if writer.count >= budget { return false }
                count += 1
                if !write(all[start + count - 1], session, budget, &writer) { return false }
            }
        case .under(let root):
            var isWhole = true
            session.hierarchy.forEachNode(
                under: root, after: last?.node, skippingBelow: last?.skipsBelow ?? false
            ) { node, _ in
                if count == pageSize {
                    next = last.map {
                        PageToken.text(PageToken.names(behind: $0.node, in: session.hierarchy))
                    }
                    return .stop
                }
                if writer.count >= budget {
                    isWhole = false
                    return .stop
                }
                count += 1
                last = TreePlace(node: node, skipsBelow: false)
                isWhole = write(node, session, budget, &writer)
                return isWhole ? .descend : .stop
            }
            guard isWhole else { return false }
        }
        end(next, &writer)
        return true
    }

    /// `{"uid","revision","nodes":[`.
    private mutating func begin(_ session: SessionState, _ writer: inout JSONWriter) {
        defer { hasBegun = true }
        if form.asLines { return }
        guard !hasBegun else {
            // The part before ended inside the array.
            if count > 0, partial == nil { writer.separate() }
            return
        }
        Page.begin(uid: session.uid, revision: session.shownRevision, &writer)
        writer.flag("assumed", when: session.isAssumed)
        writer.beginArray("nodes")
    }

    /// Returns whether the node is complete.
    private mutating func write(
        _ node: NodeIndex, _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        if !form.listing.explain, parts.dynamics.isEmpty, parts.keys.isEmpty,
            writer.attempt({ writeAtOnce(node, session, budget, &$0) })
        {
            return true
        }
        partial = TraitsText(
            parts.traits, at: node, form.listing, dynamics: parts.dynamics, keys: parts.keys,
            isElement: !form.asLines)
        return goOn(session, budget, &writer)
    }

    /// Writes a node without chains, unless the writer has `budget` bytes before its last trait. Returns
    /// whether that is all.
    private func writeAtOnce(
        _ node: NodeIndex, _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        writer.beginObject()
        if form.asLines {
            session.writeHead(node, into: &writer)
        } else {
            session.writeElementHead(node, into: &writer)
        }
        let isAll = session.writeTraits(
            parts.traits, at: node, form.listing, budget: budget, into: &writer)
        guard isAll else { return false }
        writer.endObject()
        if form.asLines { writer.newline() }
        return true
    }

    /// Continues the node that is partly written. Returns whether the node is complete.
    private mutating func goOn(
        _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        guard partial?.write(from: session, budget: budget, into: &writer) ?? true else {
            return false
        }
        partial = nil
        return true
    }

    private func end(_ next: String?, _ writer: inout JSONWriter) {
        if form.asLines { return }
        writer.endArray()
        Page.end(next: next, of: &writer)
    }
}

extension ResolvedText: TextInParts {}

/// What is written of each node.
struct ResolvedParts: Sendable {
    var traits = TraitSet()
    /// Colours, then images.
    var dynamics: [DynamicValue] = []
    var keys: [EnvironmentKey] = []

    init() {}

    init(_ body: ResolveBody, in session: SessionState) throws(SessionError) {
        traits = try body.traits(in: session)
        dynamics = try session.dynamics(namedIn: body.object)
        keys = try body.environmentKeys(in: session)
    }

    /// What is looked at for one node.
    var count: Int {
        max(1, traits.count + keys.count + dynamics.reduce(0) { $0 + $1.variants.count })
    }
}
