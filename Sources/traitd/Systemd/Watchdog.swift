// Notifies the service manager's watchdog in the required interval, but only while every shard does its work
// (systemd.service(5), WatchdogSec=).

import Background
import Dispatch
import Glibc
import HTTPServer
import Synchronization

final class Watchdog: Sendable {
    private let server: HTTPServer
    private let notifier: ServiceNotifier
    private let ticker = Mutex<Ticker?>(nil)
    /// The shards were asked and have not all answered.
    private let isAsking = Atomic<Bool>(false)

    /// Nil when the service manager does not ask for it, or asks another process.
    init?(_ server: HTTPServer, _ notifier: ServiceNotifier, environment: [String: String]) {
        guard let interval = environment["WATCHDOG_USEC"].flatMap({ Int($0) }), interval > 0,
            environment["WATCHDOG_PID"].map({ Int32($0) == getpid() }) ?? true
        else { return nil }
        self.server = server
        self.notifier = notifier
        // Three times as often, so that one delay is not the end.
        let every = DispatchTimeInterval.microseconds(max(1_000, min(interval / 3, 60_000_000)))
        let started = Ticker(every: every, leeway: .nanoseconds(0)) { [weak self] in self?.ask() }
        ticker.withLock { $0 = started }
        ask()
    }

    private func ask() {
        if isAsking.exchange(true, ordering: .acquiringAndReleasing) { return }
        server.whenAllShardsTurn { [weak self] in
            guard let self else { return }
            notifier.isAlive()
            isAsking.store(false, ordering: .releasing)
        }
    }
}
