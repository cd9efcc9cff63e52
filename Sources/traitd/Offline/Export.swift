// `traitd export`: sessions out of a log, as lines of JSON (`SessionViews/Backup/BackupFormat.swift`).

import ArgumentParser
import Glibc
import SessionLog
import SessionViews
import TraitSessions

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the sessions of a log as a backup.")

    @OptionGroup var options: ReadableLogOptions
    @OptionGroup var progress: ProgressOptions

    @Option(help: "The sessions to write; all without this option. May be repeated.")
    var session: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file to write; an earlier file stays until this one is whole. (default: standard output)",
            valueName: "path"), completion: .file())
    var output: String?

    func run() throws {
        Unfinished.takeOver()
        let log = try options.open()
        var loaded: [Session] = []
        let present = try options.sessions(of: log)
        if let missing = session.first(where: { name in !present.contains { $0.name == name } }) {
            throw Fault("there is no session '\(missing)'")
        }
        let wanted = present.filter { session.isEmpty || session.contains($0.name) }
        let file = try OutputFile(output)
        let reading = ProgressLine(
            "reading \(options.place)", .sessions, total: wanted.count, progress)
        for found in wanted {
            reading.show(loaded.count)
            loaded.append(try Offline.load(found, from: log, reading))
        }
        let writer = BackupWriter(loaded, createdAt: SessionEnvironment.system.now())
        let writing = ProgressLine("writing \(output ?? "standard output")", total: nil, progress)
        while try writer.write(file.write) { writing.show(file.byteCount) }
        try file.finish()
        try file.publish()
    }
}
