// The line that long commands show on a terminal, and what happens to a backup whose server stops sending.

import Foundation
import TestSupport
import Testing

@testable import traitd

@Suite("Progress")
struct ProgressTests {
    @Test("The line has done of total, rate and time left, as far as they are known and fit")
    func texts() {
        func line(
            _ unit: ProgressText.Unit, _ total: Int?, _ done: Int, _ seconds: Double,
            _ width: Int = 100
        ) -> String {
            ProgressText(what: "reading m.json", unit: unit, total: total)
                .line(done: done, seconds: seconds, width: width)
        }
        let cases: [(String, String)] = [
            (line(.bytes, nil, 0, 1), "reading m.json  0 B"),
            (line(.bytes, 0, 0, 0), "reading m.json  0 of 0 B"),
            (line(.bytes, nil, 12_340_000, 2), "reading m.json  12.3 MB  6.2 MB/s"),
            (
                line(.bytes, 80_000_000, 20_000_000, 4),
                "reading m.json  20.0 of 80.0 MB  25%  5.0 MB/s  12 s left"
            ),
            (
                line(.bytes, 80_000_000, 20_000_000, 4, 41),
                "reading m.json  20.0 of 80.0 MB  25%"
            ),
            (line(.bytes, 80_000_000, 20_000_000, 4, 10), "reading m…"),
            (line(.bytes, 80_000_000, 20_000_000, 4, 1), "…"),
            (line(.bytes, 999, 999, 1), "reading m.json  999 of 999 B  100%  999 B/s"),
            (line(.bytes, 10, 20, 1), "reading m.json  20 of 10 B  100%  20 B/s"),
            (
                line(.sessions, 4_800, 312, 6),
                "reading m.json  312 of 4800 sessions  6%  52.0/s  2 min left"
            ),
            (
                line(.sessions, 100_000, 1, 1),
                "reading m.json  1 of 100000 sessions  0%  1.0/s  27 h 47 min left"
            ),
            (
                line(.sessions, .max, 1, 1_000),
                "reading m.json  1 of 9223372036854775807 sessions  0%  0.0/s  100 h 0 min left"
            ),
        ]
        for (made, expected) in cases { #expect(made == expected) }
        // What is made says how far the work is; bytes and sessions do not.
        func made(_ unit: ProgressText.Unit, _ total: Int?, _ done: Int) -> String {
            ProgressText(what: "loading m.json", unit: unit, total: total)
                .line(done: done, made: 120_000, seconds: 4, width: 100)
        }
        #expect(
            made(.bytes, 80_000_000, 79_000_000)
                == "loading m.json  120000 nodes and commits  30000.0/s")
        #expect(
            made(.sessions, 3, 1)
                == "loading m.json  1 of 3 sessions  120000 nodes and commits  30000.0/s")
    }

    @Test(
        "Where there is no terminal, the log gets a line from time to time, and none with --quiet")
    func log() throws {
        for (arguments, seconds, count) in [([], 0, 2), ([], 60, 0), (["--quiet"], 0, 0)] {
            var lines: [String] = []
            let line = ProgressLine(
                "reading sessions", .sessions, total: nil, try ProgressOptions.parse(arguments),
                isTerminal: false, logSeconds: Double(seconds)
            ) { lines.append($0) }
            line.show(1, of: 2, made: 10)
            line.show(2, of: 2, made: 20)
            #expect(lines.count == count, "\(lines)")
            #expect(
                lines.allSatisfy {
                    $0.contains("of 2 sessions") && $0.contains("nodes and commits")
                })
        }
    }

    @Test(
        "A terminal shows progress, which goes away at the end; a pipe and --quiet show none",
        arguments: ["import", "render"], [(true, false), (true, true), (false, false)])
    func terminal(command: String, mode: (isTerminal: Bool, isQuiet: Bool)) throws {
        let (isTerminal, isQuiet) = mode
        let folder = NSTemporaryDirectory() + "progress-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fifo = folder + "/input"
        #expect(mkfifo(fifo, 0o600) == 0)
        let words =
            [TraitdProcess.binary, command, fifo]
            + (command == "import" ? ["--data-dir", folder + "/new"] : [])
            + (isQuiet ? ["--quiet"] : [])
        let child =
            isTerminal
            ? try ChildProcess(
                "/usr/bin/script", ["-qec", words.joined(separator: " "), "/dev/null"])
            : try ChildProcess(words[0], Array(words.dropFirst()))
        let writer = open(fifo, O_WRONLY | O_CLOEXEC)
        var shown: String { child.standardOutput + child.standardError }
        let expects = isTerminal && !isQuiet
        // Twice the time within which a line is due, where none is expected.
        let deadline = Deadline(within: expects ? .seconds(20) : .milliseconds(300))
        while !deadline.hasPassed, !shown.contains("\rreading ") {
            #expect(write(writer, "x", 1) == 1)
            sched_yield()
        }
        close(writer)
        _ = try child.waitForExit()
        #expect(shown.contains("\rreading ") == expects, "\(shown.debugDescription)")
        if expects {
            // Blanks take the place of the line before the command says what is wrong.
            #expect(shown.contains(" \rtraitd: "), "\(shown.debugDescription)")
        } else {
            #expect(!shown.contains("\r "), "\(shown.debugDescription)")
        }
    }

    @Test("A recovery shows how much of a large directory is copied")
    func copying() throws {
        let folder = NSTemporaryDirectory() + "copying-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A sparse file, which no reading takes for a database. A copy of it takes more than a tenth of a second.
        let file = open(folder + "/traitd.db", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(ftruncate(file, 3 << 27) == 0)
        close(file)
        let words = [
            TraitdProcess.binary, "recover", "--data-dir", folder, "--to", folder + "-new",
        ]
        let child = try ChildProcess(
            "/usr/bin/script", ["-qec", words.joined(separator: " "), "/dev/null"])
        _ = try child.waitForExit()
        let shown = child.standardOutput + child.standardError
        #expect(shown.contains("\rcopying "), "\(shown.prefix(400).debugDescription)")
    }

    @Test(
        "A backup that is interrupted while the server sends leaves no file",
        arguments: [SIGINT, SIGHUP])
    func backup(number: Int32) throws {
        let folder = NSTemporaryDirectory() + "backup-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A socket that accepts connections and never answers.
        let path = folder + "/socket"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && listen(listener, 1) == 0)
        let child = try ChildProcess(
            TraitdProcess.binary, ["backup", "--unix", path, "--output", folder + "/out"])
        let deadline = Deadline(within: .seconds(20))
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "socket" }
        }
        while try files().isEmpty, !deadline.hasPassed { sched_yield() }
        #expect(try files().allSatisfy { $0.hasPrefix("out.partial-") })
        child.signal(number)
        #expect(try child.waitForExit() == .signal(number))
        #expect(try files().isEmpty)
    }
}
