// Files read beside SQLite, to judge them before it does, to store what is read, and to name what is damaged.

import CSQLite
import Glibc
import SessionLog

/// An open file. Closed when this is released.
final class RawFile {
    private let descriptor: Int32
    private let path: String

    /// - Throws: `unavailable` when the file cannot be opened.
    init(_ path: String) throws(LogFailure) {
        self.path = path
        descriptor = SystemFiles.open(path, O_RDONLY)
        if descriptor < 0 { throw Self.failure(path) }
    }

    deinit { SystemFiles.close(descriptor) }

    private static func failure(_ path: String) -> LogFailure {
        LogFailure(.unavailable, "cannot read \(path): \(String(cString: strerror(errno)))")
    }

    /// All of a file; nil when it is not there.
    static func read(_ path: String) throws(LogFailure) -> [UInt8]? {
        guard let size = SystemFiles.size(path) else { return nil }
        let file = try RawFile(path)
        guard let bytes = file.bytes(at: 0, count: Int(size)) else { throw failure(path) }
        return bytes
    }

    /// Writes again all that a file has, and flushes it. A process whose flush failed may have left bytes that are read
    /// and that the disk does not have: the system takes them for stored, and no later flush alone would write them.
    /// O(bytes).
    ///
    /// - Parameter headerBytes: the bytes at the beginning that are flushed before the others are written.
    /// - Throws: `unavailable` when the file cannot be written or flushed.
    static func store(
        _ bytes: [UInt8], again path: String, headerBytes: Int
    ) throws(LogFailure) {
        func failure() -> LogFailure {
            LogFailure(
                .unavailable, "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        let descriptor = SystemFiles.open(path, O_WRONLY)
        guard descriptor >= 0 else { throw failure() }
        defer { SystemFiles.close(descriptor) }
        var done = 0
        for end in [headerBytes, bytes.count] {
            while done < end {
                let written = bytes.withUnsafeBytes {
                    SystemFiles.write(descriptor, .init(rebasing: $0[done..<end]), at: done)
                }
                guard written > 0 || errno == EINTR else { throw failure() }
                done += max(0, written)
            }
            guard SystemFiles.flush(descriptor) == 0 else { throw failure() }
        }
    }

    /// Copies what can be read of a file. Zeros take the place of other pages, so that their checksums
    /// do not match. O(bytes).
    ///
    /// - Parameter progress: gets the number of bytes that were copied.
    /// - Throws: `unavailable` when the file cannot be opened or the copy cannot be written.
    static func copy(
        _ source: String, to target: String, _ progress: (Int) -> Void
    ) throws(LogFailure) {
        let size = Int(SystemFiles.size(source) ?? 0)
        let file = try RawFile(source)
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { if descriptor >= 0 { close(descriptor) } }
        func unwritable() -> LogFailure {
            LogFailure(
                .unavailable,
                "the copy \(target) cannot be written: \(String(cString: strerror(errno)))")
        }
        guard descriptor >= 0, ftruncate(descriptor, size) == 0 else { throw unwritable() }
        let pageBytes = Int(TRAITD_PAGE_BYTES)
        for offset in stride(from: 0, to: size, by: pageBytes) {
            progress(offset)
            let count = min(pageBytes, size - offset)
            guard let page = file.bytes(at: Int64(offset), count: count) else { continue }
            var written = 0
            // A page that was written in part is written again.
            while written != count {
                written = page.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, count, offset) }
                guard written > 0 || errno == EINTR else { throw unwritable() }
            }
        }
    }

    /// So many bytes at an offset; nil when the file ends before, or cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                SystemFiles.read(
                    descriptor, .init(rebasing: $0[done...]), at: Int(offset) + done)
            }
            if read < 0, errno == EINTR { continue }
            if read <= 0 { return nil }
            done += read
        }
        return bytes
    }
}
