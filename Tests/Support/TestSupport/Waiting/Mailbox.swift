// How a thread that reads (a stream, a child's output) hands what it read to the test that waits.

import Foundation

/// An unbounded first-in first-out queue between threads, closed once.
package final class Mailbox<Element: Sendable, Ending: Sendable>: @unchecked Sendable {
    // Confinement: `elements` and `ending` are touched only while `condition` is locked.
    private let condition = NSCondition()
    private var elements: [Element] = []
    private var ending: Ending?

    package init() {}

    package func put(_ element: Element) {
        condition.withLock {
            elements.append(element)
            condition.broadcast()
        }
    }

    /// Nothing follows; the first ending stays.
    package func close(_ ending: Ending) {
        condition.withLock {
            if self.ending == nil { self.ending = ending }
            condition.broadcast()
        }
    }

    package enum Taken {
        case element(Element)
        case closed(Ending)
    }

    /// The oldest element not yet taken, or the ending once all were.
    package func take(
        before deadline: Deadline, _ what: @autoclosure () -> String
    ) throws -> Taken {
        try wait(before: deadline, what()) {
            elements.isEmpty ? ending.map(Taken.closed) : .element(elements.removeFirst())
        }
    }

    /// Waits for the ending and leaves the elements where they are.
    package func ending(
        before deadline: Deadline, _ what: @autoclosure () -> String
    ) throws -> Ending {
        try wait(before: deadline, what()) { ending }
    }

    private func wait<Found>(
        before deadline: Deadline, _ what: @autoclosure () -> String, for look: () -> Found?
    ) throws -> Found {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let found = look() { return found }
            guard !deadline.hasPassed else { throw TimedOut(what()) }
            _ = condition.wait(until: Date(timeIntervalSinceNow: deadline.secondsLeft))
        }
    }

    /// Everything not yet taken, without waiting.
    package var pending: [Element] { condition.withLock { elements } }
}
