// The real process and its budget: what it counts is what it has, and it stays within.

import Foundation
import TestSupport
import Testing

@Suite("The memory of the process")
struct MemoryTests {
    /// The sizes of one file of the system, in bytes.
    private static func resident(_ server: TraitdProcess) throws -> Int64 {
        let text = try String(
            contentsOfFile: "/proc/\(server.child.pid)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return Int64(line.filter(\.isNumber)).map { $0 * 1_024 } ?? 0
    }

    /// Waits until the process has counted what was there when this was called.
    private static func counted(_ client: HTTPClient, _ isSeen: (JSON) -> Bool) throws -> JSON {
        let deadline = Deadline(within: .seconds(30))
        while true {
            let answer = try client.get("/v1/memory").expecting(200).json
            if isSeen(answer) { return answer }
            try #require(!deadline.hasPassed)
        }
    }

    @Test(
        "What the parts come to is within a tenth of what the process has, with sessions of all kinds"
    )
    func parts() throws {
        let server = try TraitdProcess(["--max-memory", "1GiB"])
        let client = try HTTPClient(server.url)
        let text: JSON = ["type": "string", "default": ""]
        let nodes: [JSON] = (0..<30_000).map { number in
            .node("node\(number)", in: number == 0 ? nil : "node\(number / 3)")
        }
        for number in 0..<1_000 {
            try client.send("PUT", "/v1/sessions/empty\(number)", json: [:]).expecting(201)
        }
        try client.send("PUT", "/v1/sessions/tree", json: ["nodes": .array(nodes)]).expecting(201)
        let long = try SessionClient.make("long", on: server.url, ["traits": ["t": text]])
        for number in 0..<1_000 {
            let value = JSON.string(String(repeating: "v", count: 15_000) + "\(number)")
            try long.put(
                "nodes/n\(number)", ["kind": "environment", "overrides": ["t": value]])
        }
        let answer = try Self.counted(client) {
            // Parts are counted once a second. The values are set last, and nearly all are counted by now.
            $0["parts"]?["values"]?.int ?? 0 > 16_500_000
                && $0["parts"]?["nodes"]?.int ?? 0 > 6_500_000
        }
        let resident = try Self.resident(server)
        let counted = try #require(answer["countedBytes"]?.int)
        #expect(
            counted > resident / 10 * 9 && counted < resident / 10 * 11,
            "\(counted) of \(resident): \(answer)")
        let shown = try #require(answer["residentBytes"]?.int)
        #expect(abs(shown - resident) < resident / 10)
    }

    @Test("Writing goes on until the budget is used, and deleting gives the memory back")
    func budget() throws {
        let server = try TraitdProcess(["--max-memory", "96MiB"])
        let session = try SessionClient.make(
            "budget", on: server.url, ["traits": ["t": ["type": "string", "default": ""]]])
        let before = try Self.resident(server)
        var refused = 0
        var number = 0
        while refused < 20, number < 20_000 {
            let value = JSON.string(String(repeating: "v", count: 15_000) + "\(number)")
            let answer = try session.send(
                "PUT", "nodes/n\(number)", ["kind": "environment", "overrides": ["t": value]])
            if answer.status != 201 {
                refused += 1
                let problem = try expectProblem(answer, 507, "memory-full")
                #expect(
                    ["--max-memory", "--limit session-memory-percent-max"].contains(
                        problem["option"]))
            }
            number += 1
        }
        #expect(refused == 20)
        #expect(try Self.resident(server) < 130 << 20)
        #expect(try session.get("nodes/n0/traits/t").status == 200)
        #expect(try session.client.send("DELETE", session.target("")).status == 200)
        let deadline = Deadline(within: .seconds(60))
        while try Self.resident(server) > before + (24 << 20) { try #require(!deadline.hasPassed) }
        _ = try SessionClient.make("again", on: server.url)
    }

    @Test(
        "A size that is none, or too small, ends the start with a message",
        arguments: [("10MiB", "32MiB"), ("much", "max-memory"), ("-1", "max-memory")])
    func refused(size: String, says: String) throws {
        let run = try TraitdProcess.run(["--max-memory", size])
        #expect(run.exit == .code(64))
        #expect(run.error.contains(says), "\(run.error)")
    }
}
