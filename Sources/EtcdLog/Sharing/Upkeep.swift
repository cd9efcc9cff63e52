// Compacts etcd and looks at the size of its database. Each replica does so; doing it twice does no harm.

import SessionLog
import Synchronization

/// Used by the thread of confirmations, and `isFull` by any.
final class Upkeep: Sendable {
    private let client: EtcdClient
    private let isNearlyFull = Atomic(false)
    /// Revisions of etcd by the time at which they were the newest, oldest first.
    private let passed = Mutex<[(at: ContinuousClock.Instant, revision: Int64)]>([])

    /// Appends stop when this part of `bytesMax` is in use.
    private static let percentMax: Int64 = 95

    init(_ client: EtcdClient) { self.client = client }

    var isFull: Bool { isNearlyFull.load(ordering: .relaxed) }

    func run(at revision: Int64) {
        do throws(LogFailure) {
            if let bytesMax = client.options.bytesMax {
                let bytes = try client.ask("/v3/maintenance/status", Array("{}".utf8)).databaseBytes
                isNearlyFull.store(
                    bytes / Self.percentMax >= bytesMax / 100, ordering: .relaxed)
            }
            guard revision > 0, let age = client.options.compaction,
                let old = next(revision, age)
            else { return }
            _ = try client.ask("/v3/kv/compaction", EtcdRequest.compaction(to: old))
        } catch {
            // Another replica may have compacted further, and what failed is tried again.
        }
    }

    /// The revision to compact to: the newest one that is old enough, at most every half of that age.
    private func next(_ revision: Int64, _ age: Duration) -> Int64? {
        passed.withLock { passed in
            let now = ContinuousClock.now
            passed.append((now, revision))
            guard let oldest = passed.first, oldest.at.duration(to: now) >= age * 1.5 else {
                return nil
            }
            let old = passed.prefix { $0.at.duration(to: now) >= age }
            passed.removeFirst(old.count)
            return old.last?.revision
        }
    }
}
