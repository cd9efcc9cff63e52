// A log that remembers what was asked of it and what it answered.

import SessionLog
import SessionLogTestSupport
import Synchronization

package final class RecordingLog: LogWrapper {
    package struct Record: Sendable {
        /// Checksums of the entries that were handed over, by revision. There is more than one where
        /// an attempt was withdrawn.
        package var attempted: [Int64: Set<UInt64>] = [:]
        /// The checksums of those that the log has acknowledged.
        package var appended: [Int64: UInt64] = [:]
        package var hasTombstone = false
        package var isDeleted = false
    }

    package let base: any SessionLog
    private let records = Mutex<[LogSession: Record]>([:])

    package init(_ base: any SessionLog) { self.base = base }

    package var all: [LogSession: Record] { records.withLock { $0 } }

    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        records.withLock { records in
            for part in batch {
                for entry in part.entries {
                    records[part.session, default: Record()]
                        .attempted[entry.revision, default: []].insert(entry.checksum)
                    if entry.kind == .tombstone { records[part.session]?.hasTombstone = true }
                }
            }
        }
        let results = base.append(batch)
        records.withLock { records in
            for (part, result) in zip(batch, results) where result == .appended {
                for entry in part.entries {
                    records[part.session]?.appended[entry.revision] = entry.checksum
                    if entry.kind == .tombstone { records[part.session]?.isDeleted = true }
                }
            }
        }
        return results
    }
}
