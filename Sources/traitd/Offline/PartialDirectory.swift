// A data directory that is filled by a command. It has a mark until it is whole, and a temporary name until then or
// a moment longer, so that a command that is killed leaves no part that looks like all of it.

import ArgumentParser
import Glibc
import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

final class PartialDirectory {
    let path: String
    private let target: String
    private var isPublished = false

    /// Makes the directory beside its later place, where nothing may be.
    ///
    /// - Parameter kind: a part of the temporary name.
    /// - Throws: `Fault`.
    init(_ target: String, kind: String = "partial") throws {
        var name = target[...]
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        self.target = String(name)
        let made = Unfinished.makeFolder("\(name).\(kind)", names: SQLiteLog.fileNames)
        guard let made else { throw Self.failure("a folder beside \(target)") }
        path = made
    }

    /// Removes what was not published.
    deinit { if !isPublished { Unfinished.remove(path) } }

    func open() throws -> SQLiteLog {
        try DataStore.open(path, isPartial: true, Offline.logger)
    }

    /// Closes the log, and gives the directory its name.
    ///
    /// - Throws: `Fault`.
    func publish(_ log: SQLiteLog) throws {
        try log.complete()
        guard Unfinished.publish(path, as: target) else { throw Self.failure(target) }
        isPublished = true
        if !Offline.flushFolder(of: target) { throw Self.failure(target) }
    }

    private static func failure(_ path: String) -> Fault {
        Fault("cannot write \(path): \(Fault.reason(errno))", code: Exit.cannotCreate)
    }
}
