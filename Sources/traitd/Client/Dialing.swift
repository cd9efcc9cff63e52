// Connecting to a server, for the commands that ask one.

import Glibc
import HTTPServer

enum Dialing {
    /// A connected socket; nil when no server listens there.
    ///
    /// - Parameter timeoutSeconds: how long one call on the socket may take; nil for any time.
    static func connect(_ address: ListenAddress, timeoutSeconds: Int? = nil) -> Int32? {
        switch address {
        case .unix(let path):
            guard let file = UnixAddress(path) else { return nil }
            return open(AF_UNIX, timeoutSeconds) { file.connect($0) }
        case .tcp(let host, let port):
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
            defer { freeaddrinfo(found) }
            // A name may have several addresses, of which the server may listen on one.
            var candidate = found
            while let info = candidate?.pointee {
                let connected = open(info.ai_family, timeoutSeconds) {
                    Glibc.connect($0, info.ai_addr, info.ai_addrlen) == 0
                }
                if let connected { return connected }
                candidate = info.ai_next
            }
            return nil
        }
    }

    private static func open(
        _ family: Int32, _ timeoutSeconds: Int?, _ connect: (Int32) -> Bool
    ) -> Int32? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if let timeoutSeconds {
            var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        }
        if connect(descriptor) { return descriptor }
        close(descriptor)
        return nil
    }
}
