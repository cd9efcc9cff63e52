// Threads that wait for etcd most of their time.

import Background
import Glibc

enum LogThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own, which ends with it.
    ///
    /// - Returns: whether the system starts the thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        if let machine = Machines.simulated {
            machine.start(body)
            return true
        }
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let failed = pthread_create(
            &thread, nil,
            { context in
                if let context {
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, context.toOpaque())
        guard failed == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
