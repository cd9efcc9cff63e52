// Page tokens. A token names a place in a list, as the last item of a page may be deleted before the client
// asks for the next page. The token lists items before the place, the nearest first. The next page begins
// behind the first listed item that still stands where it stood. An item that was moved, or deleted and made
// again, is known by the item before it, which it no longer follows, or by the mark of the list: the revision of
// the page, or the last item that the list had. If none of the listed items is left, items may come twice.

import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

enum PageToken {
    static let prefix = "after."
    /// Begins a token's last name when that is the list's mark.
    private static let markPrefix: Character = "@"
    static let separator: Character = ","
    /// The bytes of a token's names: far fewer than the target of a request may have.
    static let bytesMax = 1_000

    static func text(_ names: [String]) -> String {
        prefix + names.joined(separator: String(separator))
    }

    /// A token with the mark of its list.
    static func text(_ names: [String], mark: String) -> String {
        text(names + ["\(markPrefix)\(mark)"])
    }

    /// The mark of a token; nil for a token without one.
    static func mark(of names: [String]) -> String? {
        guard let last = names.last, last.first == markPrefix else { return nil }
        return String(last.dropFirst())
    }

    /// The names of a token.
    ///
    /// - Throws: `malformedToken` when this server made no such token.
    static func names(_ token: String) throws(SessionError) -> [String] {
        guard token.hasPrefix(prefix) else { throw Page.malformedToken() }
        let names = token.dropFirst(prefix.count).split(
            separator: separator, omittingEmptySubsequences: false
        ).map(String.init)
        // An empty name stands for the beginning of a list.
        guard let first = names.first, !first.isEmpty,
            names.allSatisfy({ $0.isEmpty || Identifier.isValid(mark(of: [$0]) ?? $0) })
        else { throw Page.malformedToken() }
        return names
    }

    /// The names of items before a place in an ordered list, the nearest first. The first items are
    /// adjacent; after them each distance is twice the one before. At least two names. O(names returned).
    ///
    /// - Parameters:
    ///   - count: how many items lie before the place on this page.
    ///   - name: the name of the item at a distance from the place; 1 is the item just before it.
    static func names(before count: Int, _ name: (Int) -> String) -> [String] {
        var names: [String] = []
        var bytes = 0
        var distance = 1
        while distance <= count {
            let next = name(distance)
            bytes += next.utf8.count + 1
            if bytes > bytesMax { break }
            names.append(next)
            distance = distance < nearest ? distance + 1 : distance * 2
        }
        // A token with one unknown name is malformed. With a second name it remains valid when the only item
        // of a page is deleted.
        if names.count < 2 { names.append("") }
        return names
    }

    /// So many first names of a token are adjacent items.
    static let nearest = 6
}

/// A place in the order of the tree: behind a node, or behind the node's whole subtree.
struct TreePlace: Sendable {
    let node: NodeIndex
    /// Whether the list skips the node's descendants, as it had them already.
    let skipsBelow: Bool
}

extension PageToken {
    /// The names for the place behind a node: the node and the sibling before it, then its parent and the
    /// sibling before that, and so on up to a root. An empty name stands for no sibling. O(levels named).
    static func names(behind node: NodeIndex, in hierarchy: Hierarchy) -> [String] {
        var names = [hierarchy.identifier(of: node)]
        var bytes = names[0].utf8.count
        var current = node
        while true {
            let sibling =
                hierarchy.siblingBefore(current)
                .map { hierarchy.identifier(of: $0) } ?? ""
            bytes += sibling.utf8.count + 1
            if bytes > bytesMax { return names }
            names.append(sibling)
            guard let parent = hierarchy.traitParent(of: current) else { return names }
            let name = hierarchy.identifier(of: parent)
            bytes += name.utf8.count + 1
            if bytes > bytesMax { return names }
            names.append(name)
            current = parent
        }
    }

    /// The place that a token names; nil for the beginning of the list. O(names, and depth with `under`).
    ///
    /// - Parameter under: the root of the subtree that is listed.
    /// - Throws: `malformedToken` when the token has one name and no node has that name.
    static func place(
        _ names: [String], in hierarchy: Hierarchy, under: NodeIndex?
    ) throws(SessionError) -> TreePlace? {
        guard let place = try place(names, in: hierarchy) else { return nil }
        guard let under else { return place }
        return hierarchy.isAtOrBelow(place.node, under) ? place : nil
    }

    private static func place(
        _ names: [String], in hierarchy: Hierarchy
    ) throws(SessionError) -> TreePlace? {
        if names.count == 1 {
            guard let node = hierarchy.node(names[0]) else { throw Page.malformedToken() }
            return TreePlace(node: node, skipsBelow: false)
        }
        // The names at even places are the node and its ancestors when the token was made. A token with an
        // even number of names ends at a root; an odd number means that the token had no more room.
        let way = stride(from: 0, to: names.count, by: 2).map { hierarchy.node(names[$0]) }
        let endsAtRoot = names.count.isMultiple(of: 2)
        var level = way.count
        while level > 0, let node = way[level - 1] {
            let isInPlace =
                level < way.count
                ? hierarchy.traitParent(of: node) == way[level]
                : !endsAtRoot || hierarchy.traitParent(of: node) == nil
            if !isInPlace { break }
            let sibling = names.dropFirst(2 * level - 1).first
            let standing = standing(of: node, behind: sibling, hierarchy)
            if standing == .unknown {
                return hierarchy.traitParent(of: node).map {
                    TreePlace(node: $0, skipsBelow: false)
                }
            }
            if standing == .later { break }
            level -= 1
        }
        if level == 0 { return way[0].map { TreePlace(node: $0, skipsBelow: false) } }
        // The node at `level - 1` was deleted or moved.
        let parent = level < way.count ? way[level] : nil
        let position = 2 * level - 1
        if position < names.count, !names[position].isEmpty,
            let sibling = hierarchy.node(names[position]),
            hierarchy.traitParent(of: sibling) == parent
        {
            return TreePlace(node: sibling, skipsBelow: true)
        }
        return parent.map { TreePlace(node: $0, skipsBelow: false) }
    }

    private enum Standing {
        /// Every item after the node is still after it, or will be listed again.
        case inPlace
        /// There may be other items between the token's place and the node.
        case later
        case unknown
    }

    private static let standingStepsMax = 1_000

    /// Where a node stands, compared with the sibling that it followed when the token was made.
    /// O(`standingStepsMax`).
    ///
    /// - Parameter name: empty for no sibling; nil when the token had no more room.
    private static func standing(
        of node: NodeIndex, behind name: String?, _ hierarchy: Hierarchy
    ) -> Standing {
        guard let name else { return .inPlace }
        if name.isEmpty { return hierarchy.siblingBefore(node) == nil ? .inPlace : .later }
        guard let named = hierarchy.node(name),
            hierarchy.traitParent(of: named) == hierarchy.traitParent(of: node)
        else { return .inPlace }
        var sibling = hierarchy.siblingBehind(named)
        if sibling == node { return .inPlace }
        for _ in 0..<standingStepsMax {
            guard let current = sibling else { return .inPlace }
            if current == node { return .later }
            sibling = hierarchy.siblingBehind(current)
        }
        return .unknown
    }
}
