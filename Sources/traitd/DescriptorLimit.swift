// How many files the process may have open, which is how many connections it can hold.

import Glibc
import HTTPServer
import Logging

enum DescriptorLimit {
    /// Descriptors for everything but connections: listeners, shards, logs, and the connections that
    /// are let in only to be told that there are too many, or to ask for health.
    private static let reserved = 224

    /// Asks for as many as the system lets it have, and holds the limit of connections to what there
    /// are: a client that is told so fares better than one whose connection is shed.
    static func apply(to configuration: inout ServerConfiguration, _ logger: Logger) {
        let available = raise()
        let wanted = configuration.limits.connectionsMax
        let allowed = max(1, available - reserved)
        guard wanted > allowed else { return }
        configuration.limits.connectionsMax = allowed
        logger.warning(
            "fewer connections than asked for: the process may not open more files",
            metadata: ["connectionsMax": "\(allowed)", "openFiles": "\(available)"])
    }

    /// Answers how many files may be open now.
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
}
