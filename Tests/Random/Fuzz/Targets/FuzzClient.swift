// A client that sends whatever the input says, and reads what comes back until it is complete.

import Glibc

/// What came back.
struct FuzzAnswer {
    var status = 0
    var isJSON = false
    var body: [UInt8] = []

    var text: String { String(decoding: body.prefix(2_000), as: UTF8.self) }
}

/// One connection to a socket file, made again when the server has closed it.
struct FuzzClient {
    private let path: String
    private var descriptor: Int32 = -1
    private var received: [UInt8] = []

    /// A place for one process's socket file.
    static var socketPath: String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(folder)/traitd-fuzz.\(getpid()).sock"
    }

    init(path: String) { self.path = path }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        received = []
    }

    /// Sends one request and reads one answer. A stream is cut off after what it says at once.
    mutating func exchange(
        _ method: String, _ target: [UInt8], _ body: [UInt8]
    ) throws(FuzzFailure) -> FuzzAnswer {
        var request = Array("\(method) ".utf8)
        if target.first == UInt8(ascii: "~") {
            request += Array("/v1/sessions/x".utf8) + target.dropFirst()
        } else {
            request += target
        }
        request += Array(" HTTP/1.1\r\nHost: fuzz\r\n".utf8)
        if !body.isEmpty || method != "GET" {
            let type =
                method == "PATCH" ? "application/merge-patch+json" : "application/json"
            request += Array("Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n".utf8)
        }
        request += Array("\r\n".utf8) + body
        if descriptor < 0 { try open() }
        try send(request)
        return try answer(hasBody: method != "HEAD")
    }

    private mutating func open() throws(FuzzFailure) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.prefix(107)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard result == 0 else { throw FuzzFailure("connect: errno \(errno)") }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private func send(_ bytes: [UInt8]) throws(FuzzFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // A server that refuses the beginning may not read the rest.
            if count <= 0 { return }
            sent += count
        }
    }

    private mutating func answer(hasBody: Bool) throws(FuzzFailure) -> FuzzAnswer {
        var headEnd: Int?
        while headEnd == nil {
            headEnd = end(of: [13, 10, 13, 10])
            if headEnd == nil, try !receive() { throw FuzzFailure("no answer: \(received.count)") }
        }
        let head = String(decoding: received[..<(headEnd ?? 0)], as: UTF8.self)
        received.removeFirst(headEnd ?? 0)
        var answer = FuzzAnswer()
        answer.status = Int(head.dropFirst(9).prefix(3)) ?? 0
        answer.isJSON = hasBody && head.contains("json\r\n") && !head.contains("x-ndjson")
        if head.contains("Transfer-Encoding: chunked\r\n") {
            shutdown(descriptor, Int32(SHUT_WR))
            try readToEnd()
            answer.isJSON = false
        } else if hasBody {
            let size = Self.length(in: head)
            while received.count < size, try receive() {}
            guard received.count >= size else { throw FuzzFailure("a body that is cut short") }
            answer.body = Array(received[..<size])
            received.removeFirst(size)
        }
        if head.contains("Connection: close\r\n") { try readToEnd() }
        return answer
    }

    private mutating func readToEnd() throws(FuzzFailure) {
        while try receive() {}
        close()
    }

    private static func length(in head: String) -> Int {
        guard
            let line = head.split(separator: "\r\n").first(where: {
                $0.hasPrefix("Content-Length: ")
            })
        else { return 0 }
        return Int(line.dropFirst(16)) ?? 0
    }

    /// Where in what was received the bytes end; nil when they are not there.
    private func end(of pattern: [UInt8]) -> Int? {
        guard received.count >= pattern.count else { return nil }
        return (pattern.count...received.count).first {
            received[($0 - pattern.count)..<$0].elementsEqual(pattern)
        }
    }

    /// Takes what is there; false at the end.
    private mutating func receive() throws(FuzzFailure) -> Bool {
        let room = 65_536
        var count = 0
        received.append(
            contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, size in
                // libFuzzer looks at its watch by a signal.
                repeat {
                    count = recv(descriptor, buffer.baseAddress, room, 0)
                } while count < 0 && errno == EINTR
                size = max(0, count)
            })
        if count < 0, errno == EAGAIN { throw FuzzFailure("no answer in 10 s") }
        return count > 0
    }
}
