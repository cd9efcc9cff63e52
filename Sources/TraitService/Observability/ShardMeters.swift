// The counters of one shard. Only the shard's queue writes them; a scrape on another shard reads them.

import HTTPServer
import HTTPWire
import SessionViews
import Synchronization
import TraitSessions

/// A row of numbers with one writer: relaxed stores, no lock, nothing shared to write to.
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

/// `@unchecked Sendable`: the counters are atomic; everything else is touched on the shard's queue only.
final class ShardMeters: @unchecked Sendable {
    /// Requests by `RequestSeries` and `StatusSeries`.
    let requests = CounterArray(RequestSeries.count * StatusSeries.count)
    /// Histograms by `RequestSeries`.
    let durations = CounterArray(RequestSeries.count * DurationBuckets.stride)
    /// One histogram: from a commit to the records on their way to a stream.
    let deliveries = CounterArray(DurationBuckets.stride)
    let streamsOpened = CounterArray(1)
    /// By `StreamReason`; the last for streams whose client went away.
    let streamEnds = CounterArray(StreamReason.allCases.count + 1)

    private let index: Int
    private let statusTable = StatusSeries.makeTable()
    /// The answers of the turn.
    private let notes = OutputBuffer(capacity: 4_096)
    private let slow: SlowList
    private let accessLog: AccessLog?
    /// The access log gets one of so many answers, and every answer of 500 or above; 0 without an access log.
    private let sampleEvery: Int
    private let slowNanoseconds: UInt64
    @exclusivity(unchecked) private var counted = Counted()

    private struct Counted {
        /// Answers since the last one that the access log gets.
        var unsampled = 0
        // Deliveries of the turn: those of the same commit are counted together.
        var deliveredSince: UInt64 = 0
        var deliveredCount = 0
    }

    init(index: Int, limits: ServiceLimits, slow: SlowList, accessLog: AccessLog?) {
        self.index = index
        self.slow = slow
        self.accessLog = accessLog
        sampleEvery = accessLog?.sampleEvery ?? 0
        slowNanoseconds = UInt64(max(0, limits.slowRequestMicrosecondsMin)) * 1_000
    }

    deinit { statusTable.deallocate() }

    var hasAccessLog: Bool { accessLog != nil }

    /// Whether the access log gets an answer with this status. To be asked once for each answer.
    @inline(__always)
    func isLogged(status: Int) -> Bool {
        if sampleEvery <= 1 { return sampleEvery == 1 }
        if status >= 500 { return true }
        counted.unsampled &+= 1
        if counted.unsampled < sampleEvery { return false }
        counted.unsampled = 0
        return true
    }

    /// Notes an answer; it counts once the turn has ended.
    @inline(__always)
    func answered(
        _ note: AnswerNote, id: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer,
        query: UnsafeRawBufferPointer?, trace: UnsafeRawBufferPointer?, caller: String?,
        reason: UnsafeRawBufferPointer? = nil
    ) {
        AnswerNote.append(
            note, id: id, path: path, query: query, trace: trace, caller: caller,
            reason: reason, to: notes)
    }

    /// Records of a commit are on their way to one more stream.
    @inline(__always)
    func delivered(since: UInt64) {
        if since != counted.deliveredSince, counted.deliveredCount > 0 {
            countDeliveries(until: MonotonicClock.now())
        }
        counted.deliveredSince = since
        counted.deliveredCount &+= 1
    }

    /// Counts what happened in the turn. O(answers of the turn).
    @inline(__always)
    func turnEnded(now: UInt64) {
        if !notes.isEmpty { countAnswers(until: now) }
        if counted.deliveredCount > 0 { countDeliveries(until: now) }
    }

    private func countDeliveries(until now: UInt64) {
        let nanoseconds = now &- min(counted.deliveredSince, now)
        deliveries.add(counted.deliveredCount, at: DurationBuckets.index(of: nanoseconds))
        deliveries.add(
            Int(truncatingIfNeeded: nanoseconds) &* counted.deliveredCount,
            at: DurationBuckets.count)
        counted.deliveredCount = 0
    }

    private func countAnswers(until now: UInt64) {
        let bytes = notes.bytes
        // Nearly all answers of a turn belong to requests that came in it.
        var lastStart: UInt64 = 0
        var lastBucket = 0
        AnswerNote.forEach(in: bytes) { note, whole in
            let nanoseconds = now &- min(note.startedAt, now)
            if note.startedAt != lastStart {
                lastStart = note.startedAt
                lastBucket = DurationBuckets.index(of: nanoseconds)
            }
            let series = Int(note.series)
            requests.add(
                1,
                at: series &* StatusSeries.count
                    &+ StatusSeries.index(of: Int(note.status), in: statusTable))
            let histogram = series &* DurationBuckets.stride
            durations.add(1, at: histogram &+ lastBucket)
            durations.add(
                Int(truncatingIfNeeded: nanoseconds), at: histogram &+ DurationBuckets.count)
            if nanoseconds >= slowNanoseconds, !note.isWaiting {
                slow.add(note, whole, endedAt: now)
            }
            if sampleEvery > 1, note.isLogged {
                accessLog?.take(whole, shard: index, endedAt: now)
            }
        }
        if sampleEvery == 1 { accessLog?.take(bytes, shard: index, endedAt: now) }
        notes.removeAll(keepingCapacity: notes.capacity <= 1_048_576)
    }
}
