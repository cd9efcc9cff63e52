// The end of a world with etcd: a backup of etcd is restored below servers that run. What was acknowledged since is lost,
// and clients were shown it. So each server closes its log, and answers nothing that contradicts an earlier answer, which
// `History` sees. When the backup has become another cluster, no server starts either.

import EtcdLog
import SessionLog

extension World {
    private static let noticedWithin: UInt64 = 30_000_000_000

    func restoreEtcd() {
        if memory != nil || disk != nil { return }
        let isOther = options.seed % 4 < 2
        let lost = etcd.restore(inOtherCluster: isOther)
        tally.add(isOther ? "etcd in another cluster" : "etcd restored")
        isRestored = true
        isEnding = false
        for number in options.clients..<options.clients + 4 { startClient(number) }
        let areClosed = scheduler.wait(until: scheduler.nanoseconds + Self.noticedWithin) {
            replicas.allSatisfy { ($0.running?.log as? EtcdLog)?.isReplaced ?? false }
        }
        if !areClosed {
            found(
                "a server does not notice that etcd has lost \(lost) revisions\n\(scheduler.report)"
            )
        }
        isEnding = true
        isOver = true
        waitForClients()
        guard isOther else { return }
        replicas[0].kill()
        replicas[0].start()
        let isRefused = scheduler.wait(until: scheduler.nanoseconds + Self.noticedWithin) {
            tally.counts["starts refused"] != nil
        }
        if !isRefused { found("a server starts in another cluster of etcd") }
    }

    /// Whether a start that fails does so as etcd was restored.
    func refusesStart(_ error: any Error) -> Bool {
        guard isRestored, (error as? LogFailure)?.kind == .replaced else { return false }
        tally.add("starts refused")
        scheduler.changed()
        return true
    }
}
