// The newest of what is rare: requests and turns that took long.

import DequeModule
import Synchronization

/// A bounded list. Additions are rare, so that a lock costs nothing that matters.
final class NewestList<Element: Sendable>: Sendable {
    private let countMax: Int
    private let elements = Mutex(Deque<Element>())

    init(countMax: Int) { self.countMax = max(1, countMax) }

    /// The oldest leaves a full list.
    func add(_ element: Element) {
        elements.withLock { elements in
            if elements.count >= countMax { elements.removeFirst() }
            elements.append(element)
        }
    }

    var newestFirst: ReversedCollection<Deque<Element>> { elements.withLock { $0 }.reversed() }
}
