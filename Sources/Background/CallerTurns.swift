// Shares of callers in something that serves one piece after the other: the events of a shard, the threads for long
// work, the writes that wait for a session.

import DequeModule
import HeapModule

/// Items in lines, one for each caller. The caller whose items have cost least is the next one, so a caller with a
/// thousand items gets no more than one with a single item.
///
/// A caller that has had nothing for a while is ahead of the others by `credit` at most. Items without a caller are the
/// server's own: they come first, and cost nothing.
package struct CallerTurns<Item> {
    private struct Line {
        var items = Deque<Item>()
        var cost: Int64
        /// Whether `places` has it.
        var isPlaced = false
        /// Since when the caller asks for nothing; nil while it does, and where no one counts.
        var restsSince: Int64?
    }

    /// A line that has items. The cost is what it was when the line got this place, or less.
    private struct Place: Comparable {
        var cost: Int64
        let number: UInt64
        let caller: ObjectIdentifier?

        static func < (left: Place, right: Place) -> Bool {
            (left.cost, left.number) < (right.cost, right.number)
        }
        static func == (left: Place, right: Place) -> Bool { left.number == right.number }
    }

    /// The next item, before it is taken.
    package struct Next {
        package let item: Item
        package let caller: ObjectIdentifier?
        /// Whether the caller has had less than its share of late.
        package let isAhead: Bool
    }

    private var lines: [ObjectIdentifier?: Line] = [:]
    private var places = Heap<Place>()
    private var placeCount: UInt64 = 0
    /// What the items of the caller that was served last had cost.
    private var now: Int64 = 0
    private let credit: Int64
    /// Lines without items are kept until there are so many, as long as they are not ahead.
    private var linesMax = Self.linesMin
    private static var linesMin: Int { 64 }
    /// Of more callers it is forgotten what they have had.
    private static var linesKept: Int { 512 }

    package init(credit: Int64 = 0) { self.credit = credit }

    package var isEmpty: Bool { places.isEmpty }
    /// How many items wait. O(callers).
    package var count: Int { lines.values.reduce(0) { $0 + $1.items.count } }
    /// For tests.
    var lineCount: Int { lines.count }

    /// Puts an item at the end of its caller's line, or at the beginning. O(log callers), amortised.
    package mutating func add(_ item: Item, of caller: ObjectIdentifier?, first: Bool = false) {
        if lines.count >= linesMax { sweep() }
        let least = now - credit
        var line = lines.removeValue(forKey: caller) ?? Line(cost: least)
        line.cost = caller == nil ? .min : max(line.cost, least)
        if first { line.items.prepend(item) } else { line.items.append(item) }
        if !line.isPlaced { place(&line, caller) }
        lines[caller] = line
    }

    /// Notes that a caller asks for nothing from now on, in the unit of costs. O(1).
    package mutating func rest(_ caller: ObjectIdentifier?, since time: Int64) {
        lines[caller]?.restsSince = time
    }

    /// Notes that a caller asks for something again. What it has not used meanwhile is not held against it: else callers
    /// that begin would be ahead of one that has used little. O(1).
    package mutating func endRest(of caller: ObjectIdentifier?, at time: Int64) {
        guard caller != nil, let since = lines[caller]?.restsSince else { return }
        lines[caller]?.restsSince = nil
        lines[caller]?.cost -= max(0, time - since)
    }

    /// The next item; nil when there is none. O(1), or O(log callers) when a caller was charged.
    package mutating func peek() -> Next? {
        while let place = places.min, let line = lines[place.caller], let item = line.items.first {
            if line.cost == place.cost {
                return Next(item: item, caller: place.caller, isAhead: isAhead(place.caller))
            }
            places.replaceMin(
                with: Place(cost: line.cost, number: place.number, caller: place.caller))
        }
        return nil
    }

    /// Takes the next item, and charges its caller. O(log callers).
    package mutating func next(charging cost: Int64) -> (item: Item, caller: ObjectIdentifier?)? {
        guard let caller = peek().map(\.caller), var line = lines.removeValue(forKey: caller),
            let item = line.items.popFirst()
        else { return nil }
        places.removeMin()
        now = max(now, line.cost)
        if caller != nil { line.cost += cost }
        line.isPlaced = false
        if !line.items.isEmpty { place(&line, caller) }
        lines[caller] = line
        return (item, caller)
    }

    private mutating func place(_ line: inout Line, _ caller: ObjectIdentifier?) {
        placeCount += 1
        places.insert(Place(cost: line.cost, number: placeCount, caller: caller))
        line.isPlaced = true
    }

    /// Adds to what the items of a caller have cost. O(1).
    package mutating func charge(_ cost: Int64, to caller: ObjectIdentifier?) {
        if caller != nil { lines[caller]?.cost += cost }
    }

    /// What the items of a caller have cost beyond those of the next one; nil when nothing waits.
    package mutating func excess(of caller: ObjectIdentifier?) -> Int64? {
        peek().map { cost(of: caller) - cost(of: $0.caller) }
    }

    /// Whether a caller has had less than its share of late. The server's own work has no share.
    package func isAhead(_ caller: ObjectIdentifier?) -> Bool {
        caller != nil && cost(of: caller) < now
    }

    /// What the items of a caller have cost, but at least so much that it is ahead by no more than it may.
    package func cost(of caller: ObjectIdentifier?) -> Int64 {
        max(lines[caller]?.cost ?? .min, now - credit)
    }

    /// Drops all items. Callers keep what they have cost.
    package mutating func removeItems() {
        while let place = places.popMin() {
            lines[place.caller]?.items.removeAll(keepingCapacity: true)
            lines[place.caller]?.isPlaced = false
        }
    }

    /// Drops lines that a caller would have anew.
    private mutating func sweep() {
        lines = lines.filter { $0.value.isPlaced || $0.value.cost > now - credit }
        if lines.count > Self.linesKept { lines = lines.filter(\.value.isPlaced) }
        linesMax = max(Self.linesMin, lines.count * 2)
    }
}
