// The copy of one arena that a snapshot makes while the arena goes on being written.
//
//   source    the arena's memory as it is, written by the arena's owner alone
//   granules  a cache line each, 32 of them to a word of states
//   target    the memory of the copy
//   saved     what the owner was about to overwrite, in the order in which it came
//
// A granule is copied once: by the reader, which copies all granules in order, a word of states at
// a time, or by the owner before it overwrites the granule. The owner appends its granules to one
// list: the first use of a page costs many times as much as copying, and sixty granules share a
// page.

import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Flags that all copies of one snapshot share.
final class SnapshotState: Sendable {
    /// Complete or cancelled, and no longer read: owners save nothing more and may drop the copies.
    let isClosed = Atomic<Bool>(false)
    /// Readers must give up when this is set.
    let isCancelled = Atomic<Bool>(false)
}

/// The copies that one snapshot is made of.
struct SnapshotCopies: Sendable {
    let state = SnapshotState()
    private(set) var all: [any DeferredCopy] = []

    mutating func add(_ copy: any DeferredCopy) { all.append(copy) }
}

/// The operations of an arena's copy that do not depend on its element type.
protocol DeferredCopy: AnyObject, Sendable {
    /// Copies what is still missing; false when the snapshot was cancelled first. Blocks.
    func complete() -> Bool
    /// Gives back memory that will not be read.
    func discard()
}

/// The copy of one arena as it was when the copy was begun.
///
/// Unchecked: `isLocked` guards `base` and `owner`. A granule's content belongs to the thread that
/// claimed the granule until it is marked as done; `saved` to the arena's owner until all are done,
/// then to the reader; `older` to the arena's owner.
final class ArenaCopy<Element>: DeferredCopy, @unchecked Sendable {
    let count: Int
    private let state: SnapshotState
    private let granuleBits: Int
    private let granules: GranuleStates
    let target: UnsafeMutablePointer<Element>
    let targetBytes: Int
    /// All elements are in `target`. Belongs to the reader, as `isTaken` does.
    private var isComplete = false
    /// The memory belongs to an arena.
    private var isTaken = false
    private var saved: SavedGranules<Element>

    /// Set by the reader for a few granules, and by the owner while the arena's memory moves.
    /// Contention is rare and short, so waiting spins.
    private let isLocked = Atomic<Bool>(false)
    /// The arena's memory.
    private var base: UnsafeMutablePointer<Element>
    /// Keeps the memory when the arena is gone.
    private var owner: MemoryOwner<Element>?
    /// Another copy of the same arena, as the arena links them.
    var older: Unmanaged<ArenaCopy>?

    /// O(1): what is not used is not touched.
    init(
        of base: UnsafeMutablePointer<Element>, count: Int, _ state: SnapshotState,
        older: Unmanaged<ArenaCopy>?
    ) {
        let stride = MemoryLayout<Element>.stride
        self.count = count
        self.state = state
        self.older = older
        self.base = base
        // As many elements as fit into a cache line, rounded down to a power of two: an owner that
        // overwrites an element needs that line anyway.
        granuleBits = Int.bitWidth - 1 - max(64 / stride, 1).leadingZeroBitCount
        granules = GranuleStates((count + 1 << granuleBits - 1) >> granuleBits)
        saved = SavedGranules(granuleBits)
        targetBytes = max(count, 1) * stride
        target = Memory.allocate(targetBytes, isZeroed: false)
            .bindMemory(to: Element.self, capacity: max(count, 1))
    }

    deinit {
        if !isTaken {
            if !_isPOD(Element.self) { forgetContent() }
            Memory.deallocate(target, targetBytes)
        }
        saved.deallocate()
        granules.deallocate()
    }

    /// The elements of some granules.
    private func range(_ granules: Range<Int>) -> Range<Int> {
        granules.lowerBound << granuleBits..<min(granules.upperBound << granuleBits, count)
    }

    /// Destroys what an incomplete copy holds: what was saved, and the other finished granules.
    private func forgetContent() {
        var isSaved: Set<Int> = []
        saved.forEachGranule { granule, content in
            isSaved.insert(granule)
            content.deinitialize(count: range(granule..<granule + 1).count)
        }
        for granule in 0..<granules.count
        where granules.isDone(granule) && !isSaved.contains(granule) {
            let range = range(granule..<granule + 1)
            (target + range.lowerBound).deinitialize(count: range.count)
        }
    }

    // MARK: - The arena's side

    /// The owner is about to overwrite an element. O(1): a granule is saved at the most once.
    @inline(__always)
    func save(_ index: Int, _ base: UnsafeMutablePointer<Element>) {
        let granule = index &>> granuleBits
        if granule < granules.count, !granules.isDone(granule) { saveGranule(granule, base) }
    }

    @inline(never)
    private func saveGranule(_ granule: Int, _ base: UnsafeMutablePointer<Element>) {
        if isClosed { return }
        // Else a reader copies these few bytes right now.
        guard granules.claim(granule) else { return granules.await(granule) }
        let range = range(granule..<granule + 1)
        saved.append(granule).initialize(from: base + range.lowerBound, count: range.count)
        granules.finish(granule)
    }

    /// The owner is about to overwrite several elements.
    func save(_ range: Range<Int>, _ base: UnsafeMutablePointer<Element>) {
        var index = range.lowerBound
        while index < range.upperBound {
            save(index, base)
            index = (index &>> granuleBits &+ 1) &<< granuleBits
        }
    }

    var isClosed: Bool { state.isClosed.load(ordering: .acquiring) }

    /// The arena's memory is about to move: the reader waits until `resume`.
    func suspend() { lock() }

    func resume(_ base: UnsafeMutablePointer<Element>) {
        self.base = base
        unlock()
    }

    /// The arena is gone: its memory is not written any more.
    func keep(_ owner: MemoryOwner<Element>) {
        lock()
        self.owner = owner
        unlock()
    }

    private func lock() {
        while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
    }

    private func unlock() { isLocked.store(false, ordering: .releasing) }

    // MARK: - The reader's side

    func complete() -> Bool {
        for word in 0..<granules.wordCount {
            if state.isCancelled.load(ordering: .relaxed) { return false }
            lock()
            let claimed = granules.claimWord(word)
            granules.forEachRun(word, claimed) { run in
                let range = range(run)
                (target + range.lowerBound).initialize(
                    from: base + range.lowerBound, count: range.count)
            }
            granules.finishWord(word, claimed)
            unlock()
        }
        for granule in 0..<granules.count { granules.await(granule) }
        // The owner saves nothing from here on.
        saved.forEachGranule { granule, content in
            let range = range(granule..<granule + 1)
            (target + range.lowerBound).moveInitialize(from: content, count: range.count)
        }
        saved.deallocate()
        isComplete = true
        return true
    }

    /// Makes the memory and the elements the caller's; false when the copy is not complete.
    func take() -> Bool {
        if isComplete { isTaken = true }
        return isComplete
    }

    /// Keeps elements that hold references: `deinit` has to release those.
    func discard() {
        if isTaken || !_isPOD(Element.self) { return }
        Memory.discard(target, 0..<targetBytes, of: targetBytes)
    }
}

/// Memory that an arena left to the copies that still read it.
///
/// Unchecked: nothing is written there any more.
final class MemoryOwner<Element>: @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>
    private let count: Int
    private let bytes: Int

    init(_ base: UnsafeMutablePointer<Element>, count: Int, bytes: Int) {
        self.base = base
        self.count = count
        self.bytes = bytes
    }

    deinit {
        base.deinitialize(count: count)
        Memory.deallocate(base, bytes)
    }
}
