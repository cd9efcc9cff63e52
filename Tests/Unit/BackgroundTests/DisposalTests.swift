// What is large is given back by another thread than the one that lets go of it.

import Dispatch
import Synchronization
import Testing

@testable import Background

@Suite
struct DisposalTests {
    /// Reports the thread on which it is freed.
    private final class Large: Sendable {
        private let isGone: @Sendable () -> Void

        init(isGone: @escaping @Sendable () -> Void) { self.isGone = isGone }

        deinit { isGone() }
    }

    /// Lets go of its large part as the owners of large parts do.
    private final class Owner {
        private let part: Large

        init(_ part: Large) { self.part = part }

        deinit { Disposal.keepForAWhile(part) }
    }

    @Test("The last reference to what is kept for a while is the thread's", arguments: 0..<20)
    func keeping(round: Int) {
        let gone = DispatchSemaphore(value: 0)
        // Held while the owner goes: a large part that goes here would wait for itself.
        let section = Mutex(())
        section.withLock { _ in
            let owner = Owner(
                Large {
                    section.withLock { _ in }
                    gone.signal()
                })
            withExtendedLifetime(owner) {}
        }
        gone.wait()
    }

    @Test("Work is done in its order, behind what is kept, and can be waited for")
    func order() {
        let lines = Mutex([String]())
        Disposal.keepForAWhile(Large { lines.withLock { $0.append("gone") } })
        Disposal.run { lines.withLock { $0.append("run") } }
        Disposal.finish()
        #expect(lines.withLock { $0 } == ["gone", "run"])
    }
}
