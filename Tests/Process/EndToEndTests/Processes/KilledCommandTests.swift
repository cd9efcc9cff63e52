// `traitd recover` and `traitd import` that are killed: nothing that looks whole is left, and the same command
// works again.

import Foundation
import SeededRandom
import TestSupport
import Testing

@Suite("Killed commands")
struct KilledCommandTests {
    private static let sessions = 4

    /// A data directory with several sessions, and a backup of it.
    private final class Place {
        let folder: String
        var data: String { folder + "/data" }
        var backup: String { folder + "/backup" }
        var to: String { folder + "/new" }

        init() throws {
            folder = NSTemporaryDirectory() + "killed-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
            let server = try TraitdProcess(["--data-dir", data, "--drain-window", "0"])
            let client = try HTTPClient(server.url)
            let nodes: [JSON] = (0..<600).map {
                .node("node-\($0)")
            }
            for number in 0..<KilledCommandTests.sessions {
                try client.send(
                    "PUT", "/v1/sessions/s\(number)", json: ["nodes": .array(nodes)]
                ).expecting(201)
            }
            server.child.signal(SIGTERM)
            _ = try server.child.waitForExit()
            let export = try TraitdProcess.run(["export", "--data-dir", data, "--output", backup])
            #expect(export.exit == .code(0), "\(export)")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// The sessions of a directory; nil when it cannot be used.
        func count(in path: String) throws -> Int? {
            let check = try TraitdProcess.run(["check", "--data-dir", path])
            return check.exit == .code(0) ? check.out.split(separator: "\n").count : nil
        }

        /// What lies beside the data directory and its backup.
        func others() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { !["data", "backup"].contains($0) }
        }

        /// Directories beside the original that a kill has left.
        func leftovers() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasPrefix("new") }.map { "\(folder)/\($0)" }
        }
    }

    /// Runs a command, ends it at random moments by a signal, and looks what there is after each time.
    private func kill(
        _ arguments: [String], by number: Int32 = SIGKILL, times: Int = 8, seed: UInt64,
        _ look: () throws -> Void
    ) throws -> Int {
        var random = SeededRandom(seed: seed)
        let start = ContinuousClock.now
        let whole = try TraitdProcess.run(arguments)
        let time = start.duration(to: .now)
        #expect(whole.exit == .code(0), "\(whole)")
        var kills = 0
        for _ in 0..<times {
            try look()
            let child = try ChildProcess(TraitdProcess.binary, arguments)
            let end = ContinuousClock.now + time * Double.random(in: 0.05..<1, using: &random)
            while ContinuousClock.now < end { sched_yield() }
            child.signal(number)
            if try child.waitForExit() == .signal(number) { kills += 1 }
        }
        try look()
        return kills
    }

    @Test(
        "A command that is interrupted leaves no file and no folder behind",
        arguments: ["export", "import", "recover"], [SIGINT, SIGTERM])
    func interrupted(command: String, number: Int32) throws {
        let place = try Place()
        let arguments =
            switch command {
            case "export": ["--data-dir", place.data, "--output", place.to]
            case "import": ["--data-dir", place.to, place.backup]
            default: ["--data-dir", place.data, "--to", place.to]
            }
        let kills = try kill([command] + arguments, by: number, times: 4, seed: UInt64(number)) {
            let left = try place.others()
            #expect(left.isEmpty || left == ["new"], "\(command) has left \(left)")
            // A command that is interrupted at its very end has done its work.
            if left == ["new"], command != "export" {
                #expect(try place.count(in: place.to) == Self.sessions, "\(command)")
            }
            for name in left {
                try FileManager.default.removeItem(atPath: "\(place.folder)/\(name)")
            }
        }
        #expect(kills > 0)
    }

    @Test(
        "A killed recover has restored all sessions or leaves none, and can be run again",
        arguments: [1])
    func recover(seed: UInt64) throws {
        let place = try Place()
        let kills = try kill(
            ["recover", "--data-dir", place.data, "--to", place.to], seed: seed
        ) {
            for path in try place.leftovers() {
                if path == place.to {
                    #expect(try place.count(in: path) == Self.sessions, "seed \(seed)")
                } else if path.contains(".partial-") {
                    // Whole, it has this name until it gets the other one.
                    let count = try place.count(in: path)
                    #expect([nil, 0, Self.sessions].contains(count), "seed \(seed): \(path) opens")
                }
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(kills > 0)
    }

    @Test(
        "A killed import has added all sessions or none, and can be run again", arguments: [1])
    func imports(seed: UInt64) throws {
        let place = try Place()
        let kills = try kill(["import", "--data-dir", place.to, place.backup], seed: seed) {
            for path in try place.leftovers() {
                let count = try place.count(in: path)
                #expect([nil, 0, Self.sessions].contains(count), "seed \(seed): \(count ?? -1)")
                if count == 0 {
                    let again = try TraitdProcess.run([
                        "import", "--data-dir", path, place.backup,
                    ])
                    #expect(again.exit == .code(0), "\(again)")
                    #expect(try place.count(in: path) == Self.sessions)
                }
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(kills > 0)
    }

    @Test("An import of a session that is there already adds none of the others")
    func taken() throws {
        let place = try Place()
        let server = try TraitdProcess(["--data-dir", place.to, "--drain-window", "0"])
        try HTTPClient(server.url).send("PUT", "/v1/sessions/s3", json: [:]).expecting(201)
        server.child.signal(SIGTERM)
        _ = try server.child.waitForExit()
        let run = try TraitdProcess.run(["import", "--data-dir", place.to, place.backup])
        #expect(run.exit == .code(73), "\(run)")
        #expect(run.error.contains("'s3' already") && run.error.contains("No session was added"))
        #expect(run.out.isEmpty)
        #expect(try place.count(in: place.to) == 1)
    }
}
