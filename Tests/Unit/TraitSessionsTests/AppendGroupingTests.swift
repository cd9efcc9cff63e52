// Checks when an append waits for more commits, and for how long.

import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("Groups of commits")
struct AppendGroupingTests {
    /// The grouping as an object, since an expectation calls no mutating method.
    private final class Grouping {
        private var value = AppendGrouping()

        var isEmpty: Bool { value.isEmpty }

        /// Which of `count` commits ends a wait.
        func submit(_ count: Int) -> [Bool] { (0..<count).map { _ in value.submit() } }
        func waitForFirst() -> Bool { value.waitForFirst() }
        /// - Parameter now: in microseconds, as is the result.
        func waitForOthers(now: UInt64) -> UInt64? {
            value.waitForOthers(now: now * 1_000).map { $0 / 1_000 }
        }
        func timeIsOver(now: UInt64 = 0) -> AppendGrouping.AfterTime {
            value.timeIsOver(now: now * 1_000)
        }

        /// An append that takes `microseconds` from time 0.
        ///
        /// - Parameter late: commits that are submitted during the append.
        func append(commits: Int, late: Int = 0, microseconds: UInt64 = 3_000) {
            value.begin()
            _ = submit(late)
            value.end(commits: commits, start: 0, end: microseconds * 1_000)
        }
    }

    @Test("A long append is followed by a wait for as many commits as were waiting at its end")
    func waitsForAll() {
        let grouping = Grouping()
        _ = grouping.submit(2)
        grouping.append(commits: 2, late: 3)
        #expect(grouping.waitForOthers(now: 3_000) == 3_300)
        #expect(grouping.submit(2) == [false, true])
        #expect(grouping.submit(1) == [false])
    }

    @Test("A commit that an append took after it had begun is expected once", arguments: 1...4)
    func takenCommits(late: Int) {
        let grouping = Grouping()
        _ = grouping.submit(4)
        grouping.append(commits: 4 + late, late: late)
        // The next append needs a commit that the log does not have.
        #expect(grouping.submit(1) == [false])
        #expect(grouping.waitForOthers(now: 3_000) != nil)
        #expect(grouping.submit(3 + late) == Array(repeating: false, count: 2 + late) + [true])
    }

    @Test("There is no wait when all that were waiting have come back")
    func allAreThere() {
        let grouping = Grouping()
        _ = grouping.submit(3)
        grouping.append(commits: 3)
        _ = grouping.submit(3)
        #expect(grouping.waitForOthers(now: 3_001) == nil)
    }

    @Test("There is no wait without a commit")
    func nothingIsThere() {
        let grouping = Grouping()
        _ = grouping.submit(3)
        grouping.append(commits: 3)
        #expect(grouping.isEmpty)
        #expect(grouping.waitForOthers(now: 3_001) == nil)
    }

    @Test(
        "A wait ends at two thirds of an append after its end, and after five milliseconds at most",
        arguments: [
            (399, nil), (420, 700), (900, 1_500), (3_000, 5_000), (50_000, 55_000),
        ] as [(UInt64, UInt64?)])
    func deadlines(microseconds: UInt64, deadline: UInt64?) throws {
        let grouping = Grouping()
        _ = grouping.submit(40)
        grouping.append(commits: 40, microseconds: microseconds)
        _ = grouping.submit(1)
        guard var time = grouping.waitForOthers(now: microseconds) else {
            #expect(deadline == nil)
            return
        }
        // As long as a commit comes now and then, the wait goes on until its deadline.
        while true {
            #expect(
                time <= microseconds + 300 || time == deadline || time % 300 == microseconds % 300)
            _ = grouping.submit(1)
            guard case .again(let next) = grouping.timeIsOver(now: time) else { break }
            time = next / 1_000
        }
        #expect(time == deadline)
        #expect(grouping.waitForOthers(now: time) == nil)
    }

    @Test("A wait ends when no commit has come for 0.3 ms")
    func quiet() {
        let grouping = Grouping()
        _ = grouping.submit(10)
        grouping.append(commits: 10)
        _ = grouping.submit(1)
        #expect(grouping.waitForOthers(now: 3_000) == 3_300)
        _ = grouping.submit(1)
        #expect(grouping.timeIsOver(now: 3_300) == .again(until: 3_600_000))
        #expect(grouping.timeIsOver(now: 3_600) == .over)
    }

    @Test(
        "A wait ends when nine of ten writers have come back",
        arguments: [(1, 1), (9, 9), (10, 9), (19, 18), (20, 18), (64, 58)])
    func mostWriters(writers: Int, wanted: Int) {
        let grouping = Grouping()
        _ = grouping.submit(writers)
        grouping.append(commits: writers)
        let ends = grouping.submit(1)
        if writers > 1 { #expect(grouping.waitForOthers(now: 3_000) != nil) }
        let more = grouping.submit(writers - 1)
        let number = (ends + more).firstIndex(of: true).map { $0 + 1 }
        #expect(number ?? 1 == wanted)
    }

    @Test("After a wait that ended without the writers two appends do not wait")
    func waitThatTimedOut() {
        let grouping = Grouping()
        _ = grouping.submit(2)
        grouping.append(commits: 2)
        _ = grouping.submit(1)
        var waits = 0
        for number in 0..<6 {
            if grouping.waitForOthers(now: 3_000) != nil {
                waits += 1
                #expect(number % 3 == 0)
                #expect(grouping.timeIsOver() == .over)
            }
            // There was another writer.
            grouping.append(commits: 2)
            _ = grouping.submit(1)
        }
        #expect(waits == 2)
    }

    @Test("A commit that comes when the time is over leaves its signal to be taken")
    func lateSignal() {
        let grouping = Grouping()
        #expect(grouping.waitForFirst())
        #expect(grouping.submit(1) == [true])
        #expect(grouping.timeIsOver() == .signalled)
        #expect(!grouping.waitForFirst())
    }

    @Test("The end of the wait for the first commit changes nothing")
    func idle() {
        let grouping = Grouping()
        #expect(grouping.waitForFirst())
        #expect(grouping.timeIsOver() == .over)
        #expect(grouping.isEmpty)
        _ = grouping.submit(2)
        grouping.append(commits: 2)
        _ = grouping.submit(1)
        #expect(grouping.waitForOthers(now: 3_000) != nil)
    }
}
