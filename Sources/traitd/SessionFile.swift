// Reading a session file for `--load`.

import ArgumentParser
import Glibc
import Logging
import TraitService

enum SessionFile {
    /// sysexits.h: no input; data error.
    private static let noInput: Int32 = 66
    private static let badData: Int32 = 65

    /// - Throws: an exit code, after saying what is wrong.
    static func load(
        _ path: String, into service: TraitService, _ logger: Logger
    ) throws {
        guard let file = fopen(path, "rb") else {
            logger.critical("cannot read \(path): \(String(cString: strerror(errno)))")
            throw ExitCode(noInput)
        }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0, case let size = ftell(file), size >= 0,
            fseek(file, 0, SEEK_SET) == 0
        else {
            logger.critical("cannot read \(path): it is no regular file")
            throw ExitCode(noInput)
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { bytes.deallocate() }
        guard fread(bytes.baseAddress, 1, size, file) == size else {
            logger.critical("cannot read \(path): it ended early")
            throw ExitCode(noInput)
        }
        do {
            let loaded = try service.load(UnsafeRawBufferPointer(bytes))
            logger.info(
                "loaded", metadata: ["session": "\(loaded.name)", "nodes": "\(loaded.nodes)"])
        } catch {
            let place = error.pointer.map { $0.isEmpty ? "" : " at \($0)" } ?? ""
            logger.critical("\(path)\(place): \(error.detail) [\(error.code.rawValue)]")
            throw ExitCode(badData)
        }
    }
}
