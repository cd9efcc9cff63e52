// The log that `traitd check` and `traitd export` read: in a data directory, or one that servers share.

import ArgumentParser
import EtcdLog
import SQLiteLog
import SessionLog

struct ReadableLogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The data directory. No server may be using it.", valueName: "path"),
        completion: .directory)
    var dataDir: String?

    @OptionGroup(title: "A log that servers share")
    var sharing: SharedLogOptions

    @Flag(help: "End with 0 also if --log has no session.")
    var allowEmpty = false

    func validate() throws {
        if (dataDir == nil) == (sharing.log == nil) {
            throw ValidationError("Give --data-dir or --log, and not both.")
        }
        if allowEmpty, sharing.log == nil {
            throw ValidationError("--allow-empty goes with --log.")
        }
    }

    /// The sessions of the log.
    ///
    /// - Throws: `Fault` when a log that servers share has none, as below a prefix that is not the servers'.
    func sessions(of log: any SessionLog) throws -> [LogSession] {
        let sessions = try log.sessions()
        guard sessions.isEmpty, sharing.log != nil, !allowEmpty else { return sessions }
        throw Fault(
            "there is no session below \(place): is --log-prefix that of the servers? --allow-empty takes it as it is",
            code: Exit.noInput)
    }

    /// The log's place, for people.
    var place: String { dataDir ?? "\(sharing.log ?? "") \(sharing.logPrefix ?? "/traitd/1")" }

    /// Opens the log. Servers may go on with one that they share: the commands read it as it was when they began.
    ///
    /// - Throws: `Fault`.
    func open() throws -> any SessionLog {
        if let dataDir {
            return try DataStore.open(
                dataDir, creates: false, unproved: .read, Offline.logger)
        }
        guard var settings = try sharing.settings()?.withoutUpkeep else {
            throw ValidationError("Give --data-dir or --log.")
        }
        settings.makesLog = false
        do throws(LogFailure) {
            return try EtcdLog(settings)
        } catch {
            throw Fault(
                "the log in etcd cannot be read: \(error.reason)", code: Exit.code(of: error))
        }
    }
}
