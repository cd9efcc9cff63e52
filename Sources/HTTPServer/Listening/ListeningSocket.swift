// From an address to a socket that listens: TCP, or a file.

import CEpoll
import Glibc

/// A socket that listens. Owned and closed by the shard that accepts from it.
final class ListeningSocket {
    private(set) var descriptor: Int32
    /// The bound address with its chosen port, and the hosts that requests to it name.
    let listener: Listener
    var address: ListenAddress { listener.address }
    /// Whether its connections may request health only.
    var isForHealth = false
    /// The socket file, if it is still the one that was made here.
    private let file: (path: String, device: dev_t, inode: ino_t)?

    private init(
        _ descriptor: Int32, _ address: ListenAddress,
        file: (path: String, device: dev_t, inode: ino_t)? = nil
    ) {
        self.descriptor = descriptor
        listener = Listener(address, descriptor: descriptor)
        self.file = file
    }

    deinit { close() }

    /// Removes the file first, so that every file that exists has a listener.
    func close() {
        guard descriptor >= 0 else { return }
        if let file, let now = Self.identity(file.path), now == (file.device, file.inode) {
            unlink(file.path)
        }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// `isIPv6Only`: `::` must leave the IPv4 addresses to another socket.
    static func open(
        _ address: ListenAddress, _ configuration: ServerConfiguration, isIPv6Only: Bool
    ) throws(ServerError) -> ListeningSocket {
        let backlog = max(1, configuration.backlog)
        switch address {
        case .tcp(let host, let port):
            return try tcp(host, port, backlog, isIPv6Only)
        case .unix(let path):
            return try unix(path, backlog, mode: configuration.socketFileMode)
        }
    }

    // MARK: TCP

    /// The first of the host's addresses that can be listened on.
    private static func tcp(
        _ host: String, _ port: UInt16, _ backlog: Int32, _ isIPv6Only: Bool
    ) throws(ServerError) -> ListeningSocket {
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
            if let descriptor = listen(on: info.pointee, backlog, isIPv6Only) {
                let chosen = Self.port(of: descriptor) ?? port
                return ListeningSocket(descriptor, .tcp(host: host, port: chosen))
            }
            reason = errno
            candidate = info.pointee.ai_next
        }
        // A system without IPv6 has the other half of `::`.
        if host == "::", !isIPv6Only, reason == EAFNOSUPPORT {
            return try tcp("0.0.0.0", port, backlog, isIPv6Only)
        }
        throw .cannotListen(.tcp(host: host, port: port), errno: reason)
    }

    /// How many unsent bytes the system may buffer for one client. As many as a turn sends, so that
    /// a client that reads is not slowed down.
    private static let unsentInSystemBytesMax: Int32 = 262_144

    private static func listen(
        on info: addrinfo, _ backlog: Int32, _ isIPv6Only: Bool
    ) -> Int32? {
        let descriptor = makeSocket(info.ai_family)
        guard descriptor >= 0 else { return nil }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A server that was just ended leaves its port busy for a minute otherwise.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if info.ai_family == AF_INET6 {
            // Some systems have another default (net.ipv6.bindv6only).
            var isOnly: Int32 = isIPv6Only ? 1 : 0
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOnly, size)
        }
        // Accepted connections inherit it. Without it the system buffers megabytes for a client
        // that reads nothing, and filling or freeing hundreds of such buffers delays other clients.
        var unsent = unsentInSystemBytesMax
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, size)
        return finish(
            descriptor,
            bind(descriptor, info.ai_addr, info.ai_addrlen) == 0
                && Glibc.listen(descriptor, backlog) == 0)
    }

    /// Where a socket is bound; nil when it is none.
    static func name(of descriptor: Int32) -> sockaddr_storage? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isFound = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size) == 0
            }
        }
        return isFound ? storage : nil
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        guard var storage = name(of: descriptor) else { return nil }
        // The port stands at the same place in both families.
        return withUnsafeBytes(of: &storage) {
            UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port)
        }
    }

    // MARK: Files

    private static func unix(
        _ path: String, _ backlog: Int32, mode: UInt32
    ) throws(ServerError) -> ListeningSocket {
        let failed = { (reason: Int32) in
            ServerError.cannotListen(.unix(path: path), errno: reason)
        }
        guard let address = UnixAddress(path) else { throw failed(ENAMETOOLONG) }
        let descriptor = makeSocket(AF_UNIX)
        guard descriptor >= 0 else { throw failed(errno) }
        // Set before the file appears, so that the file never has wider permissions.
        fchmod(descriptor, mode)
        var isBound = address.bind(descriptor)
        if !isBound, errno == EADDRINUSE, address.isAbandoned {
            unlink(path)
            isBound = address.bind(descriptor)
        }
        let isReady =
            isBound && chmod(path, mode) == 0 && Glibc.listen(descriptor, backlog) == 0
        guard let descriptor = finish(descriptor, isReady) else { throw failed(errno) }
        let identity = identity(path)
        return ListeningSocket(
            descriptor, .unix(path: path), file: identity.map { (path, $0.device, $0.inode) })
    }

    private static func identity(_ path: String) -> (device: dev_t, inode: ino_t)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return (status.st_dev, status.st_ino)
    }

    // MARK: Passed

    /// Takes over a socket that listens already. Closing it does not remove its socket file, as another
    /// process made that.
    static func adopt(_ descriptor: Int32) throws(ServerError) -> ListeningSocket {
        guard let address = address(of: descriptor) else {
            throw .notListening(descriptor: descriptor)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return ListeningSocket(descriptor, address)
    }

    /// Where a listening stream socket is bound; nil for anything else.
    static func address(of descriptor: Int32) -> ListenAddress? {
        var type: Int32 = 0
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
            type == Int32(SOCK_STREAM.rawValue),
            getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
            isListening != 0
        else { return nil }
        guard var storage = name(of: descriptor) else { return nil }
        if Int32(storage.ss_family) == AF_UNIX {
            let path = withUnsafeBytes(of: &storage) { bytes in
                bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
            }
            return .unix(path: String(decoding: path, as: UTF8.self))
        }
        guard let host = ClientAddress(storage).text, let port = port(of: descriptor) else {
            return nil
        }
        return .tcp(host: host, port: port)
    }

    // MARK: Both

    private static func makeSocket(_ family: Int32) -> Int32 {
        socket(
            family, Int32(SOCK_STREAM.rawValue) | traitd_SOCK_NONBLOCK | traitd_SOCK_CLOEXEC, 0)
    }

    /// The descriptor, or `nil` and the reason in `errno`.
    private static func finish(_ descriptor: Int32, _ isListening: Bool) -> Int32? {
        if isListening { return descriptor }
        let reason = errno
        Glibc.close(descriptor)
        errno = reason
        return nil
    }
}
