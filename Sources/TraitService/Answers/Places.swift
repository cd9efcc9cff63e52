// Where the interface is served, which is known once the server has started.

import Synchronization

/// The addresses of the whole interface, for the answers of those that serve health alone.
package final class Places: Sendable {
    private let known = Mutex<[String]>([])

    package init() {}

    package var list: [String] { known.withLock { $0.isEmpty ? ["another address"] : $0 } }

    package func set(_ list: [String]) { known.withLock { $0 = list } }
}
