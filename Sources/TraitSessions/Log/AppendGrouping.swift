// Which commits go to the log together. Writers whose commits were acknowledged together send their
// next ones at about the same time. Without a wait the first of these would have an append of its
// own, and the others would wait for two.
//
// A wait pays off where an append takes longer than the writers take to come back. Where an append
// is short, the commits that arrive during it are enough for the next one, and a wait would leave
// the processors idle.

/// Counts commits on their way to the log, and says for how long an append waits for more of them.
/// The caller serializes the calls. Each is O(1).
struct AppendGrouping {
    /// An append that is shorter, in nanoseconds, is followed by no wait.
    static let appendNanosecondsMin: UInt64 = 400_000
    /// The longest wait, in nanoseconds.
    static let waitNanosecondsMax: UInt64 = 5_000_000
    /// A wait ends when no commit has come for so many nanoseconds.
    static let quietNanoseconds: UInt64 = 300_000
    /// A wait ends when one writer of so many is missing.
    static let missingWriters = 10
    /// How many appends do not wait after a wait that ended without the writers.
    static let appendsWithoutWait = 2

    /// What follows the end of the time that a wait was given.
    enum AfterTime: Equatable {
        case over
        /// A commit has ended the wait already. Its signal is there or on its way.
        case signalled
        /// Commits have come, so the wait goes on until then, in nanoseconds of uptime.
        case again(until: UInt64)
    }

    private enum Wait {
        case none
        case forFirst
        case forOthers
    }

    /// Commits that were submitted since the last append began.
    private var submitted = 0
    /// How many of these that append took.
    private var taken = 0
    /// How many commits were waiting when the last append began.
    private var begun = 0
    /// How many writers were waiting for the log when the last append ended.
    private var expected = 0
    /// When a wait for them ends, in nanoseconds of uptime.
    private var deadline: UInt64 = 0
    /// How many of the next appends do not wait.
    private var appendsLeftWithoutWait = 0
    private var wait = Wait.none
    /// The value of `submitted` that ends the wait.
    private var wanted = 0
    /// The value of `submitted` when the present time of the wait began.
    private var heard = 0

    /// Whether no commit was submitted since the last append began. Ignores `taken`, which may count a
    /// commit that is still queued, as a session that is behind is submitted once for many commits. A
    /// false "not empty" costs one wait; a false "empty" would leave a commit unsent.
    var isEmpty: Bool { submitted == 0 }

    /// Counts a commit.
    ///
    /// - Returns: whether the commit ends a wait. The caller signals it then.
    mutating func submit() -> Bool {
        submitted += 1
        guard wait != .none, submitted >= wanted else { return false }
        wait = .none
        return true
    }

    /// Begins a wait for the first commit, unless there is one.
    ///
    /// - Returns: whether there is a wait.
    mutating func waitForFirst() -> Bool {
        guard submitted == 0 else { return false }
        (wait, wanted) = (.forFirst, 1)
        return true
    }

    /// Begins a wait for the commits of the writers that the last append left waiting or has just
    /// answered.
    ///
    /// - Returns: until when to wait at first, in nanoseconds of uptime; nil without a wait.
    mutating func waitForOthers(now: UInt64) -> UInt64? {
        let most = expected - expected / Self.missingWriters
        guard submitted > 0, submitted - taken < most, now < deadline else { return nil }
        guard appendsLeftWithoutWait == 0 else {
            appendsLeftWithoutWait -= 1
            return nil
        }
        (wait, wanted, heard) = (.forOthers, most + taken, submitted)
        return min(deadline, now + Self.quietNanoseconds)
    }

    /// The time of a wait is over.
    mutating func timeIsOver(now: UInt64) -> AfterTime {
        if wait == .none { return .signalled }
        if wait == .forOthers {
            if submitted > heard, now < deadline {
                heard = submitted
                return .again(until: min(deadline, now + Self.quietNanoseconds))
            }
            appendsLeftWithoutWait = Self.appendsWithoutWait
        }
        wait = .none
        return .over
    }

    /// An append begins with all commits that were submitted.
    mutating func begin() {
        begun = submitted - taken
        (submitted, taken) = (0, 0)
    }

    /// An append has ended, and the writers of its commits do not know it yet.
    ///
    /// - Parameters:
    ///   - commits: how many commits it took. Some of them may have been submitted after it began.
    ///   - start: when the log was called, in nanoseconds of uptime.
    ///   - end: when the log answered.
    mutating func end(commits: Int, start: UInt64, end: UInt64) {
        taken = min(submitted, max(0, commits - begun))
        expected = commits + submitted - taken
        let nanoseconds = end - start
        let isLong = nanoseconds >= Self.appendNanosecondsMin
        deadline = isLong ? end + min(nanoseconds / 3 * 2, Self.waitNanosecondsMax) : 0
    }
}
