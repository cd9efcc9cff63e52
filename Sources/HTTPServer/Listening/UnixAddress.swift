// The address of a socket file, as the system wants it.

import CEpoll
import Glibc

/// Where a socket file is.
package struct UnixAddress {
    private var address = sockaddr_un()

    /// `nil` when the path does not fit, with the zero after it.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    private func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Whether it worked; else the reason is in `errno`.
    func bind(_ descriptor: Int32) -> Bool { with { Glibc.bind(descriptor, $0, $1) } }

    /// Whether it worked; else the reason is in `errno`.
    package func connect(_ descriptor: Int32) -> Bool { with { Glibc.connect(descriptor, $0, $1) } }

    /// Whether it is a socket without a listener, as a killed process leaves it behind.
    /// Leaves `errno` as it was.
    var isAbandoned: Bool {
        let before = errno
        defer { errno = before }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        // A file that is no socket refuses as well, but is not ours to remove.
        return !connect(probe) && errno == ECONNREFUSED && isSocket
    }

    private var isSocket: Bool {
        var status = stat()
        let found = withUnsafeBytes(of: address.sun_path) { bytes in
            guard let path = bytes.baseAddress else { return false }
            return lstat(path.assumingMemoryBound(to: CChar.self), &status) == 0
        }
        return found && status.st_mode & S_IFMT == S_IFSOCK
    }
}
