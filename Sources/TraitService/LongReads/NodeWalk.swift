// A list of nodes in tree order, written in sections: a bounded number of nodes is visited in each,
// however few of them the list wants.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine
import TraitSessions

/// Which nodes a list has.
struct NodeFilter: Sendable {
    /// Only this node and those below it.
    var under: NodeIndex?
    var kind: NodeKind?
    /// Levels below `under`, or below the roots.
    var depth: Int?
}

/// A walk through the nodes of a filter that can be interrupted.
struct NodeWalk: Sendable {
    let filter: NodeFilter
    /// The node visited last.
    private var last: NodeIndex?

    /// - Parameter after: the node behind which the walk begins.
    init(_ filter: NodeFilter, after: NodeIndex? = nil) {
        self.filter = filter
        last = after
    }

    /// Visits up to `visitsMax` nodes more, and calls `list` with those of the filter until it says
    /// that it takes no more: that node is visited again.
    ///
    /// - Returns: whether the walk has come to its end.
    mutating func advance(
        in hierarchy: Hierarchy, visitsMax: Int, _ list: (NodeIndex) -> Bool
    ) -> Bool {
        var visits = 0
        var isOver = true
        let filter = filter
        hierarchy.forEachNode(under: filter.under, after: last) { node, level in
            // A node at the lowest level may be where the walk went on: its children are no part.
            let below = filter.depth.map { level - $0 } ?? -1
            let isListed =
                below <= 0 && (filter.kind == nil || hierarchy.kind(of: node) == filter.kind)
            guard visits < visitsMax, !isListed || list(node) else {
                isOver = false
                return .stop
            }
            visits += 1
            last = node
            return below >= 0 ? .skipChildren : .descend
        }
        return isOver
    }
}

/// One page in the making: `{"nodes":[…],"nextPageToken"?}`.
struct NodePage: Sendable {
    private var walk: NodeWalk
    private let size: Int
    private var count = 0
    private var last: NodeIndex?
    /// The identifier that the page ends with, when there are more nodes behind it.
    private(set) var next: String?

    init(_ filter: NodeFilter, after: NodeIndex?, size: Int) {
        walk = NodeWalk(filter, after: after)
        self.size = size
    }

    /// Writes on until `visitsMax` nodes more are visited, or the writer has `bytesMax` bytes. Runs
    /// while the session's lock is held.
    ///
    /// - Returns: whether the page is complete.
    mutating func write(
        from session: Session, visitsMax: Int, bytesMax: Int = .max, into writer: inout JSONWriter
    ) -> Bool {
        if writer.count == 0 {
            writer.beginObject()
            writer.key("nodes")
            writer.beginArray()
        }
        var isFull = false
        var count = count
        var last = last
        let size = size
        let isOver = walk.advance(in: session.hierarchy, visitsMax: visitsMax) { node in
            if count == size {
                isFull = true
                return false
            }
            if writer.count >= bytesMax { return false }
            NodeWriter.write(node, of: session, into: &writer)
            count += 1
            last = node
            return true
        }
        self.count = count
        self.last = last
        guard isOver || isFull else { return false }
        writer.endArray()
        if isFull { next = last.map { session.hierarchy.identifier(of: $0) } }
        Page.end(next: next, of: &writer)
        return true
    }
}

/// A page on the workers.
///
/// `@unchecked Sendable`: used by one step at a time.
final class NodePageWork: @unchecked Sendable {
    private static let visitsPerStep = 10_000
    private static let bytesPerStep = 1_048_576

    private var page: NodePage
    private var writer = JSONWriter(capacity: 65_536)

    init(_ page: NodePage) { self.page = page }

    /// The page when it is complete.
    func step(_ session: Session) -> LongBody? {
        let isComplete = session.locked {
            page.write(
                from: session, visitsMax: Self.visitsPerStep,
                bytesMax: writer.count + Self.bytesPerStep, into: &writer)
        }
        return isComplete ? LongBody(writer.bytes, next: page.next) : nil
    }
}

/// All nodes of a filter, a line for each.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
final class NodeLineProducer: BodyProducer, @unchecked Sendable {
    private static let visitsPerSlice = 10_000

    private let snapshot: SessionSnapshot
    private var walk: NodeWalk
    private var writer = JSONWriter()

    init(_ snapshot: SessionSnapshot, _ filter: NodeFilter) {
        self.snapshot = snapshot
        walk = NodeWalk(filter)
    }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        // The snapshot was materialized before the answer began, so this never fails.
        guard let session = try? snapshot.session() else { return true }
        let isLast = session.locked {
            NodeLineProducer.write(
                &walk, from: session, budget: budget, visitsMax: Self.visitsPerSlice, &writer)
        }
        out.append(writer.bytes)
        writer.reset()
        return isLast
    }

    /// Writes on until the writer has `budget` bytes. Runs while the session's lock is held.
    ///
    /// - Returns: whether that is all.
    static func write(
        _ walk: inout NodeWalk, from session: Session, budget: Int, visitsMax: Int,
        _ writer: inout JSONWriter
    ) -> Bool {
        walk.advance(in: session.hierarchy, visitsMax: visitsMax) { node in
            if writer.count >= budget { return false }
            NodeWriter.write(node, of: session, into: &writer)
            writer.newline()
            return true
        }
    }
}
