// Which of a commit's notes lie in which subtrees with streams. A list for each pair of note and
// subtree would have as many entries as notes times levels, so each note has one number: the
// subtrees below a node have consecutive numbers.

import TraitEngine

/// The subtrees with streams that have notes of one commit. O(1) for each note and subtree.
final class NotedSubtrees: Sendable {
    fileprivate struct Subtree {
        /// The numbers of this subtree and of those inside it.
        let numbers: Range<Int32>
        /// From the first note inside to the last. Notes in between may lie elsewhere.
        let notes: Range<Int>
    }

    /// By the root node.
    private let subtrees: [Int32: Subtree]
    /// By note: the number of the innermost subtree that has it; -1 for none.
    private let numbers: [Int32]

    fileprivate init(_ subtrees: [Int32: Subtree], _ numbers: [Int32]) {
        self.subtrees = subtrees
        self.numbers = numbers
    }

    /// Bytes in memory, about.
    var byteCount: Int { subtrees.count &* 64 &+ numbers.count &* 4 }

    /// Whether the note at a position lies in the subtree of a node.
    func contains(_ position: Int, in root: NodeIndex) -> Bool {
        let number = numbers[position]
        return number >= 0 && subtrees[root.rawValue]?.numbers.contains(number) == true
    }

    /// Visits the root nodes, each with the range that has all of its notes. `body` returns whether to go on.
    func visit(_ body: (_ root: Int32, _ notes: Range<Int>) -> Bool) {
        for (root, subtree) in subtrees where !body(root, subtree.notes) { return }
    }

    /// Finds the subtrees. Each node at or above a note is visited once, however many notes are below it.
    struct Finder {
        private let hierarchy: Hierarchy
        private let roots: Dictionary<Int32, [ObjectIdentifier: Feed]>.Keys
        /// By visited node the place of the nearest root at or above the node; -1 for none.
        private var nearest: [Int32: Int32] = [:]
        /// The roots that were found, each behind those above it.
        private var found: [(node: Int32, above: Int32)] = []
        private var path: [Int32] = []

        init(_ hierarchy: Hierarchy, _ roots: Dictionary<Int32, [ObjectIdentifier: Feed]>.Keys) {
            self.hierarchy = hierarchy
            self.roots = roots
        }

        /// The place of the nearest root at or above a node; -1 for none. O(nodes not visited before).
        mutating func place(of node: NodeIndex) -> Int32 {
            var place: Int32 = -1
            var next: NodeIndex? = node
            while let node = next {
                if let known = nearest[node.rawValue] {
                    place = known
                    break
                }
                path.append(node.rawValue)
                next = hierarchy.traitParent(of: node)
            }
            while let node = path.popLast() {
                if roots.contains(node) {
                    found.append((node, place))
                    place = Int32(truncatingIfNeeded: found.count - 1)
                }
                nearest[node] = place
            }
            return place
        }

        /// The subtrees of notes; nil where no root was found. O(roots found + notes).
        ///
        /// - Parameter places: by note, as `place(of:)` gives them.
        func subtrees(of places: [Int32]) -> NotedSubtrees? {
            if found.isEmpty { return nil }
            var all: [Int32: Subtree] = [:]
            var sizes = [Int32](repeating: 1, count: found.count)
            var spans = [(first: Int, end: Int)](repeating: (.max, 0), count: found.count)
            for (position, place) in places.enumerated() where place >= 0 {
                let place = Int(place)
                spans[place].first = min(spans[place].first, position)
                spans[place].end = position + 1
            }
            for place in found.indices.reversed() where found[place].above >= 0 {
                let above = Int(found[place].above)
                sizes[above] += sizes[place]
                spans[above].first = min(spans[above].first, spans[place].first)
                spans[above].end = max(spans[above].end, spans[place].end)
            }
            var numbers = [Int32](repeating: 0, count: found.count)
            // The next number inside of each root, and outside of all.
            var inside = numbers
            var outside: Int32 = 0
            for (place, root) in found.enumerated() {
                let number = root.above < 0 ? outside : inside[Int(root.above)]
                if root.above < 0 {
                    outside += sizes[place]
                } else {
                    inside[Int(root.above)] += sizes[place]
                }
                numbers[place] = number
                inside[place] = number + 1
                let (first, end) = spans[place]
                if first >= end { continue }
                all[root.node] = Subtree(
                    numbers: number..<number + sizes[place], notes: first..<end)
            }
            return NotedSubtrees(all, places.map { $0 < 0 ? -1 : numbers[Int($0)] })
        }
    }
}
