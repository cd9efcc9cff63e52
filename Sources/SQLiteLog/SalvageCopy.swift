// A copy of a database and of its write-ahead log. SQLite changes what it opens: it deletes the write-ahead log
// of an empty database at the first read. So a salvage never opens the original.

import CSQLite
import Glibc
import SessionLog

/// Makes a folder under a name of its own, from the beginning of the name and the files that it will have. Nil
/// when it cannot be made; `errno` says why.
package typealias FolderMaker = (_ prefix: String, _ names: [String]) -> String?

/// Gets the number of copied bytes, and the number of all.
package typealias CopyProgress = (_ done: Int, _ total: Int) -> Void

/// A folder with the copies. Removed when this is released.
package final class SalvageCopy {
    private let folder: String

    var databasePath: String { folder + "/" + DataDirectory.databaseName }

    /// Copies the files of a directory that is locked. O(bytes).
    ///
    /// - Parameter path: the path beside which the copies are made.
    /// - Throws: `damaged` when there is no database, `unavailable` when the copies cannot be written.
    init(
        of directory: DataDirectory, beside path: String, _ progress: CopyProgress,
        _ makeFolder: FolderMaker
    ) throws(LogFailure) {
        let size = DataDirectory.size(directory.databasePath)
        guard let size, size > 0 else {
            throw LogFailure(
                .damaged(),
                "the database \(DataDirectory.databaseName) in '\(directory.path)' is "
                    + "\(size == nil ? "missing" : "empty"), and nothing can be read without it. "
                    + "Nothing was changed. Put the database back if it was moved, with its "
                    + "\(DataDirectory.walName), or restore a backup with 'traitd import'")
        }
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        let beside = String(decoding: bytes, as: UTF8.self)
        guard let made = makeFolder("\(beside).copy", Self.fileNames) else {
            throw Self.failure("a folder beside \(path)")
        }
        folder = made
        let total = Int(size &+ (DataDirectory.size(directory.walPath) ?? 0))
        try Self.copy(directory.databasePath, to: databasePath) { progress($0, total) }
        if DataDirectory.size(directory.walPath) != nil {
            try Self.copy(directory.walPath, to: folder + "/" + DataDirectory.walName) {
                progress(Int(size) &+ $0, total)
            }
        }
    }

    deinit {
        for name in Self.fileNames { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    private static let fileNames = [DataDirectory.databaseName, DataDirectory.walName]

    package static func makeFolder(_ prefix: String, _ names: [String]) -> String? {
        var template = Array("\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let chunkBytes: Int64 = 1 << 20

    /// Copies what can be read. Zeros take the place of the other pages, so their checksums do not match.
    private static func copy(
        _ source: String, to target: String, _ progress: (Int) -> Void
    ) throws(LogFailure) {
        let size = DataDirectory.size(source) ?? 0
        let file = try RawFile(source)
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(target) }
        defer { close(descriptor) }
        guard ftruncate(descriptor, Int(size)) == 0 else { throw failure(target) }
        for start in stride(from: 0, to: size, by: Int(chunkBytes)) {
            progress(Int(start))
            let end = min(start + chunkBytes, size)
            if let bytes = file.bytes(at: start, count: Int(end - start)) {
                try write(bytes, at: start, descriptor, target)
                continue
            }
            let pageBytes = Int64(TRAITD_PAGE_BYTES)
            for page in stride(from: start, to: end, by: Int(pageBytes)) {
                let count = Int(min(pageBytes, end - page))
                guard let bytes = file.bytes(at: page, count: count) else { continue }
                try write(bytes, at: page, descriptor, target)
            }
        }
    }

    private static func write(
        _ bytes: [UInt8], at offset: Int64, _ descriptor: Int32, _ path: String
    ) throws(LogFailure) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]).baseAddress,
                    bytes.count - done, Int(offset) + done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(path) }
            done += written
        }
    }

    private static func failure(_ path: String) -> LogFailure {
        LogFailure(
            .unavailable, "the copy \(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
