// The whole signal policy: how the server ends.

import Dispatch
import Glibc
import HTTPServer
import Logging
import TraitService

/// SIGTERM and SIGINT end the server in three steps: not ready for the delay, then no new
/// connections, streams get `end` and requests finish, then the end. Each further signal skips to the next step.
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
    private let delaySeconds: Int
    private let windowSeconds: Int
    private let queue = DispatchQueue(label: "traitd.shutdown")
    private let ended = DispatchSemaphore(value: 0)
    private var step = Step.serving
    private var sources: [any DispatchSourceSignal] = []

    init(
        _ server: HTTPServer, _ service: TraitService, _ logger: Logger, delaySeconds: Int,
        windowSeconds: Int
    ) {
        self.server = server
        self.service = service
        self.logger = logger
        self.delaySeconds = delaySeconds
        self.windowSeconds = windowSeconds
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [unowned self] in advance() }
            source.resume()
            return source
        }
    }

    func waitUntilEnded() {
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
