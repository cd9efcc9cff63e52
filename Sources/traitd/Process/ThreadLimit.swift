// How many threads the process may have. Dispatch waits for ever for a thread that the system refuses, so a
// server without its threads would neither serve nor end.

import ArgumentParser
import Glibc
import Logging
import Synchronization

enum ThreadLimit {
    /// Threads beside the event loops: workers, writers, readers, the log's, timers, signals.
    private static let processMax = 16

    /// Makes sure that the process can have the threads that it needs: starts them all, and ends them. To be
    /// called before anything uses Dispatch.
    ///
    /// - Throws: an exit code, after logging what is missing.
    static func check(shards: Int, _ logger: Logger) throws {
        let needed = shards * 2 + processMax
        let (started, code) = start(needed)
        if started == needed { return }
        logger.critical(
            """
            the process can have \(started + 1) threads and needs \(needed + 1): \
            \(String(cString: strerror(code))); raise the limit with ulimit -u, with TasksMax= of systemd or \
            with pids_limit of the container, or leave room for their stacks with ulimit -v and -d
            """)
        throw ExitCode(Exit.refusedBySystem)
    }

    /// Starts threads that all wait until the last one has started or one was refused.
    ///
    /// - Returns: how many there were, and why there were no more.
    static func start(_ count: Int) -> (started: Int, code: Int32) {
        let gate = Gate()
        var threads: [pthread_t] = []
        let code = gate.mutex.withLock { _ in
            while threads.count < count {
                var thread = pthread_t()
                let code = pthread_create(
                    &thread, nil,
                    { argument in
                        guard let argument else { return nil }
                        let gate = Unmanaged<Gate>.fromOpaque(argument).takeUnretainedValue()
                        gate.mutex.withLock { _ in }
                        return nil
                    }, Unmanaged.passUnretained(gate).toOpaque())
                if code != 0 { return code }
                threads.append(thread)
            }
            return 0
        }
        for thread in threads { pthread_join(thread, nil) }
        return withExtendedLifetime(gate) { (threads.count, code) }
    }
}

/// The lock that the threads wait for.
private final class Gate: Sendable {
    let mutex = Mutex(())
}
