// Rules of refusal: what no log may take, whatever its head is.

import SessionLog
import Testing

extension SessionLogConformance {
    static let refusals: [Rule] = [
        Rule("Revisions with a gap, twice the same or out of order are refused") { suite in
            let (log, writer) = try suite.logOfMail(2)
            let entries = writer.entries(3)
            for wrong in [
                [entries[1]], [entries[0], entries[2]], [entries[0], entries[0]],
                [entries[1], entries[0]],
            ] {
                let part = LogAppend(session: mail, entries: wrong, expecting: 2)
                #expect(log.append([part]).map(\.isRefused) == [true])
            }
            #expect(log.append(entries[1], to: mail, expecting: 2).isRefused)
            #expect(try revisions(log) == [1, 2])
        },
        Rule("A creation begins with revision 1 and with no revision below") { suite in
            let log = try suite.makeLog()
            let entries = ChainWriter(mail).entries(2)
            let late = LogAppend(session: mail, entries: [entries[1]], expecting: 0)
            let zero = LogEntry(revision: 0, time: 0, payload: [], after: 0)
            let early = LogAppend(session: mail, entries: [zero], expecting: -1)
            let least = LogAppend(session: mail, entries: [zero], expecting: .min)
            let most = LogAppend(session: mail, entries: [zero], expecting: .max)
            #expect(
                log.append([late, early, least, most]).map(\.isRefused)
                    == [true, true, true, true])
            #expect(try log.sessions() == [] && log.bounds(of: mail) == nil)
        },
        Rule("An entry that does not follow the checksum of the head is refused") { suite in
            let (log, writer) = try suite.logOfMail(2)
            let stray = LogEntry(revision: 3, time: 30, payload: [1], after: 42)
            #expect(log.append(stray, to: mail, expecting: 2).isRefused)
            let part = LogAppend(session: mail, entries: [stray], expecting: 2)
            #expect(log.append([part]).map(\.isRefused) == [true])
            let first = LogEntry(revision: 1, time: 10, payload: [1], after: 42)
            let creation = LogAppend(session: notes, entries: [first], expecting: 0)
            #expect(log.append([creation]).map(\.isRefused) == [true])
            #expect(try revisions(log) == [1, 2])
            #expect(try log.sessions() == [mail])
            #expect(log.append([writer.part()]) == [.appended])
        },
        Rule("A chain that breaks inside a part is refused as a whole") { suite in
            let (log, writer) = try suite.logOfMail(2)
            var entries = writer.entries(3)
            entries[1] = LogEntry(revision: 4, time: 40, payload: [1], after: 42)
            let part = LogAppend(session: mail, entries: entries, expecting: 2)
            #expect(log.append([part]).map(\.isRefused) == [true])
            #expect(try revisions(log) == [1, 2])
        },
        Rule("An entry of the largest size is appended, one byte more is refused") { suite in
            let log = try suite.makeLog()
            let most = log.properties.maxEntryBytes
            // What cannot be made cannot be too large.
            guard most <= 16 << 20 else { return }
            func entry(_ bytes: Int) -> LogEntry {
                LogEntry(
                    revision: 1, time: 0, payload: [UInt8](repeating: 7, count: bytes), after: 0)
            }
            #expect(log.append(entry(most + 1), to: mail, expecting: 0).isRefused)
            #expect(try log.bounds(of: mail) == nil)
            #expect(log.append(entry(most), to: mail, expecting: 0) == .appended)
        },
        Rule("A batch of the most entries is appended, the part beyond is refused") { suite in
            let log = try suite.makeLog()
            let most = log.properties.maxBatchEntries
            guard most < 10_000 else { return }
            let full = ChainWriter(mail).part(most)
            #expect(
                log.append([full, ChainWriter(notes).part()]).map(\.isRefused) == [false, true])
            #expect(try log.sessions() == [mail])
        },
    ]
}
