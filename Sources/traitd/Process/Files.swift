// Files that the offline commands read and write.

import Glibc
import HTTPWire
import JSONCodec
import SessionViews
import TraitSessions

/// A file that is written, or standard output.
///
/// A file is written under a temporary name beside its own, and takes its name in `publish`. Until then a
/// file of that name stays as it is. Pipes and devices are written as the bytes come.
final class OutputFile {
    /// Whether nothing can be read back or replaced: standard output, a pipe, a device.
    let isDirect: Bool
    /// Where the bytes can be read until `publish`; nil if the file is written directly.
    private(set) var temporaryPath: String?

    /// The name of the file in errors.
    private let name: String
    /// The file that is replaced. Symbolic links are followed, so that they stay.
    private let target: String
    private let descriptor: Int32
    private var failure: Int32 = 0
    private(set) var byteCount = 0

    /// - Parameter path: nil or "-" for standard output.
    /// - Throws: `Fault`.
    init(_ path: String?) throws {
        guard let path, path != "-" else {
            (isDirect, name, target) = (true, "standard output", "")
            descriptor = STDOUT_FILENO
            return
        }
        name = path
        let earlier = FileStatus(path, followsLinks: true)
        // A dangling link is written through, since it names the place of the file.
        let isDangling = earlier == nil && FileStatus(path, followsLinks: false) != nil
        isDirect = isDangling || earlier?.isRegular == false
        if isDirect {
            target = path
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            if descriptor < 0 { throw Self.failed(name, errno) }
            return
        }
        target = earlier == nil ? path : Self.resolved(path)
        if earlier != nil, access(target, W_OK) != 0 { throw Self.failed(name, errno) }
        guard let made = Unfinished.makeFile("\(target).partial") else {
            throw Self.failed("a file beside \(name)", errno)
        }
        (descriptor, temporaryPath) = made
        earlier?.apply(to: descriptor)
    }

    /// Removes a file that was not published.
    deinit {
        if let temporaryPath { Unfinished.remove(temporaryPath) }
        if descriptor != STDOUT_FILENO { close(descriptor) }
    }

    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    private static func failed(_ name: String, _ code: Int32) -> Fault {
        Fault("cannot write \(name): \(Fault.reason(code))", code: Exit.cannotCreate)
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        if failure == 0 { failure = Descriptors.writeAll(bytes, to: descriptor) }
        byteCount += bytes.count
    }

    /// Flushes the file. It still has its temporary name.
    ///
    /// - Throws: `Fault`.
    func finish() throws {
        if failure == 0, fsync(descriptor) != 0 {
            let code = errno
            // Pipes and devices have no flush.
            if !isDirect || (code != EINVAL && code != ENOTSUP && code != EROFS) { failure = code }
        }
        if failure != 0 { throw Fault.unwritable(name, failure) }
    }

    /// Gives the file its name, in place of an earlier file, and flushes the folder. To be called after
    /// `finish`.
    ///
    /// - Throws: `Fault`.
    func publish() throws {
        guard let path = temporaryPath else { return }
        guard Unfinished.publish(path, as: target) else { throw Self.failed(name, errno) }
        temporaryPath = nil
        if !Offline.flushFolder(of: target) { throw Self.failed(name, errno) }
    }
}

/// The status of a replaced file: the new file takes over its owner, group and permissions.
private struct FileStatus {
    private let status: stat

    init?(_ path: String, followsLinks: Bool) {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        if result != 0 { return nil }
        self.status = status
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    /// Owner, group and permissions. Where the owner or the group cannot be kept, the file stays readable
    /// for its owner alone.
    func apply(to descriptor: Int32) {
        if fchown(descriptor, status.st_uid, status.st_gid) == 0 {
            fchmod(descriptor, status.st_mode & 0o777)
        }
    }
}

extension Offline {
    /// The folder that a path lies in.
    static func folder(of path: String) -> String {
        let slash = UInt8(ascii: "/")
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == slash { bytes = bytes.dropLast() }
        guard let place = bytes.lastIndex(of: slash) else { return "." }
        return place == bytes.startIndex ? "/" : String(decoding: bytes[..<place], as: UTF8.self)
    }

    /// Flushes the folder that a path lies in. Returns whether that was possible; else `errno` says why.
    static func flushFolder(of path: String) -> Bool {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder that may be written and not read cannot be flushed.
        guard folder >= 0 else { return true }
        defer { close(folder) }
        return fsync(folder) == 0 || errno == EINVAL
    }
}

enum InputFile {
    /// The name in errors of a file argument.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// The text of a file, decompressed if it is gzip.
    ///
    /// - Throws: `Fault`.
    static func text(_ path: String, _ progress: ProgressOptions) throws -> [UInt8] {
        try text(of: try read(path, progress), path)
    }

    static func text(of bytes: [UInt8], _ path: String) throws -> [UInt8] {
        guard isCompressed(bytes) else { return bytes }
        func failure(_ reason: String) -> Fault {
            Fault("\(name(path)): it cannot be read: \(reason)")
        }
        let decoder = GzipDecoder()
        var text: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            try decoder.feed(bytes, failure: { failure($0.reason) }) { part in
                guard text.count + part.count <= JSONLimits.documentBytesCeiling else {
                    throw failure("it has more than \(JSONLimits.documentBytesCeiling) bytes")
                }
                text += part
            }
        }
        if !decoder.isAtEnd { throw failure("it ends before its gzip coding does") }
        return text
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: GzipDecoder.magic) }

    /// - Parameters:
    ///   - path: "-" for standard input.
    ///   - progress: how to show the progress of a file that may be long; nil not to.
    /// - Throws: `Fault`.
    static func read(_ path: String, _ progress: ProgressOptions? = nil) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(path, errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let line = progress.map {
            ProgressLine("reading \(name(path))", total: size(of: descriptor), $0)
        }
        let (bytes, error) = Descriptors.readAll(descriptor) { line?.show($0) }
        if error != 0 { throw failed(path, error) }
        return bytes
    }

    /// The length of a file; nil for a pipe.
    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }

    private static func failed(_ path: String, _ code: Int32) -> Fault {
        Fault("cannot read \(name(path)): \(Fault.reason(code))", code: Exit.noInput)
    }
}
