// A timer for upkeep, which may come a little late.

import Dispatch

/// Calls a closure at regular times, or once after each `schedule`, until it is released.
package final class Ticker: Sendable {
    /// A source of Dispatch may be used by any thread.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - interval: the time between two calls; `.never` leaves the calls to `schedule`.
    ///   - queue: where the closure is called.
    package init(
        every interval: DispatchTimeInterval = .seconds(1),
        leeway: DispatchTimeInterval = .milliseconds(500),
        on queue: DispatchQueue = .global(qos: .utility), _ body: @escaping @Sendable () -> Void
    ) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: body)
        timer.schedule(
            deadline: interval == .never ? .distantFuture : .now() + interval, repeating: interval,
            leeway: leeway)
        timer.activate()
    }

    /// Calls the closure once after this time, and not at the times before.
    package func schedule(after milliseconds: Int) {
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(50))
    }

    deinit { timer.cancel() }
}
