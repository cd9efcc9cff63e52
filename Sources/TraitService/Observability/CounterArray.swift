// Numbers that one shard writes and a scrape reads: relaxed stores, no lock, nothing shared to write to.

import Synchronization

/// A row of numbers with one writer.
final class CounterArray: Sendable {
    let count: Int
    /// Atomics, which never move.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<Int>>

    init(_ count: Int) {
        self.count = count
        words = .allocate(capacity: count)
        for index in 0..<count { (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: count)
        words.deallocate()
    }

    /// Only the writer may call it: the addition as a whole is not atomic. `index` must be in bounds.
    @inline(__always)
    func add(_ difference: Int, at index: Int) {
        assert(index >= 0 && index < count)
        let sum = words[index].load(ordering: .relaxed) &+ difference
        words[index].store(sum, ordering: .relaxed)
    }

    subscript(index: Int) -> Int {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        return words[index].load(ordering: .relaxed)
    }
}
