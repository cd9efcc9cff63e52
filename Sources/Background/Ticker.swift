// A timer for upkeep, which may come a little late.

import Dispatch

/// Calls a closure once a second until it is released.
///
/// `@unchecked Sendable`: the timer is set once.
package final class Ticker: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    package init(_ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.setEventHandler(handler: body)
        timer.schedule(
            deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(500))
        timer.activate()
    }

    deinit { timer.cancel() }
}
