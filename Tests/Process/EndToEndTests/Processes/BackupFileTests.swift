// The files that `traitd backup` and `export` write: a file that is there stays until the new one is whole.

import Foundation
import TestSupport
import Testing

@Suite("Files of backups")
struct BackupFileTests {
    /// A folder with a file `b`, which holds `x`.
    private final class Place {
        let folder: URL
        var path: String { folder.appendingPathComponent("b").path }

        init() throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("traitd-backup-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try "x\n".write(toFile: path, atomically: false, encoding: .utf8)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

        var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        }
    }

    /// A port that no server listens on, as long as `body` runs.
    private static func withClosedPort<R>(_ body: (UInt16) throws -> R) throws -> R {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        #expect(result == 0)
        return try body(UInt16(bigEndian: address.sin_port))
    }

    @Test("A backup of a server that does not answer leaves the file that was there")
    func unavailable() throws {
        let place = try Place()
        let run = try Self.withClosedPort { port in
            try TraitdProcess.run(["backup", "--port", "\(port)", "--output", place.path])
        }
        #expect(run.exit == .code(69), "\(run)")
        #expect(try place.text == "x\n")
        #expect(try place.names == ["b"])
    }

    @Test("A backup of a version with other rules is refused with what to do; nothing is added")
    func otherRules() throws {
        let place = try Place()
        let server = try TraitdProcess([])
        let client = try HTTPClient(server.url)
        let nodes: JSON = ["nodes": [.node("n")]]
        try client.send("PUT", "/v1/sessions/one", json: nodes).expecting(201)
        let backup = try client.send("GET", "/v1/backup").success().text
        let older = backup.replacingOccurrences(of: #""semantics":3"#, with: #""semantics":2"#)
        #expect(older != backup)
        try older.write(toFile: place.path, atomically: false, encoding: .utf8)
        let data = place.folder.appendingPathComponent("data").path
        let run = try TraitdProcess.run(["import", "--data-dir", data, place.path])
        #expect(run.exit == .code(65), "\(run)")
        #expect(run.error.contains("line 2: The semantics are 2, of an earlier version"), "\(run)")
        #expect(run.error.contains("PUT /v1/sessions/{session}/import"), "\(run)")
        #expect(try place.names == ["b"])
    }

    @Test("A backup that does not fit on the disk leaves the file that was there")
    func noRoom() throws {
        let place = try Place()
        _ = try sampleSession("backup", cells: 40)
        // A process may not write more than 512 bytes to a file; a write beyond fails.
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", script, TraitdProcess.binary, "backup", "--port",
                "\(try sharedServer().port)", "--output", place.path,
            ])
        #expect(try child.waitForExit(within: .seconds(60)) == .code(74))
        #expect(child.standardError.contains("cannot write \(place.path)"))
        #expect(try place.text == "x\n")
        #expect(try place.names == ["b"])
    }

    @Test("A backup that is whole replaces the file that was there, and keeps its permissions")
    func replaced() throws {
        let place = try Place()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: place.path)
        let link = place.folder.appendingPathComponent("link").path
        try files.createSymbolicLink(atPath: link, withDestinationPath: "b")
        let session = try sampleSession("backup")
        let port = "\(try sharedServer().port)"
        for path in [place.path, link, place.folder.appendingPathComponent("new").path] {
            let run = try TraitdProcess.run(["backup", "--port", port, "--output", path])
            #expect(run.exit == .code(0), "\(run)")
            #expect(run.out.contains("\(session.name)  revision "))
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix("{\"backup\":") && text.contains(session.name))
        }
        #expect(try place.text.hasPrefix("{\"backup\":"))
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "b")
        let mode = try files.attributesOfItem(atPath: place.path)[.posixPermissions]
        #expect(mode as? NSNumber == 0o640)
        #expect(try place.names == ["b", "link", "new"])
    }

    @Test(
        "A backup goes to standard output and to pipes as it comes",
        arguments: ["-", "/dev/stdout"])
    func standardOutput(path: String) throws {
        let session = try sampleSession("backup")
        let run = try TraitdProcess.run([
            "backup", "--port", "\(try sharedServer().port)", "--output", path,
        ])
        #expect(run.exit == .code(0), "\(run.error)")
        let lines = run.out.split(separator: "\n")
        #expect(lines.first?.hasPrefix("{\"backup\":") == true)
        #expect(lines.last?.contains("\"end\"") == true)
        #expect(run.out.contains(session.name))
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test("An export that fails leaves the file that was there, and one that is whole replaces it")
    func exported() throws {
        let place = try Place()
        let data = place.folder.appendingPathComponent("data").path
        let server = try TraitdProcess(["--data-dir", data])
        _ = try SessionClient.sample("exported", cells: 40, on: server.url)
        server.child.stop()
        _ = try server.child.waitForExit(within: .seconds(20))
        let command = ["export", "--data-dir", data, "--output"]
        let missing = try TraitdProcess.run(command + [place.path, "--session", "nothing"])
        #expect(missing.exit == .code(65))
        #expect(try place.text == "x\n")
        let full = try TraitdProcess.run(command + ["/dev/full"])
        #expect(full.exit == .code(74), "\(full)")
        let written = try TraitdProcess.run(command + [place.path])
        #expect(written.exit == .code(0), "\(written)")
        #expect(try place.text.hasPrefix("{\"backup\":"))
        #expect(try place.names == ["b", "data"])
    }
}
