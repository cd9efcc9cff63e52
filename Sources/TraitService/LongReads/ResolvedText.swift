// The answer of `POST …/resolve`: written whole for a few nodes, part after part for many. Both are
// written here, so that their bytes are equal.

import HTTPServer
import HTTPWire
import JSONCodec
import Synchronization
import TraitEngine
import TraitSessions

/// Which nodes are resolved.
enum ResolvedNodes: Sendable {
    /// In the order in which they were named.
    case named([NodeIndex])
    /// A node and all below it, in tree order.
    case under(NodeIndex)
}

/// What to write, and how much of it is written.
struct ResolvedText: Sendable {
    private let nodes: ResolvedNodes
    private let traits: TraitSet
    /// A line for each node, the same as its `…/traits`; else one object.
    private let asLines: Bool
    private var hasBegun = false
    /// How many of the named nodes are written.
    private var count = 0
    /// The last one written of those under a node.
    private var last: NodeIndex?

    init(_ nodes: ResolvedNodes, _ traits: TraitSet, asLines: Bool) {
        self.nodes = nodes
        self.traits = traits
        self.asLines = asLines
    }

    /// Writes on until the writer has `budget` bytes. Runs while the session's lock is held.
    ///
    /// - Returns: whether that is all.
    mutating func write(
        from session: Session, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        begin(session, &writer)
        switch nodes {
        case .named(let all):
            while count < all.count {
                if writer.count >= budget { return false }
                write(all[count], session, &writer)
                count += 1
            }
        case .under(let root):
            var isWhole = true
            session.hierarchy.forEachNode(under: root, after: last) { node, _ in
                if writer.count >= budget {
                    isWhole = false
                    return .stop
                }
                write(node, session, &writer)
                last = node
                return .descend
            }
            guard isWhole else { return false }
        }
        end(&writer)
        return true
    }

    /// `{"revision","nodes":[`.
    private mutating func begin(_ session: Session, _ writer: inout JSONWriter) {
        defer { hasBegun = true }
        if asLines { return }
        guard !hasBegun else {
            // A part before this one ended in the middle of the array.
            if count > 0 || last != nil { writer.separate() }
            return
        }
        writer.beginObject()
        writer.key("revision")
        writer.value(session.head)
        writer.key("nodes")
        writer.beginArray()
    }

    private func write(_ node: NodeIndex, _ session: Session, _ writer: inout JSONWriter) {
        writer.beginObject()
        if asLines {
            session.writeHead(node, into: &writer)
        } else {
            writer.key("node")
            session.hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
            session.writeState(node, into: &writer)
        }
        session.writeTraits(traits, at: node, .plain, into: &writer)
        writer.endObject()
        if asLines { writer.newline() }
    }

    private func end(_ writer: inout JSONWriter) {
        if asLines { return }
        writer.endArray()
        writer.endObject()
        writer.newline()
    }
}

extension ResolvedText: TextInParts {}
