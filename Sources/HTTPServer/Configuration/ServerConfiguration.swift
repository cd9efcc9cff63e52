// What a server is told once, before it starts.

import Glibc
import HTTPWire

/// Where to listen, with how many shards, and within which limits.
package struct ServerConfiguration: Sendable {
    /// A host name or numeric address; `0.0.0.0` and `::` mean every interface.
    package var host = "127.0.0.1"
    /// 0 lets the system choose; `HTTPServer.start` answers which.
    package var port: UInt16 = 8080
    /// Independent loops, each with its own connections. At least 1 is used.
    package var shards = ServerConfiguration.processorCount
    package var limits = ServerLimits()
    package var wireLimits = WireLimits()
    /// Connections that wait in the kernel to be accepted.
    package var backlog: Int32 = 1_024

    package init() {}

    /// The processors that are online.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
