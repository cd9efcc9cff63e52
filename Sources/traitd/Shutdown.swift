// How the server ends, and that SIGHUP does not end it.

import Dispatch
import Glibc
import HTTPServer
import Logging
import TraitService

/// SIGTERM and SIGINT end the server in three steps: not ready for the delay, then no new
/// connections, streams get `end` and requests finish, then the end. Each further signal skips to
/// the next step. SIGHUP rereads files in every step.
///
/// Confinement: everything that is `var` is touched only on `queue`.
final class Shutdown: @unchecked Sendable {
    private enum Step {
        case serving, delaying, draining, ended
    }

    /// How long requests that have begun may take to finish, beyond the window.
    private static let requestSeconds = 5

    private let server: HTTPServer
    private let service: TraitService
    private let logger: Logger
    private let reloads: Reloads
    private let notifier: ServiceNotifier
    private let delaySeconds: Int
    private let windowSeconds: Int
    private let queue = DispatchQueue(label: "traitd.shutdown")
    private let ended = DispatchSemaphore(value: 0)
    private var step = Step.serving
    private var turns: Logger.Metadata = [:]

    init(
        _ server: HTTPServer, _ service: TraitService, _ logger: Logger, _ reloads: Reloads,
        _ notifier: ServiceNotifier, delaySeconds: Int, windowSeconds: Int
    ) {
        self.server = server
        self.service = service
        self.logger = logger
        self.reloads = reloads
        self.notifier = notifier
        self.delaySeconds = delaySeconds
        self.windowSeconds = windowSeconds
    }

    /// To be called once the server has started, on the thread that called `Signals.takeOver`. A
    /// signal that came earlier acts now.
    func waitUntilEnded() {
        var sources = Signals.ending.map { on($0) { $0.advance() } }
        sources.append(on(Signals.rereading) { $0.reread() })
        ended.wait()
        for source in sources { source.cancel() }
        logger.info("ended", metadata: turns)
    }

    private func on(
        _ number: Int32, _ act: @escaping @Sendable (Shutdown) -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [self] in act(self) }
        source.resume()
        return source
    }

    private func reread() {
        // During shutdown the service manager must not be notified that the process is ready.
        if step == .serving { notifier.isReloading() }
        reloads.run(logger)
        if step == .serving { notifier.isReady("serving") }
    }

    private func advance() {
        dispatchPrecondition(condition: .onQueue(queue))
        switch step {
        case .serving:
            service.readiness.drain()
            notifier.isStopping(within: delaySeconds + windowSeconds + Self.requestSeconds + 1)
            step = .delaying
            logger.info("not ready", metadata: ["delaySeconds": .stringConvertible(delaySeconds)])
            if delaySeconds == 0 { return drain() }
            queue.asyncAfter(deadline: .now() + .seconds(delaySeconds)) { [self] in
                if step == .delaying { drain() }
            }
        case .delaying: drain()
        case .draining: end()
        case .ended: break
        }
    }

    private func drain() {
        step = .draining
        logger.info(
            "draining",
            metadata: longestTurns.merging([
                "windowSeconds": .stringConvertible(windowSeconds)
            ]) { $1 })
        server.drain(
            windowSeconds: Double(windowSeconds),
            graceSeconds: Double(windowSeconds + Self.requestSeconds)
        ) { [self] in
            queue.async { [self] in end() }
        }
    }

    private func end() {
        dispatchPrecondition(condition: .onQueue(queue))
        if step == .ended { return }
        step = .ended
        turns = longestTurns
        ended.signal()
    }

    private var longestTurns: Logger.Metadata {
        let statistics = server.statistics
        return [
            "longestTurnMicroseconds": .stringConvertible(statistics.longestTurnMicroseconds),
            "longestScheduledTurnMicroseconds": .stringConvertible(
                statistics.longestScheduledTurnMicroseconds),
        ]
    }
}
