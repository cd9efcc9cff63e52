// Files read beside SQLite, to judge them before it does and to name what is damaged.

import Glibc
import SessionLog

/// An open file. Closed when this is released.
final class RawFile {
    private let descriptor: Int32
    private let path: String

    /// - Throws: `unavailable` when the file cannot be opened.
    init(_ path: String) throws(LogFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw Self.failure(path) }
    }

    deinit { close(descriptor) }

    private static func failure(_ path: String) -> LogFailure {
        LogFailure(.unavailable, "cannot read \(path): \(String(cString: strerror(errno)))")
    }

    /// All of a file; nil when it is not there.
    static func read(_ path: String) throws(LogFailure) -> [UInt8]? {
        guard let size = DataDirectory.size(path) else { return nil }
        let file = try RawFile(path)
        guard let bytes = file.bytes(at: 0, count: Int(size)) else { throw failure(path) }
        return bytes
    }

    /// So many bytes at an offset; nil when the file ends before, or cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress.map { $0 + done }, count - done,
                    Int(offset) + done)
            }
            if read < 0, errno == EINTR { continue }
            if read <= 0 { return nil }
            done += read
        }
        return bytes
    }
}
