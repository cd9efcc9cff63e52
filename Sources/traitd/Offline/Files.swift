// Files that the offline commands read and write.

import Glibc

/// A file that is written, or standard output.
final class OutputFile {
    private let path: String?
    private let descriptor: Int32
    private var failure: Int32 = 0

    /// - Throws: an exit code, after saying what is wrong.
    init(_ path: String?) throws {
        self.path = path
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw Self.failed(path, errno) }
    }

    deinit { if path != nil { close(descriptor) } }

    private static func failed(_ path: String?, _ code: Int32) -> any Error {
        Offline.failure(
            "cannot write \(path ?? "standard output"): \(String(cString: strerror(code)))",
            code: 73)
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty, failure == 0 {
            let count = Glibc.write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                failure = errno
            }
        }
    }

    /// Flushes the file.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    func finish() throws {
        if failure == 0, path != nil, fsync(descriptor) != 0 { failure = errno }
        if failure != 0 { throw Self.failed(path, failure) }
    }
}

enum InputFile {
    /// - Throws: an exit code, after saying what is wrong.
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var failure: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 1_048_576) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if failure == EINTR { continue }
            if failure != 0 { throw failed(path, failure) }
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }

    private static func failed(_ path: String, _ code: Int32) -> any Error {
        Offline.failure("cannot read \(path): \(String(cString: strerror(code)))", code: 66)
    }
}
