// A list of nodes in tree order, written in sections. Each section visits a bounded number of nodes, even if
// the filter matches few of them.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitSessions

/// The filter of a list of nodes.
struct NodeFilter: Sendable {
    /// Only this node and those below it.
    var under: NodeIndex?
    var kind: NodeKind?
    /// Levels below `under`, or below the roots.
    var depth: Int?
    /// Only nodes that override this trait.
    var overriding: TraitIndex?
    /// Only nodes that have this text in their name or label.
    var text: TextFilter?

    /// Whether the filter matches a node; `under` and `depth` are checked by the walk. O(1), and
    /// O(name and label) with a text.
    func wants(_ node: NodeIndex, in hierarchy: Hierarchy) -> Bool {
        if let kind, hierarchy.kind(of: node) != kind { return false }
        if let overriding, !hierarchy.overrides(overriding, at: node) { return false }
        guard let text else { return true }
        return hierarchy.withIdentifier(of: node) { text.matches($0) }
            || hierarchy.label(of: node).map(text.matches) ?? false
    }
}

/// A walk through the nodes of a filter that can be interrupted.
struct NodeWalk: Sendable {
    let filter: NodeFilter
    /// The last visited node, or the node behind which the walk begins.
    private var last: NodeIndex?
    private var skipsBelow: Bool
    private var positions = NodePositions()
    /// The depth of `under`; nil before it is looked up.
    private var topDepth: Int?

    /// - Parameter after: the place behind which the walk begins.
    init(_ filter: NodeFilter, after: TreePlace? = nil) {
        self.filter = filter
        last = after?.node
        skipsBelow = after?.skipsBelow ?? false
    }

    /// Visits up to `visitsMax` nodes more, and calls `list` with each node that matches. If `list` returns
    /// false the walk stops, and visits that node again in the next call.
    ///
    /// - Returns: whether the walk is complete.
    mutating func advance(
        in hierarchy: Hierarchy, visitsMax: Int, _ list: (NodeIndex, NodePosition) -> Bool
    ) -> Bool {
        var visits = 0
        var isOver = true
        let filter = filter
        let topDepth = topDepth ?? filter.under.map { hierarchy.depth(of: $0) } ?? 0
        self.topDepth = topDepth
        var positions = positions
        hierarchy.forEachNode(under: filter.under, after: last, skippingBelow: skipsBelow) {
            node, level in
            if visits == visitsMax {
                isOver = false
                return .stop
            }
            // The walk may continue behind a node at the lowest level, whose children are not listed.
            let below = filter.depth.map { level - $0 } ?? -1
            let before = positions
            let position = positions.next(node, depth: topDepth + level, in: hierarchy)
            if below <= 0, filter.wants(node, in: hierarchy), !list(node, position) {
                // It is visited again.
                positions = before
                isOver = false
                return .stop
            }
            visits += 1
            last = node
            skipsBelow = false
            return below >= 0 ? .skipChildren : .descend
        }
        self.positions = positions
        return isOver
    }

    /// Writes a line for each node until the writer has `budget` bytes.
    ///
    /// - Parameter cutsNodes: whether a node ends at `budget` too. Then the list cannot go on.
    /// - Returns: whether the list is complete.
    mutating func writeLines(
        from session: SessionState, budget: Int, visitsMax: Int = visitsPerSlice,
        cutsNodes: Bool = false, into writer: inout JSONWriter
    ) -> Bool {
        advance(in: session.hierarchy, visitsMax: visitsMax) { node, position in
            if writer.count >= budget { return false }
            let nodeBytesMax = cutsNodes ? budget : .max
            guard
                NodeWriter.write(
                    node, of: session, at: position, budget: nodeBytesMax, into: &writer)
            else { return false }
            writer.newline()
            return true
        }
    }

    /// Nodes that a worker visits in one slice.
    static let visitsPerSlice = 10_000
}

/// The state of a page while it is written: `{"uid","revision","nodes":[…],"nextPageToken"?}`.
struct NodePage: Sendable {
    private var walk: NodeWalk
    private let size: Int
    private let pageBytesMax: Int
    private var count = 0
    private var last: NodeIndex?
    /// The token of the next page, when there are more nodes.
    private(set) var next: String?

    init(_ filter: NodeFilter, after: TreePlace?, of page: Page) {
        walk = NodeWalk(filter, after: after)
        size = page.size
        pageBytesMax = page.bytesMax
    }

    /// Writes until `visitsMax` nodes more are visited, or the writer has `bytesMax` bytes.
    ///
    /// - Parameter cutsNodes: whether a node ends at `bytesMax` too. Then the page cannot go on: the caller
    ///   begins anew, elsewhere.
    /// - Returns: whether the page is complete.
    mutating func write(
        from session: SessionState, visitsMax: Int, bytesMax: Int, cutsNodes: Bool = false,
        into writer: inout JSONWriter
    ) -> Bool {
        if writer.count == 0 {
            Page.begin(uid: session.uid, revision: session.head, &writer)
            writer.beginArray("nodes")
        }
        var isFull = false
        var count = count
        var last = last
        let (size, pageBytesMax) = (size, pageBytesMax)
        let isOver = walk.advance(in: session.hierarchy, visitsMax: visitsMax) {
            node, position in
            if count == size || count > 0 && writer.count >= pageBytesMax {
                isFull = true
                return false
            }
            if writer.count >= bytesMax { return false }
            let nodeBytesMax = cutsNodes ? bytesMax : .max
            guard
                NodeWriter.write(
                    node, of: session, at: position, budget: nodeBytesMax, into: &writer)
            else { return false }
            count += 1
            last = node
            return true
        }
        self.count = count
        self.last = last
        guard isOver || isFull else { return false }
        writer.endArray()
        if isFull {
            next = last.map {
                PageToken.text(PageToken.names(behind: $0, in: session.hierarchy))
            }
        }
        Page.end(next: next, of: &writer)
        return true
    }
}
