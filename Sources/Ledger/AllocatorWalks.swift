// When the allocator's lists of free blocks are walked. A walk takes about 40 ns for each block and holds
// locks that every thread needs which allocates: with a million blocks the server's shards would wait for
// 40 ms.

struct AllocatorWalks {
    /// While memory is short, walks take at most one part in this many of the time.
    static let restPerWorkWhenShort: UInt64 = 50
    /// The divisor while memory is not short. Longer rests only make the reported figures older.
    static let restPerWork: UInt64 = 1_000
    /// A walk of at most this length may begin under load: the delay of a request is too short to matter.
    static let briefNanoseconds: UInt64 = 200_000

    private var endedAt: UInt64 = 0
    private var nanoseconds: UInt64 = 0

    /// Whether a walk may begin. While memory is short, its figures decide what is admitted. Otherwise a
    /// long walk waits until the process has little to do.
    ///
    /// - Parameter now: nanoseconds of a clock that never goes back.
    func isDue(at now: UInt64, isMemoryShort: Bool, isLoadLow: Bool) -> Bool {
        let isBrief = nanoseconds <= Self.briefNanoseconds
        guard isMemoryShort || isLoadLow || isBrief else { return false }
        let rest = isMemoryShort ? Self.restPerWorkWhenShort : Self.restPerWork
        return now &- endedAt >= nanoseconds &* rest
    }

    /// Notes how long a walk has taken.
    mutating func note(from start: UInt64, to end: UInt64) {
        nanoseconds = end &- start
        endedAt = end
    }
}
