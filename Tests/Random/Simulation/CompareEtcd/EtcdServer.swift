// A process of etcd on loopback with a folder of its own, ended by its number.

import Foundation

/// The process that a signal to this one ends, too.
private nonisolated(unsafe) var running: pid_t = 0

final class EtcdServer {
    private static let program = "/usr/bin/etcd"
    static let isInstalled = access(program, X_OK) == 0
    let port: UInt16
    private let process: pid_t
    private let folder: String

    init(_ arguments: [String] = []) throws {
        port = try Self.freePort()
        let peer = "http://127.0.0.1:\(try Self.freePort())"
        let url = "http://127.0.0.1:\(port)"
        var template = Array("/tmp/compare-etcd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw ConnectionFailure(text: "no folder can be made")
        }
        folder = String(cString: made)
        // Nothing is lost here at a power cut, so nothing is flushed.
        let all =
            [
                Self.program, "--data-dir", folder, "--name", "m0", "--unsafe-no-fsync",
                "--logger", "zap", "--log-level", "panic", "--log-outputs", "/dev/null",
                "--listen-client-urls", url, "--advertise-client-urls", url,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", "m0=\(peer)",
            ] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
        defer { for text in argv { free(text) } }
        var number = pid_t()
        let failed = posix_spawn(&number, Self.program, nil, nil, &argv, environ)
        if failed != 0 { throw ConnectionFailure(text: "\(Self.program) does not start") }
        process = number
        running = number
        for ending in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
            signal(ending) { ending in
                if running > 0 { kill(running, SIGKILL) }
                _exit(128 + ending)
            }
        }
        try waitForStart()
    }

    private func waitForStart() throws {
        var failure: any Error = ConnectionFailure(text: "")
        for _ in 0..<200 {
            do {
                let connection = try HTTPConnection(port: port)
                let request = Request("health", method: "GET", path: "/health")
                if try connection.answer(to: request).status == 200 { return }
            } catch {
                failure = error
            }
            poll(nil, 0, 50)
        }
        throw failure
    }

    /// Ends the process, and removes what it has.
    func end() {
        running = 0
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            print("\(folder) stays: \(error)")
        }
    }

    private static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        if !isBound { throw ConnectionFailure(text: "no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}
