// `--load`: sessions from files at the start, or no start at all.

import Foundation
import TestSupport
import Testing

@Suite("Loading files")
struct LoadTests {
    private static let good = """
        {
          "name": "loaded",
          "traits": {"theme": \(SampleHierarchy.theme.text)},
          "nodes": [
            {"id": "scene", "kind": "windowScene", "parent": null, "overrides": {"theme": "bold"}},
            {"id": "window", "kind": "window", "parent": "scene", "supplied": {"displayScale": 3}}
          ]
        }
        """

    @Test("A file's session is there when the server says that it serves")
    func loaded() throws {
        try withTemporaryFile(Self.good) { path in
            let server = try TraitdProcess(["--load", path])
            defer { server.child.stop() }
            let session = try SessionClient("loaded", on: server.url)
            #expect(try session.value(of: "theme", at: "window") == "bold")
            #expect(try session.value(of: "displayScale", at: "window") == 3)
            #expect(try session.revision() == 1)
        }
    }

    @Test("The examples load")
    func examples() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("deploy/examples")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        #expect(files.count == 2)
        let arguments = files.flatMap { ["--load", folder.appendingPathComponent($0).path] }
        let server = try TraitdProcess(arguments)
        defer { server.child.stop() }
        let sessions = try HTTPClient(server.url).get("/v1/sessions").json["sessions"]?.array
        #expect(sessions?.map { $0["name"] } == ["acme-configuration", "ipad-mail"])
    }

    @Test(
        "A file that cannot be loaded keeps the server from starting, and says where and why",
        arguments: [
            ("{\"name\": \"x\",\n \"nodes\": [", ["line 2"]),
            (#"{"name": "x", "nods": []}"#, ["nods", "nodes"]),
            (
                #"{"name": "x", "nodes": [{"id": "a", "kind": "view", "parent": "b"}]}"#,
                ["/nodes/0/parent"]
            ),
            (#"{"nodes": []}"#, ["name"]), ("", []),
        ])
    func refused(text: String, mentions: [String]) throws {
        try withTemporaryFile(text) { path in
            let run = try TraitdProcess.run(["--port", "0", "--load", path])
            guard case .code(let code) = run.exit else {
                Issue.record("ended with \(run.exit)")
                return
            }
            #expect(code != 0)
            for phrase in mentions + [path] {
                #expect(run.error.contains(phrase), "'\(phrase)': \(run.error)")
            }
            #expect(!run.out.contains("serving on"))
        }
    }

    @Test("A missing file and a name that two files share are refused")
    func missing() throws {
        let run = try TraitdProcess.run(["--port", "0", "--load", "/no/such/file.json"])
        #expect(run.exit != .code(0))
        #expect(run.error.contains("/no/such/file.json"))
        try withTemporaryFile(Self.good) { path in
            let twice = try TraitdProcess.run(["--port", "0", "--load", path, "--load", path])
            #expect(twice.exit != .code(0))
            #expect(twice.error.contains("loaded"), "\(twice.error)")
        }
    }

    /// A path that is gone after `body`.
    private func withPath<Result>(
        in folder: String, _ body: (String) throws -> Result
    ) throws -> Result {
        let path = "\(folder)/traitd-\(UUID().uuidString).json"
        defer { unlink(path) }
        return try body(path)
    }

    @Test("A folder and a missing file are refused with the reason and exit code 66")
    func noFiles() throws {
        let folder = try TraitdProcess.run(["--port", "0", "--load", "/tmp"])
        #expect(folder.exit == .code(66))
        #expect(folder.error.contains("/tmp: it is a folder"), "\(folder.error)")
        let missing = try TraitdProcess.run(["--port", "0", "--load", "/no/such/file.json"])
        #expect(missing.exit == .code(66))
        #expect(missing.error.contains("/no/such/file.json: No such file"), "\(missing.error)")
    }

    @Test("A sparse file of 8 EiB, and one byte more than can be read, are refused with their size")
    func hugeFiles() throws {
        // Memory file systems hold files of every length; others end at some tebibytes.
        try withPath(in: "/dev/shm") { path in
            let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            for size in [Int.max, Int(536_870_912)] {
                guard ftruncate(descriptor, size) == 0 else {
                    Issue.record("no file of \(size) bytes can be made: errno \(errno)")
                    continue
                }
                let run = try TraitdProcess.run(["--port", "0", "--load", path])
                #expect(run.exit == .code(65), "\(size): \(run.error)")
                #expect(run.error.contains("it has \(size) bytes; at most "), "\(run.error)")
            }
        }
    }
}
