// A socket without a client: for requests that no client would send, in pieces that no client
// would choose, and for readers that stop reading.

import Glibc
import HTTPServer

/// A connected socket. Every call has a time limit.
package final class RawConnection {
    package let descriptor: Int32
    private let timeLimit: Duration

    package struct SystemError: Error, CustomStringConvertible {
        package let call: String
        package let number: Int32
        package var description: String { "\(call): \(String(cString: strerror(number)))" }
    }

    /// - Parameter receiveBufferBytes: a small one makes a reader that does not read felt soon.
    package init(
        _ address: ListenAddress, timeLimit: Duration = .seconds(20),
        receiveBufferBytes: Int32? = nil
    ) throws {
        self.timeLimit = timeLimit
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(Self.family(address), type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", number: errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
        guard Self.connect(descriptor, address) else {
            throw SystemError(call: "connect", number: errno)
        }
    }

    package convenience init(
        port: UInt16, timeLimit: Duration = .seconds(20), receiveBufferBytes: Int32? = nil
    ) throws {
        try self.init(
            .tcp(host: "127.0.0.1", port: port), timeLimit: timeLimit,
            receiveBufferBytes: receiveBufferBytes)
    }

    private static func family(_ address: ListenAddress) -> Int32 {
        switch address {
        case .unix: AF_UNIX
        case .tcp(let host, _): host.contains(":") ? AF_INET6 : AF_INET
        }
    }

    private static func connect(_ descriptor: Int32, _ address: ListenAddress) -> Bool {
        switch address {
        case .unix(let path): return UnixAddress(path)?.connect(descriptor) ?? false
        case .tcp(let host, let port):
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), nil, &found) == 0, let info = found?.pointee
            else { return false }
            defer { freeaddrinfo(found) }
            return Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Sends all bytes. False when the peer closed first, which is no error of the test.
    @discardableResult
    package func send(_ bytes: [UInt8]) throws -> Bool {
        let deadline = Deadline(within: timeLimit)
        var sent = 0
        while sent < bytes.count {
            try ready(POLLOUT, deadline, "room to send")
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress, $0.count,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EPIPE || errno == ECONNRESET { return false }
            if count < 0, errno != EAGAIN, errno != EINTR {
                throw SystemError(call: "send", number: errno)
            }
            sent += max(0, count)
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) throws -> Bool {
        try send(Array(text.utf8))
    }

    /// Says that no more will be sent; answers can still be read.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection with a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // An unconnected socket in the descriptor's place, which `deinit` closes.
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        dup2(other, descriptor)
        Glibc.close(other)
    }

    /// What is there, at least one byte; empty at the end of the connection.
    package func read(max: Int = 65_536, before deadline: Deadline) throws -> [UInt8] {
        while true {
            try ready(POLLIN, deadline, "bytes to read")
            var buffer = [UInt8](repeating: 0, count: max)
            let count = recv(descriptor, &buffer, max, Int32(MSG_DONTWAIT))
            if count >= 0 { return Array(buffer[..<count]) }
            if errno == ECONNRESET { return [] }
            guard errno == EAGAIN || errno == EINTR else {
                throw SystemError(call: "recv", number: errno)
            }
        }
    }

    /// All bytes until the peer closes.
    package func readToEnd() throws -> [UInt8] {
        let deadline = Deadline(within: timeLimit)
        var bytes: [UInt8] = []
        while true {
            let more = try read(before: deadline)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// Bytes until `isEnough` says so or the peer closes.
    package func read(until isEnough: ([UInt8]) -> Bool) throws -> [UInt8] {
        let deadline = Deadline(within: timeLimit)
        var bytes: [UInt8] = []
        while !isEnough(bytes) {
            let more = try read(before: deadline)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    private func ready(_ events: Int32, _ deadline: Deadline, _ what: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while poll(&entry, 1, deadline.millisecondsLeft) <= 0 {
            guard !deadline.hasPassed else { throw TimedOut(what) }
        }
    }
}

/// The status codes of the answers in a byte sequence, for pipelines and refusals.
package func statusCodes(in bytes: [UInt8]) -> [Int] {
    String(decoding: bytes, as: UTF8.self).matches(of: #/HTTP/1\.1 ([0-9]{3}) /#)
        .compactMap { Int($0.output.1) }
}
