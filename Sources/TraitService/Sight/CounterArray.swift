// Numbers that one shard writes and a scrape reads: relaxed stores, no lock, nothing shared to write to.

import Synchronization

/// A row of numbers with one writer.
///
/// `@unchecked Sendable`: the storage is a row of atomics, which never moves.
final class CounterArray: @unchecked Sendable {
    let count: Int
    private let words: UnsafeMutablePointer<Atomic<Int>>

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
