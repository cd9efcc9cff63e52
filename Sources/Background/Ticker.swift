// A timer for upkeep, which may come a little late.

import Dispatch

/// Calls a closure at regular times, or once after each `schedule`, until it is released.
package final class Ticker: Sendable {
    /// A source of Dispatch may be used by any thread.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    /// - Parameter interval: the time between two calls; `.never` leaves the calls to `schedule`.
    package init(
        every interval: DispatchTimeInterval = .seconds(1),
        leeway: DispatchTimeInterval = .milliseconds(500),
        _ body: @escaping @Sendable () -> Void
    ) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.setEventHandler(handler: body)
        timer.schedule(
            deadline: interval == .never ? .distantFuture : .now() + interval, repeating: interval,
            leeway: leeway)
        timer.activate()
    }

    /// Calls the closure once after this time. Earlier schedules no longer apply.
    package func schedule(after milliseconds: Int) {
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(50))
    }

    deinit { timer.cancel() }
}
