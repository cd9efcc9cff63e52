// `traitd backup`: gets all sessions of a running server, writes them to a file and verifies the file.

import ArgumentParser
import SessionViews
import TraitSessions

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the sessions of a running server into a file, and verify it.",
        discussion:
            "Each session is at one revision. 'traitd import' reads the file into a data directory."
    )

    @OptionGroup var server: ServerOptions
    @OptionGroup var progress: ProgressOptions

    @Option(
        help: ArgumentHelp(
            "The file to write; '-' is standard output. An earlier file stays until this one is whole.",
            valueName: "path"), completion: .file())
    var output: String

    func run() throws {
        Unfinished.takeOver()
        let file = try OutputFile(output)
        var status = 0
        var refusal: [UInt8] = []
        // A copy of the bytes, since a pipe cannot be read again.
        var copy: [UInt8] = []
        let line = ProgressLine("getting \(output)", total: nil, progress)
        try server.send("GET", "/v1/backup") { code, bytes in
            status = code
            if code == 200 {
                file.write(bytes)
                line.show(file.byteCount)
                if file.isDirect { copy += bytes }
            } else {
                refusal += bytes
            }
        }
        guard status == 200 else {
            throw Fault(
                "the server answered: \(String(decoding: refusal.prefix(2_000), as: UTF8.self))",
                code: Exit.unavailable)
        }
        try file.finish()
        // Read back: a backup is of use only if it can be restored.
        let sessions = try Offline.sessions(
            of: try file.temporaryPath.map { try InputFile.read($0, progress) } ?? copy, output)
        try file.publish()
        ProgressLine.erase()
        if file.isDirect { return }
        for session in sessions {
            try printLine("\(session.name)  revision \(session.snapshot.revision)")
        }
    }
}
