// `traitd import`: adds the sessions of a backup (`SessionViews/Backup/BackupFormat.swift`) to a log.

import ArgumentParser
import EtcdLog
import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Add the sessions of a backup to a data directory, or to a log that servers share.",
        discussion: """
            All sessions are added, or none. Each gets a new uid, so that tokens of the session that was backed up do \
            not fit it. Servers may go on with a log that they share: the sessions appear on them at once.

            Exit status: 0 when all sessions are added; 65 when the backup is damaged; 71 when memory is too small \
            for it; 73 when a name is taken or the log cannot be used; 74 when all sessions are added and the output \
            cannot be written.
            """)

    @OptionGroup var options: ReadableLogOptions
    @OptionGroup var progress: ProgressOptions

    @Option(help: "The sessions to add; all without this option. May be repeated.")
    var session: [String] = []

    @Argument(help: ArgumentHelp("The backup to read.", valueName: "file"), completion: .file())
    var file: String

    func run() throws {
        Unfinished.takeOver()
        let sessions = try wanted()
        let line = ProgressLine("adding sessions", .sessions, total: sessions.count, progress)
        var added = 0
        do {
            let installed = try install(sessions) { session in
                line.show(added)
                added += 1
                return try session.renewed(
                    limits: Offline.limits, environment: Offline.environment(line))
            }
            Unfinished.finishAll()
            ProgressLine.erase()
            for (session, revision) in installed {
                try printLine("\(session.name)  uid \(session.uid)  revision \(revision)")
            }
        } catch let error as ReplayError {
            throw Fault(
                "\(file): \(error.description)\(Self.nothingAdded)", code: Exit.code(of: error))
        } catch let failure as LogFailure {
            throw Fault(failure.reason + Self.nothingAdded, code: Exit.code(of: failure))
        }
    }

    private static let nothingAdded = ". No session was added"

    /// The sessions of the backup that are to be added.
    private func wanted() throws -> [BackupSession] {
        let sessions = try Offline.sessions(of: try InputFile.read(file, progress), file)
        if let missing = session.first(where: { name in !sessions.contains { $0.name == name } }) {
            throw Fault("\(file): there is no session '\(missing)'")
        }
        return sessions.filter { session.isEmpty || session.contains($0.name) }
    }

    private func install(
        _ sessions: [BackupSession],
        _ make: (BackupSession) throws -> (session: LogSession, snapshot: LogSnapshot)
    ) throws -> [(session: LogSession, revision: Int64)] {
        if let settings = try options.sharing.settings() {
            return try EtcdImport(settings).installAll(
                sessions, names: sessions.map(\.name), make)
        }
        guard let dataDir = options.dataDir else { return [] }
        Unfinished.willFill(dataDir, names: SQLiteLog.fileNames)
        let log = try DataStore.open(dataDir, Offline.logger)
        let installed = try log.installAll(sessions, make)
        // Finished before the log is closed: the sessions are there.
        Unfinished.finishAll()
        log.end()
        return installed
    }
}
