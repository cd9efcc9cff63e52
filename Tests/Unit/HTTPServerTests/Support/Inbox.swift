// How tests wait: on something that happens, never on time.

import Dispatch
import Synchronization

/// Values that arrive from other threads, in their order.
final class Inbox<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let available = DispatchSemaphore(value: 0)

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        available.signal()
    }

    /// The next one; `nil` only if it never came, which fails the test.
    func take() -> Value? {
        guard available.wait(within: .seconds(30)) else { return nil }
        return values.withLock { $0.removeFirst() }
    }

    var count: Int { values.withLock(\.count) }
}
