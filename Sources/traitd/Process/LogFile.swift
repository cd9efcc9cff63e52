// The destination of a log: a file that SIGHUP opens again, or a standard stream.

import Glibc
import Synchronization

/// A file to append to. Writes and reopening may come from any thread.
final class LogFile: Sendable {
    private let path: String?
    private let descriptor: Mutex<Int32>

    /// A standard stream, which is never opened anew.
    init(standard descriptor: Int32) {
        path = nil
        self.descriptor = Mutex(descriptor)
    }

    /// Creates the file when it is missing, for its owner and group to read.
    ///
    /// - Throws: `Fault`, with the path and the reason.
    init(path: String) throws(Fault) {
        self.path = path
        descriptor = Mutex(try Self.open(path))
    }

    deinit {
        if path != nil { descriptor.withLock { _ = close($0) } }
    }

    /// Opens the file at its path again, and closes the old one, which may have been moved.
    ///
    /// - Throws: `Fault`; then the file that was open stays.
    func reopen() throws(Fault) {
        guard let path else { return }
        let opened = try Self.open(path)
        let old = descriptor.withLock { current in
            defer { current = opened }
            return current
        }
        close(old)
    }

    /// Writes all bytes. False when the file takes no more: it is full, or its reader has gone.
    @discardableResult
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Under the lock, so that lines of several threads do not mix and the file stays open.
        descriptor.withLock { Descriptors.writeAll(bytes, to: $0) == 0 }
    }

    private static func open(_ path: String) throws(Fault) -> Int32 {
        // Opening a pipe would wait for its reader, and writing into it for as long as the reader is slow.
        let descriptor = Glibc.open(
            path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENXIO { throw noFile(path) }
            throw Fault(
                "cannot open the log file \(path): \(Fault.reason(code))", code: Exit.cannotCreate)
        }
        guard isWritable(descriptor) else {
            close(descriptor)
            throw noFile(path)
        }
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        return descriptor
    }

    /// Files, terminals and /dev/null; pipes only where they are a standard stream of this process.
    private static func isWritable(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFREG || kind == S_IFCHR { return true }
        return [STDOUT_FILENO, STDERR_FILENO].contains { standard in
            var other = stat()
            return fstat(standard, &other) == 0 && other.st_dev == status.st_dev
                && other.st_ino == status.st_ino
        }
    }

    private static func noFile(_ path: String) -> Fault {
        Fault(
            "cannot write the log to \(path): it is a pipe, a socket or a disk; name a file, or leave the option out for a standard stream",
            code: Exit.cannotCreate)
    }
}
