// The whole signal policy: how the server ends.

import Dispatch
import Glibc
import HTTPServer
import Logging
import TraitService

/// SIGTERM and SIGINT end the server in three steps: not ready for the delay, then no new
/// connections, streams get `end` and requests finish, then the end. Each further signal skips to
/// the next step.
///
/// Confinement: everything that is `var` is touched only on `queue`.
final class Shutdown: @unchecked Sendable {
    private enum Step {
        case serving, delaying, draining, ended
    }

    private static let signals = [SIGTERM, SIGINT]

    /// How long requests that have begun may take to finish, beyond the window.
    private static let requestSeconds = 5

    private let server: HTTPServer
    private let service: TraitService
    private let logger: Logger
    private let delaySeconds: Int
    private let windowSeconds: Int
    private let queue = DispatchQueue(label: "traitd.shutdown")
    private let ended = DispatchSemaphore(value: 0)
    private var step = Step.serving

    /// Takes the signals over. To be called on the main thread before anybody is told that the server
    /// is there: whoever knows may end it at once. A signal that comes before the server has started
    /// ends it as soon as it has.
    init(
        _ server: HTTPServer, _ service: TraitService, _ logger: Logger, delaySeconds: Int,
        windowSeconds: Int
    ) {
        self.server = server
        self.service = service
        self.logger = logger
        self.delaySeconds = delaySeconds
        self.windowSeconds = windowSeconds
        Self.hold(Self.signals)
    }

    /// Blocked, a signal waits until a source takes it; ignored, it would be lost until the source is
    /// in place, which happens on another thread. Dispatch's own threads block all signals, and new
    /// threads inherit what the main thread blocks.
    private static func hold(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// To be called once the server has started.
    func waitUntilEnded() {
        let sources = Self.signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in advance() }
            source.resume()
            return source
        }
        ended.wait()
        for source in sources { source.cancel() }
        logger.info("ended")
    }

    private func advance() {
        switch step {
        case .serving:
            service.readiness.drain()
            step = .delaying
            logger.info("not ready", metadata: ["delaySeconds": "\(delaySeconds)"])
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
        logger.info("draining", metadata: ["windowSeconds": "\(windowSeconds)"])
        server.drain(
            windowSeconds: Double(windowSeconds),
            graceSeconds: Double(windowSeconds + Self.requestSeconds)
        ) { [self] in
            queue.async { [self] in end() }
        }
    }

    private func end() {
        if step == .ended { return }
        step = .ended
        ended.signal()
    }
}
