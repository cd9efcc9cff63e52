// Small limits of addresses: the process stores as much as fits, refuses the rest, and starts again.

import Foundation
import SeededRandom
import TestSupport
import Testing

@Suite("Limits of the address space")
struct AddressSpaceTests {
    private static func tree(_ count: Int) -> JSON {
        let nodes: [JSON] = (0..<count).map {
            .node("node-\($0)")
        }
        return ["nodes": .array(nodes)]
    }

    /// A session whose memory is its texts: 15,000 bytes each.
    private static func texts(_ count: Int) -> JSON {
        let text = String(repeating: "x", count: 15_000)
        let traits = (0..<count).map {
            ("t\($0)", ["type": "string", "default": .string(text)] as JSON)
        }
        return ["traits": .object(Dictionary(uniqueKeysWithValues: traits))]
    }

    /// Creates sessions until one is refused, or there are so many.
    ///
    /// - Returns: the refusal.
    private static func fill(
        _ client: HTTPClient, _ count: Int, _ document: JSON, name: String = "s"
    ) throws -> HTTPResponse? {
        for number in 0..<count {
            let answer = try client.send("PUT", "/v1/sessions/\(name)\(number)", json: document)
            if answer.status != 201 { return answer }
        }
        return nil
    }

    /// A data directory with sessions of texts, which a server without limits has stored; and a folder for what
    /// commands write.
    private func withStored(
        _ count: Int, texts: Int, _ body: (_ data: String, _ folder: String) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let data = "\(folder)/data"
            let server = try TraitdProcess(["--data-dir", data, "--drain-window", "0"])
            #expect(try Self.fill(HTTPClient(server.url), count, Self.texts(texts)) == nil)
            server.child.signal(SIGTERM)
            #expect(try server.child.waitForExit() == .code(0))
            try body(data, folder)
        }
    }

    /// 917,504 KiB. Arenas that reserved as much as they may without a limit would have no room for the second
    /// session.
    @Test("Sessions of 8,000 nodes fit into 896 MiB, a restart and an export have room too")
    func manyNodes() throws {
        try withTemporaryFolder { folder in
            let limit = "-v 917504"
            let options = ["--data-dir", "\(folder)/data", "--drain-window", "0"]
            let server = try TraitdProcess(options, ulimit: limit)
            let refused = try Self.fill(HTTPClient(server.url), 4, Self.tree(8_000))
            #expect(refused == nil, "\(String(describing: refused))")
            server.child.signal(SIGTERM)
            #expect(try server.child.waitForExit() == .code(0))
            let again = try TraitdProcess(options, ulimit: limit)
            let client = try HTTPClient(again.url)
            let list = try client.get("/v1/sessions").expecting(200).json
            #expect(list["sessions"]?.array?.count == 4)
            again.child.signal(SIGTERM)
            #expect(try again.child.waitForExit() == .code(0))
            let export = try TraitdProcess.run(
                ["export", "--data-dir", "\(folder)/data", "--output", "\(folder)/backup"],
                ulimit: limit)
            #expect(export.exit == .code(0), "\(export.error)")
        }
    }

    @Test(
        "A write without room gets 507 with the limit's name, leaves nothing, and a delete makes room"
    )
    func refused() throws {
        let server = try TraitdProcess(["--drain-window", "0"], ulimit: "-d 196608")
        let client = try HTTPClient(server.url)
        // Where there is no room to read a body of 3 MB, its refusal is another one than that of a short body.
        let long = try #require(try Self.fill(client, 100, Self.texts(200)))
        #expect([503, 507].contains(long.status), "\(long)")
        let stored = try client.get("/v1/sessions").expecting(200).json["sessions"]?.array ?? []
        #expect(stored.count > 2)
        try client.get("/v1/sessions/s\(stored.count)").expecting(404)
        let refusal = try #require(try Self.fill(client, 100, Self.texts(8), name: "short"))
        let problem = try expectProblem(refusal, 507, "memory-full")
        let limit = problem["limit"]?.string ?? ""
        #expect(["memoryBytesMax", "dataBytesMax"].contains { limit.hasPrefix($0) }, "\(problem)")
        #expect(problem["current"]?.int ?? 0 > 0)
        let short = try client.get("/v1/sessions").expecting(200).json["sessions"]?.array ?? []
        try client.get("/v1/sessions/short\(short.count - stored.count)").expecting(404)
        try client.get("/v1/sessions/s0/traits/t7").expecting(200)
        for number in 0..<stored.count {
            try client.send("DELETE", "/v1/sessions/s\(number)").expecting(200)
        }
        let deadline = Deadline(within: .seconds(30))
        while try client.send("PUT", "/v1/sessions/again", json: Self.texts(100)).status != 201 {
            try #require(!deadline.hasPassed)
        }
    }

    @Test("What does not fit at the start ends it with a message, and no command calls it damaged")
    func start() throws {
        try withStored(16, texts: 200) { data, folder in
            // A server has stacks of threads, too.
            for (command, kibibytes) in [
                (["serve", "--port", "0", "--data-dir", data], 196_608),
                (["check", "--data-dir", data], 65_536),
                (["export", "--data-dir", data, "--output", "\(folder)/backup"], 65_536),
                (["recover", "--data-dir", data, "--to", "\(folder)/new"], 65_536),
            ] {
                let run = try TraitdProcess.run(command, ulimit: "-d \(kibibytes)")
                // Commands that have one session at a time may find room.
                if run.exit == .code(0), command[0] == "check" || command[0] == "recover" {
                    continue
                }
                #expect(run.exit == .code(71), "\(command): \(run)")
                #expect(
                    run.error.contains("ulimit -v and -d") || run.error.contains("ulimit -d"),
                    "\(command): \(run.error)")
                #expect(!(run.out + run.error).uppercased().contains("DAMAGED"), "\(run)")
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/new"), "\(run)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/backup"))
            let again = try TraitdProcess(["--data-dir", data])
            let list = try HTTPClient(again.url).get("/v1/sessions").expecting(200).json
            #expect(list["sessions"]?.array?.count == 16)
        }
    }

    @Test("No limit has a command end without a message on a directory with one entry of 9 MB")
    func longEntry() throws {
        try withStored(1, texts: 600) { data, folder in
            for kibibytes in [24_576, 32_768, 40_960, 65_536] {
                for command in [
                    ["check"], ["export", "--output", "\(folder)/backup"],
                    ["recover", "--to", "\(folder)/new"],
                ] {
                    let run = try TraitdProcess.run(
                        command + ["--data-dir", data], ulimit: "-d \(kibibytes)")
                    #expect(run.exit == .code(71), "\(kibibytes): \(run)")
                    #expect(!(run.out + run.error).uppercased().contains("DAMAGED"), "\(run)")
                    #expect(!run.out.contains("lost"), "\(run)")
                }
            }
        }
    }

    /// How a body of 12 MB is sent.
    enum Coding: CaseIterable, Sendable {
        case length, chunked, gzip

        func request() throws -> [UInt8] {
            let spaces = [UInt8](repeating: 0x20, count: 12_000_000)
            let (field, body): (String, [UInt8])
            switch self {
            case .length: (field, body) = ("Content-Length: \(spaces.count)", spaces)
            case .chunked:
                let size = String(spaces.count, radix: 16)
                (field, body) = (
                    "Transfer-Encoding: chunked",
                    Array("\(size)\r\n".utf8) + spaces + Array("\r\n0\r\n\r\n".utf8)
                )
            case .gzip:
                // The noise is not packed, so the body expands to 60 times its size, which the server takes.
                var random = SeededRandom(seed: 7)
                let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
                let packed = try Gzip.compress(noise + spaces)
                (field, body) = (
                    "Content-Encoding: gzip\r\nContent-Length: \(packed.count)", packed
                )
            }
            let head =
                "PUT /v1/sessions/long HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            return Array((head + field + "\r\n\r\n").utf8) + body
        }
    }

    @Test(
        "A body that the system has no memory for is refused, and the server goes on",
        arguments: Coding.allCases)
    func lowered(coding: Coding) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit") else { return }
        let server = try TraitdProcess(["--drain-window", "0"])
        let client = try HTTPClient(server.url)
        try client.get("/livez").expecting(200)
        let figures = try String(
            contentsOfFile: "/proc/\(server.child.pid)/statm", encoding: .utf8)
        let pages = try #require(
            figures.split(separator: " ").dropFirst(5).first.flatMap { Int($0) })
        // Too little for the body. The requests that follow, and the end, may need the stack of a thread.
        try limitData(of: server, to: "\(pages * 4_096 + 11_000_000)")
        let connection = try RawConnection(port: server.port)
        // The server may close the connection before it has read all.
        _ = try? connection.send(try coding.request())
        let answer = try? connection.readToEnd()
        let status = answer.flatMap { statusCodes(in: $0).first }
        #expect(
            status == nil || status == 503 || status == 507,
            "\(String(decoding: answer ?? [], as: UTF8.self))")
        try limitData(of: server, to: "unlimited")
        try client.get("/livez").expecting(200)
        try client.send("PUT", "/v1/sessions/short", json: Self.tree(3)).expecting(201)
        server.child.signal(SIGTERM)
        #expect(try server.child.waitForExit() == .code(0), "\(server.child.standardError)")
    }

    private func limitData(of server: TraitdProcess, to bytes: String) throws {
        let limiting = try ChildProcess(
            "/usr/bin/prlimit", ["--pid", "\(server.child.pid)", "--data=\(bytes):unlimited"])
        try #require(try limiting.waitForExit() == .code(0))
    }
}
