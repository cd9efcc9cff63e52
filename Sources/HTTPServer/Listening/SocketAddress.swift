// Numeric addresses out of the socket structures of C.

import Glibc

/// A numeric host and a port.
package struct SocketAddress: Hashable, Sendable {
    package var host: String
    package var port: UInt16

    /// Where the socket listens.
    static func local(of descriptor: Int32) -> SocketAddress? {
        read { getsockname(descriptor, $0, $1) }
    }

    /// Who is at the other end.
    static func peer(of descriptor: Int32) -> SocketAddress? {
        read { getpeername(descriptor, $0, $1) }
    }

    private static func read(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard call(address, &size) == 0 else { return nil }
                return numeric(address, size)
            }
        }
    }

    private static func numeric(
        _ address: UnsafeMutablePointer<sockaddr>, _ size: socklen_t
    ) -> SocketAddress? {
        var host = [CChar](repeating: 0, count: 64)
        var service = [CChar](repeating: 0, count: 8)
        let code = getnameinfo(
            address, size, &host, socklen_t(host.count), &service, socklen_t(service.count),
            NI_NUMERICHOST | NI_NUMERICSERV)
        guard code == 0, let port = UInt16(text(service)) else { return nil }
        return SocketAddress(host: text(host), port: port)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(
            decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SocketAddress: CustomStringConvertible {
    /// As in a URL: an IPv6 host stands in brackets.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
