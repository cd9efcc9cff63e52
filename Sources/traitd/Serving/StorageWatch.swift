// Writes a line into the server's log when the state of the log on disk changes, for operators who watch
// neither /readyz nor the metrics.

import Background
import Logging
import SessionLog
import Synchronization
import TraitService
import TraitSessions

/// Looks once a second, until it is released.
final class StorageWatch: Sendable {
    private let ticker: Ticker

    /// - Parameter onReplaced: called once when the storage was restored or replaced under the server.
    init(
        _ log: any SessionLog, _ service: TraitService, _ logger: Logger,
        onReplaced: @escaping @Sendable () -> Void
    ) {
        let report = Mutex(StorageReport())
        ticker = Ticker {
            guard let statistics = log.statistics else { return }
            let events = report.withLock {
                $0.events(
                    of: statistics, trouble: log.trouble, contact: log.contact,
                    snapshots: service.store.snapshotFailures ?? SnapshotFailures())
            }
            for event in events {
                if case .stopped(let reason) = event, log.isReplaced {
                    logger.critical("the server ends", metadata: ["reason": "\(reason)"])
                    onReplaced()
                } else {
                    Self.write(event, isShared: log.contact != nil, to: logger)
                }
            }
        }
    }

    private static func write(
        _ event: StorageReport.Event, isShared: Bool, to logger: Logger
    ) {
        switch event {
        case .stopped(let reason):
            logger.critical(
                "the log takes no more commits; reads continue; restart the server to accept writes again",
                metadata: ["reason": "\(reason)"])
        case .flushesFailed(let count):
            logger.warning("writing to the data directory failed", metadata: ["times": "\(count)"])
        case .isFull:
            let place = isShared ? "etcd's database" : "the disk of the data directory"
            logger.warning("\(place) has too little room; writes get 507 until it has more")
        case .isSilent(let silence):
            logger.error(
                "the log that servers share does not answer; writes and reads get 503 until it does",
                metadata: ["seconds": "\(silence.components.seconds)"])
        case .isRefused(let reason):
            logger.error(
                "the log that servers share refuses this server; writes and reads get 503 until it is permitted",
                metadata: ["reason": "\(reason)"])
        case .isPermitted: logger.notice("the log that servers share permits this server again")
        case .answers: logger.notice("the log that servers share answers again")
        case .hasRoom:
            logger.notice("the log takes commits again after it had too little room")
        case .isShort(let use):
            logger.warning(
                "the log that servers share has little room left, and keeps less history",
                metadata: ["bytesUsed": "\(use.used)", "bytesMax": "\(use.max)"])
        case .isNoLongerShort(let use):
            logger.notice(
                "the log that servers share has room again, and keeps its usual history",
                metadata: ["bytesUsed": "\(use.used)", "bytesMax": "\(use.max)"])
        case .snapshotsFail(let failures):
            logger.error(
                "a snapshot cannot be written, and entries that it would cover stay; it is tried again",
                metadata: ["reason": "\(failures.newest)", "times": "\(failures.count)"])
        }
    }
}
