// A log that answers later, when the test says so: what a flush or a network round trip does.

import Foundation
import SessionLog
import Waiting

/// Blocks each append until the test releases it.
package final class DelayingLog: LogWrapper, @unchecked Sendable {
    /// What an append waits for.
    package enum Delay: Sendable {
        /// Nothing is written until the append is released.
        case write
        /// The entries are written and followers are called; only the answer waits.
        case answer
    }

    package let base: any SessionLog
    private let delay: Delay
    private let isShared: Bool
    private let waitMax: Duration?

    // Confinement: everything below is touched only while `condition` is locked.
    private let condition = NSCondition()
    private var isHolding: Bool
    private var waiting: [(ticket: Int, batch: [LogAppend])] = []
    private var released: Set<Int> = []
    private var lastTicket = 0
    private var appends = 0

    /// - Parameters:
    ///   - isShared: the log's property of that name.
    ///   - waitMax: the log's property of that name.
    ///   - isHolding: whether appends are blocked from the start.
    package init(
        _ base: any SessionLog = MemoryLog(), delay: Delay = .write, isShared: Bool = true,
        waitMax: Duration? = nil, isHolding: Bool = true
    ) {
        self.base = base
        self.delay = delay
        self.isShared = isShared
        self.waitMax = waitMax
        self.isHolding = isHolding
    }

    package var properties: LogProperties {
        let base = base.properties
        return LogProperties(
            durability: "delaying", isShared: isShared,
            maxEntryBytes: base.maxEntryBytes, maxBatchEntries: base.maxBatchEntries,
            maxBatchBytes: base.maxBatchBytes, appendsAtATime: base.appendsAtATime,
            waitMax: waitMax)
    }

    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        condition.withLock { appends += 1 }
        defer { condition.withLock { appends -= 1 } }
        switch delay {
        case .write:
            wait(batch)
            return base.append(batch)
        case .answer:
            let results = base.append(batch)
            wait(batch)
            return results
        }
    }

    private func wait(_ batch: [LogAppend]) {
        let ticket: Int? = condition.withLock {
            guard isHolding else { return nil }
            lastTicket += 1
            waiting.append((lastTicket, batch))
            condition.broadcast()
            return lastTicket
        }
        guard let ticket else { return }
        condition.withLock {
            while released.remove(ticket) == nil { condition.wait() }
        }
    }

    // MARK: - What the test says

    /// From now on appends are blocked.
    package func hold() { condition.withLock { isHolding = true } }

    /// Lets the oldest blocked append go on. Returns whether there was one.
    @discardableResult
    package func releaseOldest() -> Bool {
        condition.withLock {
            guard !waiting.isEmpty else { return false }
            released.insert(waiting.removeFirst().ticket)
            condition.broadcast()
            return true
        }
    }

    /// Lets all blocked appends go on, and blocks no further ones.
    package func release() {
        condition.withLock {
            isHolding = false
            released.formUnion(waiting.map(\.ticket))
            waiting = []
            condition.broadcast()
        }
    }

    /// Whether an append is under way. A follower may have passed on its entries already.
    package var isAppending: Bool { condition.withLock { appends > 0 } }

    /// The batches that are blocked, oldest first.
    package var heldBatches: [[LogAppend]] { condition.withLock { waiting.map(\.batch) } }

    /// Waits until so many appends are blocked. Returns false when the time is up before.
    package func waitForHeld(_ count: Int, within seconds: Double = 30) -> Bool {
        let deadline = Deadline(within: .seconds(seconds))
        return condition.withLock {
            while waiting.count < count {
                if deadline.hasPassed { return false }
                _ = condition.wait(until: Date(timeIntervalSinceNow: deadline.secondsLeft))
            }
            return true
        }
    }
}
