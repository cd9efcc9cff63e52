// The configuration of a server, which is fixed when it starts.

import Glibc
import HTTPWire
import Ledger

/// Where to listen, with how many shards, and within which limits.
package struct ServerConfiguration: Sendable {
    /// All of them are listened on, or the server does not start.
    package var addresses = [ListenAddress.tcp(host: "127.0.0.1", port: 8_080)]
    /// Addresses that serve health alone, with as many connections as the limits reserve.
    package var healthAddresses: [ListenAddress] = []
    /// Listening sockets that the process got at its start, which the server uses too.
    package var inherited: [InheritedSocket] = []
    /// The permissions of socket files.
    package var socketFileMode: UInt32 = 0o600
    /// Independent loops, each with its own connections. At least 1 is used.
    package var shards = ServerConfiguration.processorCount
    /// Threads for work that would hold up a shard. At least 1 is used.
    package var workers = max(1, ServerConfiguration.processorCount / 2)
    package var limits = ServerLimits()
    package var wireLimits = WireLimits()
    /// Where long answers ask for memory, and callers have their accounts.
    package var memory = MemoryLedger(bytesMax: .max)
    /// Connections that wait in the kernel to be accepted, for each address.
    package var backlog: Int32 = 1_024

    package init() {}

    /// The sockets for everything, which `HTTPServer.start` answers first.
    package var openCount: Int { addresses.count + inherited.count { !$0.isForHealth } }

    /// The processors that are online.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// A listening socket that another process has made.
package struct InheritedSocket: Sendable {
    package let descriptor: Int32
    package let isForHealth: Bool

    package init(descriptor: Int32, isForHealth: Bool = false) {
        self.descriptor = descriptor
        self.isForHealth = isForHealth
    }

    /// The address of the socket; nil when it does not listen, or has another family.
    package var address: ListenAddress? { ListeningSocket.address(of: descriptor) }
}
