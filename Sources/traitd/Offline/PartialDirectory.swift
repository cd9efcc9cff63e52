// A data directory that is filled by a command. It has a temporary name and a mark until it is whole, so that
// a command that is killed leaves nothing that looks like all of it.

import ArgumentParser
import Glibc
import SQLiteLog
import SessionLog
import TraitSessions

final class PartialDirectory {
    private let target: String
    private var path: String?

    /// Makes the directory beside its later place, where nothing may be.
    ///
    /// - Throws: an exit code, after printing the fault.
    init(_ target: String) throws {
        var name = target[...]
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        self.target = String(name)
        path = Unfinished.makeFolder("\(name).partial", names: SQLiteLog.fileNames)
        if path == nil { throw Self.failure("a folder beside \(target)") }
    }

    /// Removes what was not published.
    deinit {
        if let path { Unfinished.remove(path) }
    }

    func open() throws -> SQLiteLog {
        var limits = ServiceLimits()
        limits.minFreeDisk = 0
        return try DataStore.open(
            path ?? target, limits: limits, isPartial: true, OfflineOptions.logger)
    }

    /// Closes the log, and gives the directory its name.
    ///
    /// - Throws: an exit code, after printing the fault.
    func publish(_ log: SQLiteLog) throws {
        guard let path else { return }
        do throws(LogFailure) {
            try log.complete()
        } catch {
            throw Offline.failure(error.reason, code: DataStore.exitCode(of: error))
        }
        guard Unfinished.publish(path, as: target) else { throw Self.failure(target) }
        self.path = nil
        let folder = Glibc.open(Offline.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written and not read cannot be flushed.
        guard folder >= 0 else { return }
        defer { close(folder) }
        if fsync(folder) != 0, errno != EINVAL { throw Self.failure(target) }
    }

    private static func failure(_ path: String) -> ExitCode {
        Offline.failure(
            "cannot write \(path): \(String(cString: strerror(errno)))", code: DataStore.cannotUse)
    }
}
