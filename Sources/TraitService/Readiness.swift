// Whether the server should be sent traffic.

import Synchronization

package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// From now on `/readyz` answers 503, so that load balancers look elsewhere.
    package func drain() { draining.store(true, ordering: .relaxed) }
}
