// A writer as small as it can be: it knows the head and the checksum there, and makes entries that
// follow.

import SessionLog

package struct ChainWriter: Sendable {
    package let session: LogSession
    /// Where the writer believes the log to be.
    package private(set) var head: Int64 = 0
    package private(set) var checksum: UInt64 = 0

    package init(_ session: LogSession) {
        self.session = session
    }

    /// Goes on from where the log is.
    package init(_ session: LogSession, readingFrom log: any SessionLog) throws {
        self.init(session)
        for entry in try log.tail(of: session, after: 0, limit: .max) { note(entry) }
    }

    /// Entries that follow the head. The payload of each is its revision in brackets.
    package func entries(_ count: Int, endingWith last: LogEntry.Kind = .commit) -> [LogEntry] {
        var entries: [LogEntry] = []
        for offset in 0..<count {
            let revision = head + Int64(offset) + 1
            entries.append(
                LogEntry(
                    revision: revision, time: revision * 10,
                    kind: offset == count - 1 ? last : .commit,
                    payload: Array("[\(revision)]".utf8),
                    after: entries.last?.checksum ?? checksum))
        }
        return entries
    }

    /// The next part of a batch.
    package func part(_ count: Int = 1, endingWith last: LogEntry.Kind = .commit) -> LogAppend {
        LogAppend(
            session: session, entries: entries(count, endingWith: last), expecting: head)
    }

    /// Moves the head, as after an append that succeeded.
    package mutating func note(_ entry: LogEntry) {
        head = entry.revision
        checksum = entry.checksum
    }

    /// Appends so many entries; the head moves only if that succeeds.
    @discardableResult
    package mutating func append(
        _ count: Int = 1, endingWith last: LogEntry.Kind = .commit, to log: any SessionLog
    ) -> AppendResult {
        let part = part(count, endingWith: last)
        let result = log.append([part]).first ?? .unknown(reason: "no result")
        if result == .appended, let entry = part.entries.last { note(entry) }
        return result
    }
}

extension SessionLog {
    /// Appends one entry.
    package func append(
        _ entry: LogEntry, to session: LogSession, expecting revision: Int64
    ) -> AppendResult {
        append([LogAppend(session: session, entries: [entry], expecting: revision)]).first
            ?? .unknown(reason: "no result")
    }
}
