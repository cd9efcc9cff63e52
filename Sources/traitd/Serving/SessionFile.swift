// Reads the session document of `--load`: a file, a pipe, or `-` for standard input, compressed with gzip or
// not. A document that cannot be loaded ends the start with a message and an exit code.

import ArgumentParser
import Glibc
import JSONCodec
import Logging
import TraitService

enum SessionFile {
    /// - Parameter keepsPresent: whether an existing session of the name is kept; otherwise it is an error.
    /// - Throws: an exit code, after logging the reason.
    static func load(
        _ path: String, into service: TraitService, keepsPresent: Bool = false,
        _ progress: ProgressOptions, _ logger: Logger
    ) throws {
        let file: Int32
        let size: Int
        do throws(Fault) {
            (file, size) = try open(path)
        } catch {
            logger.critical("cannot load \(path): \(error)")
            throw ExitCode(error.code)
        }
        defer { if file != STDIN_FILENO { close(file) } }
        do {
            let line = ProgressLine(
                "loading \(InputFile.name(path))", total: size > 0 ? size : nil, progress,
                log: { logger.info("\($0)") })
            let loading = SessionLoading(
                service.store, expectedBytes: size, onWork: line.count)
            defer { ProgressLine.erase() }
            if let failure = try read(file, into: loading, line) {
                ProgressLine.erase()
                logger.critical("cannot load \(path): \(failure)")
                throw ExitCode(failure.code)
            }
            let loaded = try loading.finish()
            ProgressLine.erase()
            logger.info(
                "loaded",
                metadata: [
                    "session": "\(loaded.name)", "nodes": .stringConvertible(loaded.nodes),
                ])
        } catch let error as Problem where error.code == .exists && keepsPresent {
            logger.info(
                "kept the session of the data directory", metadata: ["file": "\(path)"])
        } catch let error as Problem {
            for fault in [error] + error.others {
                logger.critical("\(FaultText(fault).line(of: InputFile.name(path)))")
            }
            throw ExitCode(Exit.badData)
        }
    }

    private static func system(_ number: Int32) -> Fault {
        Fault(Fault.reason(number), code: Exit.noInput)
    }

    /// Opens the file. Opening a pipe waits for its writer.
    ///
    /// - Returns: the descriptor, and the length of the file; 0 for a pipe.
    private static func open(_ path: String) throws(Fault) -> (Int32, Int) {
        if path == "-" { return (STDIN_FILENO, 0) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw system(errno) }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Fault(
                "it is a folder; give each file in it with a --load of its own", code: Exit.noInput)
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw system(errno) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return (descriptor, 0)
        }
        let size = Int(status.st_size)
        let sizeMax = JSONLimits.documentBytesCeiling
        guard (0...sizeMax).contains(size) else {
            close(descriptor)
            throw Fault("it has \(size) bytes; at most \(sizeMax) can be read")
        }
        return (descriptor, size)
    }

    private static let chunkBytes = 262_144

    /// Reads to the end.
    ///
    /// - Returns: the failure of a read; nil at the end of the file.
    /// - Throws: the problem for which the document is refused.
    private static func read(
        _ descriptor: Int32, into loading: SessionLoading, _ line: ProgressLine
    ) throws(Problem) -> Fault? {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
        defer { room.deallocate() }
        var total = 0
        while true {
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count == 0 { return nil }
            if count < 0 {
                if errno == EINTR { continue }
                return system(errno)
            }
            try loading.feed(UnsafeRawBufferPointer(rebasing: room[..<count]))
            total += count
            line.show(total)
        }
    }
}
