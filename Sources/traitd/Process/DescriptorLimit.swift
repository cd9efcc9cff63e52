// How many files the process may have open, which is how many connections it can hold.

import ArgumentParser
import Glibc
import HTTPServer
import Logging

enum DescriptorLimit {
    /// Descriptors that the process opens beside the server: Dispatch's epoll set, timers and signals, and
    /// a file or a name server for a moment. Dispatch traps when it cannot have its own.
    private static let processMax = 16
    /// Fewer connections than these are not worth starting for.
    private static let connectionsMin = 16

    /// Raises the limit of open files as far as the system allows, and lowers the limit of connections to
    /// fit: a refusal serves a client better than a connection that is closed. To be called before
    /// anything else opens files or uses Dispatch.
    ///
    /// - Throws: an exit code, after logging what is missing.
    static func apply(to configuration: inout ServerConfiguration, _ logger: Logger) throws {
        let available = raise()
        let taken =
            openNow(below: available) + processMax + configuration.descriptorsBesideConnections
        let wanted = configuration.limits.connectionsMax
        let least = taken + min(wanted, connectionsMin)
        guard available >= least else {
            logger.critical(
                """
                the process may have \(available) files open and needs at least \(least); \
                raise the limit with ulimit -n
                """)
            throw ExitCode(Exit.unavailable)
        }
        let allowed = available - taken
        makeRoom(for: taken + min(wanted, allowed))
        guard wanted > allowed else { return }
        configuration.limits.connectionsMax = allowed
        logger.warning(
            "fewer connections than asked for: the process may not open more files",
            metadata: [
                "connectionsMax": .stringConvertible(allowed),
                "openFiles": .stringConvertible(available),
            ])
    }

    /// Returns how many files may be open now.
    private static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1_024
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = raised.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Has the system make its table of open files as large as it will be. It grows by doubling, and stops
    /// the thread that opens a file for 10 ms when it does so in a process of several threads.
    private static func makeRoom(for count: Int) {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if file < 0 { return }
        let highest = fcntl(file, F_DUPFD_CLOEXEC, Int32(clamping: count - 1))
        if highest >= 0 { close(highest) }
        close(file)
    }

    /// How many files the process was started with; a parent leaves them at low numbers.
    private static func openNow(below limit: Int) -> Int {
        (0..<Int32(min(limit, 1_024))).count { fcntl($0, F_GETFD) >= 0 }
    }
}
