// A data directory that is filled by a command. It has a temporary name and a mark until it is whole, so that
// a command that is killed leaves nothing that looks like all of it.

import ArgumentParser
import Glibc
import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

final class PartialDirectory {
    private let target: String
    private var path: String?

    /// Makes the directory beside its later place, where nothing may be.
    ///
    /// - Throws: `Fault`.
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
        try DataStore.open(path ?? target, isPartial: true, Offline.logger)
    }

    /// Closes the log, and gives the directory its name.
    ///
    /// - Throws: `Fault`.
    func publish(_ log: SQLiteLog) throws {
        guard let path else { return }
        try log.complete()
        guard Unfinished.publish(path, as: target) else { throw Self.failure(target) }
        self.path = nil
        if !Offline.flushFolder(of: target) { throw Self.failure(target) }
    }

    private static func failure(_ path: String) -> Fault {
        Fault("cannot write \(path): \(Fault.reason(errno))", code: Exit.cannotCreate)
    }
}
