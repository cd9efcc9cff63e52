// `traitd healthcheck`: one request to `/livez`, for containers that have no other client.

import ArgumentParser
import Glibc

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running server whether it is alive; exit status 0 when it is.")

    @Option(help: "The address it listens on.")
    var host = "127.0.0.1"

    @Option(help: "The port it listens on.")
    var port: UInt16 = 8080

    @Option(help: "How long to wait, in seconds.")
    var timeoutSeconds = 2

    func validate() throws {
        if !(1...600).contains(timeoutSeconds) {
            throw ValidationError("--timeout-seconds goes from 1 to 600.")
        }
    }

    func run() throws {
        guard let answer = ask() else {
            throw Self.failure("traitd does not answer on \(host):\(port)")
        }
        guard answer.hasPrefix("HTTP/1.1 200 ") else {
            throw Self.failure(
                "traitd on \(host):\(port) answered \(answer.prefix { $0 != "\r" })")
        }
        print("alive")
    }

    private static func failure(_ text: String) -> ExitCode {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        return .failure
    }

    /// The beginning of the answer; nil when there is none in time.
    private func ask() -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family, found.pointee.ai_socktype, found.pointee.ai_protocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
            return nil
        }
        let request = "GET /livez HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
