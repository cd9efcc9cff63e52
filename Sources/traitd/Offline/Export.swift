// `traitd export`: sessions out of a log, as lines of JSON (`TraitSessions/Backup/BackupFormat.swift`).

import ArgumentParser
import Glibc
import SessionLog
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
            valueName: "path"))
    var output: String?

    func run() throws {
        Unfinished.takeOver()
        let log = try options.open()
        var loaded: [Session] = []
        let present: [LogSession]
        do throws(LogFailure) {
            present = try log.sessions()
        } catch {
            throw Offline.failure(error.reason, code: DataStore.exitCode(of: error))
        }
        if let missing = session.first(where: { name in !present.contains { $0.name == name } }) {
            throw Offline.failure("there is no session '\(missing)'")
        }
        let wanted = present.filter { session.isEmpty || session.contains($0.name) }
        let file = try OutputFile(output)
        let reading = ProgressLine(
            "reading \(options.place)", .sessions, total: wanted.count, progress)
        for found in wanted {
            reading.show(loaded.count)
            do throws(ReplayError) {
                loaded.append(try Offline.load(found, from: log))
            } catch {
                throw Offline.failure(error.description, code: DataStore.exitCode(of: error))
            }
        }
        let writer = BackupWriter(loaded, createdAt: SessionEnvironment.system.now())
        let writing = ProgressLine("writing \(output ?? "standard output")", total: nil, progress)
        do throws(SessionError) {
            while try writer.write(file.write) { writing.show(file.byteCount) }
        } catch {
            throw Offline.failure(error.detail, code: DataStore.exitCode(of: error))
        }
        try file.finish()
        try file.publish()
    }
}
