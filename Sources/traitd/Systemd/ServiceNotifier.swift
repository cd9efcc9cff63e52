// Notifications to the service manager (sd_notify(3)). Without a service manager nothing is sent.

import Glibc
import SessionViews
import TraitSessions

/// Sends the states of the process to the socket that `NOTIFY_SOCKET` names.
///
/// The protocol is one datagram a message, so no library is needed for it.
struct ServiceNotifier: Sendable {
    /// The socket of the service manager; nil without one.
    private let path: String?

    init(environment: [String: String]) {
        let path = environment["NOTIFY_SOCKET"] ?? ""
        // `@` stands for the zero byte of an abstract address.
        self.path = ["/", "@"].contains { path.begins(with: $0) } ? path : nil
    }

    func isReady(_ status: String) { send("READY=1\nSTATUS=\(status)") }

    func isReloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let micros = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(micros)")
    }

    /// - Parameter seconds: how long the end may take.
    func isStopping(within seconds: Int) {
        send("STOPPING=1\nSTATUS=draining\nEXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)")
    }

    func isAlive() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let path else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = MemoryLayout<sa_family_t>.size + bytes.count
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                // Errors are ignored: a manager that has gone needs no message.
                _ = sendto(
                    descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), target,
                    socklen_t(size))
            }
        }
    }
}
