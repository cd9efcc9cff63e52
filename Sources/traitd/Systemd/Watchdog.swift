// Notifies the service manager's watchdog in the required interval, but only while every shard does its work
// (systemd.service(5), WatchdogSec=).

import Dispatch
import Glibc
import HTTPServer

/// `@unchecked Sendable`: what is `var` is touched on `queue` only.
final class Watchdog: @unchecked Sendable {
    private let server: HTTPServer
    private let notifier: ServiceNotifier
    private let queue = DispatchQueue(label: "traitd.watchdog")
    private let timer: any DispatchSourceTimer
    /// The shards were asked and have not all answered.
    private var isAsking = false

    /// Nil when the service manager does not ask for it, or asks another process.
    init?(_ server: HTTPServer, _ notifier: ServiceNotifier, environment: [String: String]) {
        guard let interval = environment["WATCHDOG_USEC"].flatMap({ Int($0) }), interval > 0,
            environment["WATCHDOG_PID"].map({ Int32($0) == getpid() }) ?? true
        else { return nil }
        self.server = server
        self.notifier = notifier
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.ask() }
        // Three times as often, so that one delay is not the end.
        let every = DispatchTimeInterval.microseconds(max(1_000, min(interval / 3, 60_000_000)))
        timer.schedule(deadline: .now(), repeating: every)
        timer.activate()
    }

    deinit { timer.cancel() }

    private func ask() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isAsking else { return }
        isAsking = true
        server.whenAllShardsTurn { [weak self] in
            guard let self else { return }
            notifier.isAlive()
            queue.async { self.isAsking = false }
        }
    }
}
