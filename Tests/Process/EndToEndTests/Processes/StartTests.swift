// Requests and signals during the start, before all sessions are there, and at its end. Where a start must not end by
// itself, the server reads a pipe to which nothing was written.

import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Start")
struct StartTests {
    /// Starts a server that reads a pipe after its data directory.
    private func withStart(
        _ options: [String] = [],
        _ body: (_ server: TraitdProcess, _ pipe: String) throws -> Void
    ) throws {
        let folder = NSTemporaryDirectory() + "start-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let server = try TraitdProcess(
            ["--data-dir", "\(folder)/data", "--load", pipe, "--drain-window", "0"] + options)
        try body(server, pipe)
    }

    /// Sends a request for sessions, which waits for the end of the start.
    private func waiting(_ server: TraitdProcess) throws -> RawConnection {
        let connection = try RawConnection(port: server.port)
        try connection.send("GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection
    }

    @Test(
        "SIGTERM and SIGINT end a start, and requests that waited are told",
        arguments: [SIGTERM, SIGINT])
    func ended(number: Int32) throws {
        try withStart { server, _ in
            let client = try HTTPClient(server.url)
            let ready = try client.get("/readyz").expecting(503)
            #expect(try ready.json["code"]?.string == "starting")
            let connection = try waiting(server)
            try client.get("/livez").expecting(200)
            server.child.signal(number)
            #expect(try server.child.waitForExit() == .code(0))
            let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            #expect(answer.contains(#""code":"draining""#), "\(answer)")
            #expect(server.child.standardError.contains("ended while starting"))
        }
    }

    @Test("A server that answers drains on SIGTERM, also while it still prints its address")
    func answering() throws {
        let folder = "/tmp/traitd-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = "\(folder)/output"
        #expect(mkfifo(output, 0o600) == 0)
        let place = ListenAddress.unix(path: "\(folder)/socket")
        let pipe = open(output, O_RDWR | O_NONBLOCK)
        defer { close(pipe) }
        // Until the pipe is full: the line with the address has no room.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while write(pipe, bytes, bytes.count) > 0 {}
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"exec >"$0"; exec "$@""#, output,
                TraitdProcess.binary, "--unix", "\(folder)/socket", "--drain-delay", "3600",
            ])
        defer { child.stop() }
        let deadline = Deadline(within: .seconds(20))
        var first: RawConnection?
        while first == nil, !deadline.hasPassed { first = try? RawConnection(place) }
        func get(_ path: String, _ connection: RawConnection) throws -> String {
            try connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return String(decoding: try connection.readToEnd(), as: UTF8.self)
        }
        #expect(try get("/v1/sessions", #require(first)).hasPrefix("HTTP/1.1 200 "))
        child.signal(SIGTERM)
        var isReady = true
        while isReady, !deadline.hasPassed {
            isReady = try get("/readyz", RawConnection(place)).hasPrefix("HTTP/1.1 200 ")
        }
        while read(pipe, &bytes, bytes.count) > 0 {}
        child.signal(SIGTERM)
        #expect(try child.waitForExit() == .code(0))
        let error = child.standardError
        #expect(error.contains("not ready") && !error.contains("while starting"), "\(error)")
    }

    @Test("Without standard input, output and error, no socket gets what is printed and logged")
    func closedDescriptors() throws {
        let path = "/tmp/traitd-\(UUID().uuidString.prefix(8)).socket"
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$0" --unix "$1" <&- >&- 2>&-"#, TraitdProcess.binary, path])
        defer { child.stop() }
        let deadline = Deadline(within: .seconds(20))
        var connection: RawConnection?
        while connection == nil, !deadline.hasPassed {
            connection = try? RawConnection(.unix(path: path))
        }
        _ = try #require(connection)
        for number in 0...2 {
            let file = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(child.pid)/fd/\(number)")
            #expect(file == "/dev/null", "\(number)")
        }
        child.signal(SIGTERM)
        #expect(try child.waitForExit() == .code(0))
    }

    @Test("SIGTERM ends a server that waits for a document before it listens")
    func endedEarly() throws {
        let folder = NSTemporaryDirectory() + "start-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
        let child = try ChildProcess(
            TraitdProcess.binary, ["--port", "0", "--load", "\(folder)/pipe"])
        defer { child.signal(SIGKILL) }
        // It opens for writing once the server reads.
        let descriptor = open("\(folder)/pipe", O_WRONLY)
        defer { close(descriptor) }
        child.signal(SIGTERM)
        #expect(try child.waitForExit() == .code(0))
    }

    @Test(
        "A pipe as a file of tokens or settings ends the start with a message, and is not waited for"
    )
    func pipes() throws {
        let folder = NSTemporaryDirectory() + "start-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for arguments in [
            ["serve", "--port", "0", "--tokens"], ["serve", "--port", "0", "--config"],
            ["healthcheck", "--config"],
        ] {
            let run = try TraitdProcess.run(arguments + [pipe])
            #expect(run.exit == .code(78), "\(run)")
            #expect(run.error.contains("regular file"), "\(run)")
        }
        for arguments in [["list"], ["new", "--name", "a", "--allow", "read"]] {
            let run = try TraitdProcess.run(["token"] + arguments + ["--tokens", pipe])
            #expect(run.exit != .code(0) && run.error.contains("regular file"), "\(run)")
        }
    }

    @Test("A start takes imports that fit into memory, and refuses longer ones until it is over")
    func imports() throws {
        try withStart(["--limit", "body-bytes-max=65536"]) { server, pipe in
            let client = try HTTPClient(server.url)
            let head = """
                {"format":1,"name":"long","propagation":"unified","updates":"immediate","traits":{},\
                "environmentKeys":{},"colors":{},"images":{},"nodes":[
                """
            let nodes = (0..<2_000).map { #"{"id":"node-\#($0)","kind":"environment"}"# }
            let long = HTTPRequest(
                "PUT", "/v1/sessions/long/import",
                text: head + nodes.joined(separator: ",") + "]}")
            let refused = try client.send(long).expecting(503)
            #expect(try refused.json["code"]?.string == "starting")
            #expect(refused[header: "Retry-After"] == "1")
            let connection = try RawConnection(port: server.port)
            let body = #"{"format":1,"name":"short","nodes":[]}"#
            try connection.send(
                "PUT /v1/sessions/short/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            )
            try connection.send(body)
            try #"{"format":1,"name":"piped","nodes":[]}"#.write(
                toFile: pipe, atomically: false, encoding: .utf8)
            let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer)")
            try client.send(long).expecting(201)
            try client.get("/v1/sessions/piped").expecting(200)
        }
    }

    @Test("SIGHUP during the start rereads files when it is over")
    func hangUp() throws {
        try withStart { server, pipe in
            server.child.signal(SIGHUP)
            let client = try HTTPClient(server.url)
            try client.get("/livez").expecting(200)
            #expect(!server.child.standardError.contains("reread"))
            try #"{"format":1,"name":"piped","nodes":[]}"#.write(
                toFile: pipe, atomically: false, encoding: .utf8)
            let deadline = Deadline(within: .seconds(20))
            while let line = try server.child.nextLine(before: deadline) {
                if line.text.contains("reread") { return }
            }
            Issue.record("the files were not reread")
        }
    }
}
