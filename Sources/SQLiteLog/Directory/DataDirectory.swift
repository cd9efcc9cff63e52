// The folder that holds a log: which files are in it, and that one process alone uses it.

import Glibc
import SessionLog

/// An open folder. It is locked until this is released.
final class DataDirectory: Sendable {
    static let databaseName = "traitd.db"
    static let walName = "traitd.db-wal"
    /// Before the database has a write-ahead log.
    static let journalName = "traitd.db-journal"
    /// Locked by the process that uses the folder. Its content has no meaning.
    static let lockName = "lock"
    /// Made, and flushed, when the database is complete: a database that is missing behind it was
    /// lost.
    static let markName = "created"
    /// See `AcknowledgedMark`.
    static let acknowledgedName = "acknowledged"

    /// Present while a command fills the folder, which is incomplete then.
    static let partialName = "incomplete"

    static let fileNames = [
        databaseName, walName, journalName, lockName, markName, acknowledgedName, partialName,
    ]

    let path: String
    private let lockDescriptor: Int32

    // Stored: each append looks where they lead.
    let databasePath: String
    let walPath: String
    var markPath: String { path + "/" + Self.markName }
    var acknowledgedPath: String { path + "/" + Self.acknowledgedName }
    var partialPath: String { path + "/" + Self.partialName }

    /// Opens and locks the folder.
    ///
    /// - Parameter creates: whether to make a folder that is not there.
    /// - Throws: `unavailable`, with a remedy.
    init(_ path: String, creates: Bool) throws(LogFailure) {
        self.path = path
        databasePath = path + "/" + Self.databaseName
        walPath = path + "/" + Self.walName
        if SystemFiles.simulated == nil { try Self.checkFolder(path, creates: creates) }
        let descriptor = SystemFiles.open(path + "/" + Self.lockName, O_RDWR | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure("cannot be written to", path) }
        guard SystemFiles.lock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            SystemFiles.close(descriptor)
            if isTaken {
                throw LogFailure(
                    .unavailable,
                    "the data directory '\(path)' is in use by another process; end it first, or "
                        + "take another directory")
            }
            throw Self.failure("cannot be locked", path)
        }
        lockDescriptor = descriptor
        makePrivate()
    }

    private static func checkFolder(_ path: String, creates: Bool) throws(LogFailure) {
        if creates, mkdir(path, 0o700) != 0, errno != EEXIST {
            throw failure("cannot be made", path)
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("cannot be read", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw LogFailure(.unavailable, "'\(path)' is no directory")
        }
    }

    /// Leaves the files to their owner alone, whatever the mode of the folder. SQLite would make a database for
    /// all to read, and gives the write-ahead log the permissions of the database.
    private func makePrivate() {
        for name in Self.fileNames {
            var status = stat()
            let file = path + "/" + name
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mode & 0o177 != 0
            else { continue }
            // A file of another owner is used as it is.
            chmod(file, status.st_mode & 0o600)
        }
    }

    /// Makes the file of the database, empty and for its owner alone, where it is not there.
    func makeDatabaseFile() throws(LogFailure) {
        let descriptor = SystemFiles.open(databasePath, O_RDWR | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure("cannot be written to", path) }
        SystemFiles.close(descriptor)
    }

    deinit { SystemFiles.close(lockDescriptor) }

    /// Lets another process, or another log of this one, have the folder.
    func unlock() { _ = SystemFiles.lock(lockDescriptor, LOCK_UN) }

    private static func failure(_ what: String, _ path: String) -> LogFailure {
        LogFailure(
            .unavailable,
            "the data directory '\(path)' \(what): \(String(cString: strerror(errno)))")
    }

    // MARK: - Files

    /// Copies the database and its write-ahead log, as far as they can be read, into an empty folder. O(bytes).
    ///
    /// - Parameter progress: gets the number of copied bytes, and the number of all.
    /// - Throws: `damaged` when there is no database, `unavailable` when the copies cannot be written.
    func copy(
        to folder: String, _ progress: (_ done: Int, _ total: Int) -> Void
    ) throws(LogFailure) {
        let size = SystemFiles.size(databasePath)
        guard let size, size > 0 else {
            throw LogFailure(
                .damaged(),
                "the database \(Self.databaseName) in '\(path)' is "
                    + "\(size == nil ? "missing" : "empty"), and nothing can be read without it. "
                    + "Nothing was changed. Put the database back if it was moved, with its "
                    + "\(Self.walName), or restore a backup with 'traitd import'")
        }
        let walSize = SystemFiles.size(walPath)
        let total = Int(size &+ (walSize ?? 0))
        try RawFile.copy(databasePath, to: "\(folder)/\(Self.databaseName)") { progress($0, total) }
        if walSize == nil { return }
        try RawFile.copy(walPath, to: "\(folder)/\(Self.walName)") {
            progress(Int(size) &+ $0, total)
        }
    }

    /// Whether a complete database was here once.
    var isMarked: Bool { SystemFiles.size(markPath) != nil }

    /// Whether a command was filling the folder when it ended.
    var isPartial: Bool { SystemFiles.size(partialPath) != nil }

    /// Notes that the folder is incomplete. Flushes the note and the folder.
    func markPartial() throws(LogFailure) {
        let descriptor = SystemFiles.open(partialPath, O_WRONLY | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure("cannot be written to", path) }
        SystemFiles.close(descriptor)
        try flushEntries()
    }

    /// Removes the note of `markPartial`: the folder is complete. Flushes the folder.
    func removePartialMark() throws(LogFailure) {
        guard SystemFiles.remove(partialPath) == 0 || errno == ENOENT else {
            throw Self.failure("cannot be written to", path)
        }
        try flushEntries()
    }

    /// Notes that the database is complete. Flushes the note and the folder.
    func mark() throws(LogFailure) {
        let text = Array("A traitd data directory. The format is in the database.\n".utf8)
        let descriptor = SystemFiles.open(markPath, O_WRONLY | O_CREAT | O_TRUNC)
        guard descriptor >= 0 else { throw Self.failure("cannot be written to", path) }
        defer { SystemFiles.close(descriptor) }
        let written = text.withUnsafeBytes { SystemFiles.write(descriptor, $0, at: 0) }
        guard written == text.count, SystemFiles.flush(descriptor) == 0 else {
            throw Self.failure("cannot be written to", path)
        }
        try flushEntries()
    }

    /// Notes what is acknowledged when the directory begins to be used. Flushes the note and the folder.
    func store(_ mark: AcknowledgedMark) throws(LogFailure) {
        let descriptor = SystemFiles.open(acknowledgedPath, O_WRONLY | O_CREAT)
        guard descriptor >= 0 else { throw Self.failure("cannot be written to", path) }
        defer { SystemFiles.close(descriptor) }
        guard mark.write(to: descriptor), SystemFiles.flush(descriptor) == 0 else {
            throw Self.failure("cannot be written to", path)
        }
        try flushEntries()
    }

    /// Makes the names of new files durable.
    func flushEntries() throws(LogFailure) {
        let descriptor = SystemFiles.open(path, O_RDONLY | O_DIRECTORY)
        guard descriptor >= 0 else { throw Self.failure("cannot be read", path) }
        defer { SystemFiles.close(descriptor) }
        guard SystemFiles.flush(descriptor) == 0 else {
            throw Self.failure("cannot be flushed", path)
        }
    }

    /// Bytes that the file system has left for this process; nil when it does not report them. An open file is
    /// asked, so that a folder that was removed is not taken for a full disk.
    var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(lockDescriptor, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int64(clamping: bytes)
    }
}
