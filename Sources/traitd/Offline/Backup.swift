// `traitd backup`: gets all sessions of a running server, writes them to a file and verifies the file.

import ArgumentParser
import TraitSessions

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the sessions of a running server into a file, and verify it.",
        discussion:
            "Each session is at one revision. 'traitd import' reads the file into a data directory."
    )

    @OptionGroup var server: ServerOptions

    @Option(help: ArgumentHelp("The file to write.", valueName: "path"))
    var output: String

    func run() throws {
        let file = try OutputFile(output)
        var status = 0
        var refusal: [UInt8] = []
        try server.send("GET", "/v1/backup") { code, bytes in
            status = code
            if code == 200 { file.write(bytes) } else { refusal += bytes }
        }
        guard status == 200 else {
            throw Offline.failure(
                "the server answered: \(String(decoding: refusal.prefix(2_000), as: UTF8.self))",
                code: ServerOptions.unavailable)
        }
        try file.finish()
        try verify()
    }

    /// Reads the file again, as a backup is of use only if it can be restored.
    private func verify() throws {
        let bytes = try InputFile.read(output)
        do throws(BackupError) {
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(BackupError) in try BackupReader.sessions(of: bytes) }
            }
            for session in try read.get() {
                print("\(session.name)  revision \(session.snapshot.revision)")
            }
        } catch {
            throw Offline.failure("\(output): \(error.description)")
        }
    }
}
