// `traitd export` and `traitd import`: sessions out of a log and into a data directory, as lines of
// JSON (`TraitSessions/Backup/BackupFormat.swift`).

import ArgumentParser
import Glibc
import SQLiteLog
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

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the sessions of a backup to a data directory.",
        discussion:
            "All sessions are added, or none. Each gets a new uid, so that tokens of the session that was backed up do not fit it."
    )

    @OptionGroup var options: OfflineOptions
    @OptionGroup var progress: ProgressOptions

    @Argument(help: ArgumentHelp("The backup to read.", valueName: "file"))
    var file: String

    func run() throws {
        Unfinished.takeOver()
        let bytes = try InputFile.read(file, progress)
        let sessions: [BackupSession]
        do throws(BackupError) {
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(BackupError) in try BackupReader.sessions(of: bytes) }
            }
            sessions = try read.get()
        } catch {
            throw Offline.failure(
                "\(file): \(error.description)", code: DataStore.exitCode(of: error))
        }
        Unfinished.willFill(options.dataDir, names: SQLiteLog.fileNames)
        let log = try options.open(creates: true)
        let line = ProgressLine("adding sessions", .sessions, total: sessions.count, progress)
        var added = 0
        do {
            let installed = try log.installAll(sessions) { session in
                line.show(added)
                added += 1
                return try session.renewed(limits: Offline.limits, environment: .system)
            }
            Unfinished.finishAll()
            ProgressLine.erase()
            for (session, revision) in installed {
                print("\(session.name)  uid \(session.uid)  revision \(revision)")
            }
        } catch let error as ReplayError {
            throw Offline.failure(
                "\(file): \(error.description)\(Self.nothingAdded)",
                code: DataStore.exitCode(of: error))
        } catch let failure as LogFailure {
            throw Offline.failure(
                failure.reason + Self.nothingAdded,
                code: failure.kind == .outOfMemory ? exitRefusedBySystem : DataStore.cannotUse)
        }
        log.end()
    }
    private static let nothingAdded = ". No session was added"
}
