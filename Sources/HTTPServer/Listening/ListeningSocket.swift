// From a host name and a port to a socket that listens.

import CEpoll
import Glibc

enum ListeningSocket {
    /// The first of the host's addresses that can be listened on.
    static func open(
        host: String, port: UInt16, backlog: Int32
    ) throws(ServerError) -> Int32 {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else { throw .hostNotFound(host: host, code: code) }
        defer { freeaddrinfo(found) }
        var reason = EADDRNOTAVAIL
        var candidate = found
        while let info = candidate {
            if let descriptor = listen(on: info.pointee, backlog) { return descriptor }
            reason = errno
            candidate = info.pointee.ai_next
        }
        throw .cannotListen(host: host, port: port, errno: reason)
    }

    private static func listen(on info: addrinfo, _ backlog: Int32) -> Int32? {
        let descriptor = socket(
            info.ai_family, info.ai_socktype | traitd_SOCK_NONBLOCK | traitd_SOCK_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
            Glibc.listen(descriptor, max(1, backlog)) == 0
        {
            return descriptor
        }
        let reason = errno
        close(descriptor)
        errno = reason
        return nil
    }
}
