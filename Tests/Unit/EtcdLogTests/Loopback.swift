// Sockets on loopback for the helpers of these tests.

import Foundation

enum Loopback {
    /// A socket that listens on a free port.
    ///
    /// - Parameter backlog: so many connections more than one are made without `accept`.
    static func listen(backlog: Int32 = 64) throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound, Foundation.listen(listener, backlog) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// A port that was free a moment ago.
    static func freePort() throws -> UInt16 {
        let (socket, port) = try listen()
        close(socket)
        return port
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
