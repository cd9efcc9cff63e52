// Writes a line into the server's log when the state of the log on disk changes, for operators who watch
// neither /readyz nor the metrics.

import Background
import Logging
import SessionLog
import Synchronization
import TraitService

/// Looks once a second, until it is released.
final class StorageWatch: Sendable {
    private let ticker: Ticker

    init(_ log: any SessionLog, _ logger: Logger) {
        let report = Mutex(StorageReport())
        ticker = Ticker {
            guard let statistics = log.statistics else { return }
            let events = report.withLock {
                $0.events(of: statistics, trouble: log.trouble, contact: log.contact)
            }
            for event in events { Self.write(event, to: logger) }
        }
    }

    private static func write(_ event: StorageReport.Event, to logger: Logger) {
        switch event {
        case .stopped(let reason):
            logger.critical(
                "the log takes no more commits; reads continue; restart the server to accept writes again",
                metadata: ["reason": "\(reason)"])
        case .flushesFailed(let count):
            logger.warning("writing to the data directory failed", metadata: ["times": "\(count)"])
        case .isFull:
            logger.warning(
                "the disk of the data directory has too little room; writes get 507 until it has more"
            )
        case .isSilent(let silence):
            logger.error(
                "the log that servers share does not answer; writes and reads get 503 until it does",
                metadata: ["seconds": "\(silence.components.seconds)"])
        case .answers: logger.notice("the log that servers share answers again")
        case .hasRoom:
            logger.notice("the log takes commits again after the disk had too little room")
        }
    }
}
