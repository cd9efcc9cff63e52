// What an operator reads of the log on disk.

import SessionLog
import Testing

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
}
