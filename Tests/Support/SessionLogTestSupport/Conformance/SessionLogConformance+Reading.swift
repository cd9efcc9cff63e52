// Rules of reading: bounds and tails, at and beyond their ends.

import SessionLog
import Testing

extension SessionLogConformance {
    static let reading: [Rule] = [
        Rule("A session without entries has no bounds, no tail and no snapshot") { suite in
            let log = try suite.makeLog()
            #expect(try log.bounds(of: mail) == nil)
            #expect(try revisions(log) == [])
            #expect(try log.newestSnapshot(of: mail) == nil)
            #expect(try log.truncate(mail, through: 10) == nil)
        },
        Rule("A tail begins after any revision and has at most the limit") { suite in
            let (log, _) = try suite.logOfMail(6)
            #expect(try revisions(log) == [1, 2, 3, 4, 5, 6])
            #expect(try revisions(log, after: 3, limit: 2) == [4, 5])
            #expect(try revisions(log, after: 5, limit: 2) == [6])
            #expect(try revisions(log, after: -7, limit: 2) == [1, 2])
            #expect(try revisions(log, after: .min, limit: 1) == [1])
        },
        Rule("A tail is empty beyond the head and with a limit of 0 or below") { suite in
            let (log, _) = try suite.logOfMail(6)
            for revision in [6, 7, Int64.max] {
                #expect(try revisions(log, after: revision) == [])
            }
            for limit in [0, -1, Int.min] {
                #expect(try revisions(log, limit: limit) == [])
            }
        },
        Rule("Entries come back as they were appended, and follow each other") { suite in
            let log = try suite.makeLog()
            let payloads: [[UInt8]] = [[], [0], Array("ä\u{0}{".utf8), .init(0...255)]
            var made: [LogEntry] = []
            for (index, payload) in payloads.enumerated() {
                let entry = LogEntry(
                    revision: Int64(index) + 1, time: index == 2 ? .min : Int64(index) * -5,
                    payload: payload, after: made.last?.checksum ?? 0)
                made.append(entry)
                #expect(log.append(entry, to: mail, expecting: Int64(index)) == .appended)
            }
            let read = try log.tail(of: mail, after: 0, limit: 10)
            try #require(read.count == made.count)
            var checksum: UInt64 = 0
            for (read, made) in zip(read, made) {
                #expect(read.revision == made.revision && read.time == made.time)
                #expect(read.kind == made.kind && read.payload == made.payload)
                #expect(read.checksum == made.checksum && read.follows(checksum))
                checksum = read.checksum
            }
        },
        Rule("Sessions do not see each other's entries") { suite in
            let (log, _) = try suite.logOfMail(3)
            var writer = ChainWriter(notes)
            writer.append(5, to: log)
            try log.write(
                LogSnapshot(revision: 5, checksum: writer.checksum, payload: [5]), of: notes)
            try log.truncate(notes, through: 4)
            #expect(try revisions(log) == [1, 2, 3])
            #expect(try log.newestSnapshot(of: mail) == nil)
            #expect(try revisions(log, of: notes) == [5])
        },
    ]
}
