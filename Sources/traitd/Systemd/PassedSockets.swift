// Sockets that the service manager listens on already (sd_listen_fds(3)): connections that come while the
// server starts wait there instead of being refused.

import Glibc
import HTTPServer
import TraitSessions

enum PassedSockets {
    /// sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3
    private static let countMax = 1_000
    /// The name of a socket for health alone (`FileDescriptorName=`).
    private static let healthName = "health"

    /// The sockets that were passed to this process, in their order.
    static func find(_ environment: [String: String]) -> [InheritedSocket] {
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
        else { return [] }
        let names = (environment["LISTEN_FDNAMES"] ?? "").parts(at: UInt8(ascii: ":"))
        return (0..<min(count, countMax)).map { index in
            InheritedSocket(
                descriptor: firstDescriptor + Int32(index),
                isForHealth: index < names.count && names[index] == healthName)
        }
    }
}
