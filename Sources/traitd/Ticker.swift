// Something that is done once a second while something else takes long.

import Dispatch

/// Runs until `stop`.
///
/// `@unchecked Sendable`: a dispatch source may be cancelled on any thread, and nothing else is in here.
final class Ticker: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    func stop() { timer.cancel() }
}
