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
/// While the server starts, nothing is acknowledged, so SIGTERM and SIGINT end the process without
/// the steps. SIGHUP waits for the end of the start.
///
/// Confinement: everything that is `var` is touched only on `queue`.
final class Shutdown: @unchecked Sendable {
    private enum Step {
        case starting, abandoning, serving, delaying, draining, ended
    }

    /// The parts that a shutdown ends, once they exist.
    struct Parts {
        let server: HTTPServer
        let service: TraitService
        let accessLog: AccessLog?
    }

    /// How long requests that have begun may take to finish, beyond the window.
    private static let requestSeconds = 5
    /// How long the answers to requests that waited for the start may take to go out.
    private static let abandoningSeconds = 1

    private let logger: Logger
    private let reloads: Reloads
    private let notifier: ServiceNotifier
    private let delaySeconds: Int
    private let windowSeconds: Int
    private let queue = DispatchQueue(label: "traitd.shutdown")
    private let ended = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []
    private var parts: Parts?
    private var step = Step.starting
    private var mustReread = false
    /// The exit code of a server that cannot go on.
    private var failure: Int32 = 0
    private var turns: Logger.Metadata = [:]

    /// To be called after `Signals.takeOver`. A signal that came in between acts now.
    init(
        _ logger: Logger, _ reloads: Reloads, _ notifier: ServiceNotifier, delaySeconds: Int,
        windowSeconds: Int
    ) {
        self.logger = logger
        self.reloads = reloads
        self.notifier = notifier
        self.delaySeconds = delaySeconds
        self.windowSeconds = windowSeconds
        sources = Signals.ending.map { on($0) { $0.advance() } }
        sources.append(on(Signals.rereading) { $0.reread() })
    }

    /// From now on a signal during the start answers the requests that wait.
    func begin(with parts: Parts) { queue.sync { self.parts = parts } }

    /// Ends the server as SIGTERM does, with an exit code.
    func end(with code: Int32) {
        queue.async { [self] in
            if failure == 0 { failure = code }
            if step == .starting || step == .serving { advance() }
        }
    }

    /// Ends the start with `last`, before which the server acknowledges nothing. A signal during `last` acts
    /// afterwards. A start for which `last` fails is not over.
    func finishStart<Value, Failure>(
        _ last: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try queue.sync {
            let result = Result(catching: last)
            if case .success = result, step == .starting { step = .serving }
            return result
        }.get()
    }

    /// To be called after `finishStart`, with the status for the service manager. Returns the exit code when the
    /// server has ended.
    func waitUntilEnded(_ status: String) -> Int32 {
        queue.sync {
            guard step == .serving else { return }
            notifier.isReady(status)
            if mustReread { reread() }
        }
        ended.wait()
        for source in sources { source.cancel() }
        logger.info("ended", metadata: turns)
        return queue.sync { failure }
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
        dispatchPrecondition(condition: .onQueue(queue))
        if step == .starting || step == .abandoning {
            mustReread = true
            return
        }
        // During shutdown the service manager must not be notified that the process is ready.
        if step == .serving { notifier.isReloading() }
        reloads.run(logger)
        if step == .serving { notifier.isReady("serving") }
    }

    private func advance() {
        dispatchPrecondition(condition: .onQueue(queue))
        switch step {
        case .starting: abandon()
        case .abandoning: exitNow()
        case .serving:
            parts?.service.drain()
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

    /// Ends a start. The main thread is somewhere in it, perhaps in a call that waits for a file, so
    /// the process ends without that thread.
    private func abandon() {
        step = .abandoning
        logger.info("ended while starting")
        notifier.isStopping(within: Self.abandoningSeconds + 1)
        guard let parts else { exitNow() }
        parts.service.abandonStart()
        parts.server.drain(graceSeconds: Double(Self.abandoningSeconds)) { [self] in
            queue.async { [self] in exitNow() }
        }
    }

    private func exitNow() -> Never {
        parts?.accessLog?.flush()
        _exit(failure)
    }

    private func drain() {
        guard let server = parts?.server else { return }
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
        guard let statistics = parts?.server.statistics else { return [:] }
        return [
            "longestTurnMicroseconds": .stringConvertible(statistics.longestTurnMicroseconds),
            "longestScheduledTurnMicroseconds": .stringConvertible(
                statistics.longestScheduledTurnMicroseconds),
        ]
    }
}
