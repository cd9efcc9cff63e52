// Reading a session file for `--load`. Whatever the path names, the start ends with a message and an
// exit code: a folder, a pipe and a file larger than memory are told apart before a byte is read.

import ArgumentParser
import Glibc
import JSONCodec
import Logging
import TraitService

enum SessionFile {
    /// sysexits.h: no input; data error.
    private static let noInput: Int32 = 66
    private static let badData: Int32 = 65

    /// - Parameter keepsPresent: whether a session of the name that is there already is no error.
    /// - Throws: an exit code, after saying what is wrong.
    static func load(
        _ path: String, into service: TraitService, keepsPresent: Bool = false, _ logger: Logger
    ) throws {
        let bytes: UnsafeRawBufferPointer
        do throws(Failure) {
            bytes = try read(path)
        } catch {
            logger.critical("cannot load \(path): \(error.reason)")
            throw ExitCode(error.code)
        }
        defer { bytes.deallocate() }
        do {
            let loaded = try service.load(bytes)
            logger.info(
                "loaded",
                metadata: [
                    "session": "\(loaded.name)", "nodes": .stringConvertible(loaded.nodes),
                ])
        } catch  where error.code == .exists && keepsPresent {
            logger.info(
                "kept the session of the data directory", metadata: ["file": "\(path)"])
        } catch {
            let place = error.pointer.map { $0.isEmpty ? "" : " at \($0)" } ?? ""
            logger.critical("\(path)\(place): \(error.detail) [\(error.code.rawValue)]")
            throw ExitCode(badData)
        }
    }

    private struct Failure: Error {
        let reason: String
        let code: Int32

        init(_ reason: String, _ code: Int32 = SessionFile.noInput) {
            self.reason = reason
            self.code = code
        }

        static func system(_ number: Int32) -> Failure {
            Failure(String(cString: strerror(number)))
        }
    }

    /// The file's bytes, which the caller deallocates.
    private static func read(_ path: String) throws(Failure) -> UnsafeRawBufferPointer {
        // Without O_NONBLOCK, opening a pipe waits for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure("it is a folder; give each file in it with a --load of its own")
        default: throw Failure("it is no regular file; write its content to one")
        }
        let size = Int(status.st_size)
        let sizeMax = JSONLimits.documentBytesCeiling
        guard (0...sizeMax).contains(size) else {
            throw Failure("it has \(size) bytes; at most \(sizeMax) can be read", badData)
        }
        guard let base = malloc(max(1, size)) else {
            throw Failure("there is no memory for its \(size) bytes")
        }
        var count = 0
        while count < size {
            let got = Glibc.read(descriptor, base + count, size - count)
            if got > 0 {
                count += got
                continue
            }
            if got < 0, errno == EINTR { continue }
            let reason = errno
            free(base)
            throw got < 0 ? .system(reason) : Failure("it ended early; is it being written?")
        }
        return UnsafeRawBufferPointer(start: base, count: size)
    }
}
