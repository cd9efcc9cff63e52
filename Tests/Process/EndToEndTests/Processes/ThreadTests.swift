// A process that may have few threads says so and ends, and does not wait for them for ever.

import Foundation
import TestSupport
import Testing

@Suite("Limits of threads")
struct ThreadTests {
    /// A stack takes 8 MiB of addresses, so a limit of addresses refuses threads as one of threads does, and for
    /// root too.
    @Test(
        "Without room for its threads the process ends with a message", arguments: [8_192, 65_536])
    func stacks(kibibytes: Int) throws {
        let run = try TraitdProcess.run(
            ["serve", "--port", "0"], ulimit: "-s \(kibibytes * 4) && ulimit -v 450000")
        #expect(run.exit == .code(71), "\(run)")
        #expect(run.error.contains("threads and needs"), "\(run.error)")
        #expect(run.error.contains("ulimit -u"), "\(run.error)")
    }

    @Test("A user who may have few processes gets the message too")
    func processes() throws {
        // Root has no such limit.
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
            FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit")
        else { return }
        let folder = NSTemporaryDirectory() + "threads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: TraitdProcess.binary, toPath: "\(folder)/traitd")
        for limit in [1, 5, 12] {
            let child = try ChildProcess(
                "/usr/bin/setpriv",
                [
                    "--reuid", "54321", "--regid", "54321", "--clear-groups", "/usr/bin/prlimit",
                    "--nproc=\(limit)", "\(folder)/traitd", "--port", "0",
                ])
            defer { child.signal(SIGKILL) }
            #expect(try child.waitForExit() == .code(71), "\(limit): \(child.standardError)")
            #expect(child.standardError.contains("threads and needs"), "\(child.standardError)")
        }
    }
}
