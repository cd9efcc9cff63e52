// Page tokens name a place, not an item: the item that a page ended with may be deleted before the next
// page is asked for. A token lists what lay before that place, the nearest first; the next page goes on
// behind the first of them that is left. So nothing is left out, and only after many deletions in one
// place does something come twice.

import TraitEngine
import TraitSessions

enum PageToken {
    static let prefix = "after."
    static let separator: Character = ","
    /// Of a token's names; a request's target has room for more.
    static let bytesMax = 1_000

    static func text(_ names: [String]) -> String {
        prefix + names.joined(separator: String(separator))
    }

    /// The names of a token.
    ///
    /// - Throws: `malformedToken` when it is none of ours.
    static func names(_ token: String) throws(SessionError) -> [String] {
        guard token.hasPrefix(prefix) else { throw Page.malformedToken() }
        let names = token.dropFirst(prefix.count).split(
            separator: separator, omittingEmptySubsequences: false
        ).map(String.init)
        // Where there was nothing before the place, the name is empty.
        guard let first = names.first, !first.isEmpty,
            names.allSatisfy({ $0.isEmpty || Identifier.isValid($0) })
        else { throw Page.malformedToken() }
        return names
    }

    /// What an ordered list shows before a place, the nearest first: those next to it, then fewer and
    /// fewer. O(answered).
    ///
    /// - Parameters:
    ///   - count: how many items lie before the place on this page.
    ///   - name: of the item so many places before it, from 1 on.
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
        return names
    }

    private static let nearest = 6
}

/// A place in the order of the tree: behind a node, or behind all that is below it.
struct TreePlace: Sendable {
    let node: NodeIndex
    /// What is below the node was listed too.
    let skipsBelow: Bool
}

extension PageToken {
    /// The place behind a node: its name, the sibling before it, its parent, the sibling before that one,
    /// and so on up to a root. Empty stands for no such sibling. O(levels named).
    static func names(behind node: NodeIndex, in hierarchy: Hierarchy) -> [String] {
        var names = [hierarchy.identifier(of: node)]
        var bytes = names[0].utf8.count
        var current = node
        while true {
            let sibling =
                hierarchy.previousSibling(of: current)
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

    /// Where a list goes on; nil for its beginning. O(names, and depth with `under`).
    ///
    /// - Parameter under: the list has only this node and those below it.
    /// - Throws: `malformedToken` when it names a node that is not there, and nothing around it.
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
        // The way up as it was: the names at even places. A chain of an even number of names ends at a
        // root, one of an odd number where the token had no more room.
        let way = stride(from: 0, to: names.count, by: 2).map { hierarchy.node(names[$0]) }
        let endsAtRoot = names.count.isMultiple(of: 2)
        var level = way.count
        while level > 0, let node = way[level - 1] {
            let isInPlace =
                level < way.count
                ? hierarchy.traitParent(of: node) == way[level]
                : !endsAtRoot || hierarchy.traitParent(of: node) == nil
            if !isInPlace { break }
            level -= 1
        }
        if level == 0 { return way[0].map { TreePlace(node: $0, skipsBelow: false) } }
        // The node at `level - 1` is gone from there.
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
}
