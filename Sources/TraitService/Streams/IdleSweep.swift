// A timer removes feeds without listeners once a second, and registrations whose lease has run out, also
// from sessions without requests.

import Dispatch
import TraitSessions

/// Sweeps a store as long as it lives.
///
/// `@unchecked Sendable`: the timer is touched when the sweep is made and when it ends.
final class IdleSweep: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(of store: SessionStore) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.setEventHandler { [weak store] in
            store?.removeIdleFeeds()
            store?.endExpiredLeases()
        }
        timer.schedule(
            deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(500))
        timer.activate()
    }

    deinit { timer.cancel() }
}
