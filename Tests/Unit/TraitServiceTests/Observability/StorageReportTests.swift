// What an operator reads of the log on disk.

import SessionLog
import SessionViews
import Testing
import TraitSessions

@testable import TraitService

@Suite("The report of a log on disk")
struct StorageReportTests {
    private static func statistics(
        entries: UInt64 = 0, failed: UInt64 = 0, refused: UInt64 = 0
    ) -> LogStatistics {
        var statistics = LogStatistics()
        statistics.entries = entries
        statistics.failedFlushes = failed
        statistics.refusedForSpace = refused
        return statistics
    }

    @Test("A log that works gives nothing to report")
    func quiet() {
        var report = StorageReport()
        for entries in UInt64(0)..<5 {
            let events = report.events(of: Self.statistics(entries: entries), trouble: nil)
            #expect(events.isEmpty)
        }
    }

    @Test("A full disk is reported when it begins and when commits are taken again, once each")
    func full() {
        var report = StorageReport()
        let looks: [(LogStatistics, [StorageReport.Event])] = [
            (Self.statistics(entries: 7), []),
            (Self.statistics(entries: 8, refused: 2), [.isFull]),
            (Self.statistics(entries: 8, refused: 90), []),
            (Self.statistics(entries: 8, refused: 90), []),
            (Self.statistics(entries: 9, refused: 90), [.hasRoom]),
            (Self.statistics(entries: 10, refused: 90), []),
            (Self.statistics(entries: 10, refused: 91), [.isFull]),
        ]
        for (statistics, events) in looks {
            #expect(report.events(of: statistics, trouble: nil) == events)
        }
    }

    @Test("Failed flushes are counted from look to look, and the end of a log is reported once")
    func failing() {
        var report = StorageReport()
        #expect(
            report.events(of: Self.statistics(failed: 3), trouble: nil) == [.flushesFailed(3)])
        #expect(
            report.events(of: Self.statistics(failed: 9), trouble: "no disk")
                == [.flushesFailed(6), .stopped(reason: "no disk")])
        #expect(report.events(of: Self.statistics(failed: 9), trouble: "no disk").isEmpty)
    }

    @Test("A log that does not answer for a while is reported once, and again when it answers")
    func silent() {
        var report = StorageReport()
        let looks: [(Int, [StorageReport.Event])] = [
            (0, []), (15, []), (16, [.isSilent(.seconds(16))]), (17, []), (1, [.answers]), (0, []),
        ]
        for (seconds, events) in looks {
            let contact = LogContact(silence: .seconds(seconds), lag: .zero)
            #expect(
                report.events(of: Self.statistics(), trouble: nil, contact: contact) == events)
        }
    }

    @Test("A log that is short of room is reported when that begins and ends, once each")
    func short() {
        var report = StorageReport()
        let short = LogSpaceUse(used: 81, max: 100, isShort: true)
        let free = LogSpaceUse(used: 79, max: 100)
        let looks: [(LogSpaceUse, [StorageReport.Event])] = [
            (free, []), (short, [.isShort(short)]), (short, []), (free, [.isNoLongerShort(free)]),
        ]
        for (space, expected) in looks {
            let contact = LogContact(silence: .zero, lag: .zero, space: space)
            #expect(
                report.events(of: Self.statistics(), trouble: nil, contact: contact) == expected)
        }
    }

    @Test("A log that refuses the server is reported when that begins and ends, once each")
    func refused() {
        var report = StorageReport()
        let looks: [(String?, [StorageReport.Event])] = [
            (nil, []), ("403", [.isRefused("403")]), ("403", []), (nil, [.isPermitted]), (nil, []),
        ]
        for (refusal, events) in looks {
            let contact = LogContact(silence: .zero, lag: .zero, refusal: refusal)
            #expect(
                report.events(of: Self.statistics(), trouble: nil, contact: contact) == events)
        }
    }

    @Test("A snapshot that fails is reported once for each cause, and again after one was written")
    func snapshots() {
        var report = StorageReport()
        func look(_ count: UInt64, _ reason: String, written: UInt64 = 0) -> [StorageReport.Event] {
            var statistics = LogStatistics()
            statistics.snapshots = written
            return report.events(
                of: statistics, trouble: nil,
                snapshots: SnapshotFailures(count: count, newest: reason))
        }
        let first = StorageReport.Event.snapshotsFail(SnapshotFailures(count: 1, newest: "a"))
        #expect(look(0, "").isEmpty)
        #expect(look(1, "a") == [first])
        #expect(look(2, "a").isEmpty)
        #expect(look(3, "b").count == 1)
        #expect(look(3, "b", written: 1).isEmpty)
        #expect(look(4, "b", written: 1).count == 1)
    }
}
