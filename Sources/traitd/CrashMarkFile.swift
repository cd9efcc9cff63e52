// The file of --crash-mark: opened, locked for this process, and mapped.

import ArgumentParser
import Glibc
import Logging
import TraitSessions

/// Mapped and locked until the process ends.
struct CrashMarkFile: Sendable {
    let mark: CrashMark

    /// Opens the file, or makes it, and says what was found.
    ///
    /// - Throws: an exit code, after saying what is wrong.
    static func open(_ path: String, _ logger: Logger) throws -> CrashMarkFile {
        do throws(Fault) {
            let file = try CrashMarkFile(path)
            file.tell(path, logger)
            return file
        } catch {
            logger.critical("\(error)")
            throw ExitCode(error.code)
        }
    }

    /// Makes the file when it is missing, for its owner alone.
    ///
    /// - Throws: what is wrong with the file, which is then unchanged.
    init(_ path: String) throws(Fault) {
        // Opening a pipe would wait for its other end.
        let descriptor = Glibc.open(
            path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open", path) }
        do throws(Fault) {
            mark = try Self.mark(in: descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        // The descriptor stays open, since it has the lock.
    }

    /// The process ends in order.
    func end() { mark.end() }

    private static func mark(in descriptor: Int32, _ path: String) throws(Fault) -> CrashMark {
        let bytes = CrashMark.byteCount
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Self.fault(
                "\(path) is no file; name a file for --crash-mark, or none that exists")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK {
                throw fault(
                    "another process uses the crash mark \(path); give each server a file of its own"
                )
            }
            throw failure("lock", path)
        }
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        if status.st_size == 0 {
            // Written, not only made longer: a store into a page for which the disk has no room would end the process.
            let written = withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 8) { zeros in
                zeros.initializeMemory(as: UInt8.self, repeating: 0)
                return pwrite(descriptor, zeros.baseAddress, bytes, 0)
            }
            if written != bytes {
                if written >= 0 { errno = ENOSPC }
                let failure = failure("write", path)
                _ = ftruncate(descriptor, 0)
                throw failure
            }
        } else if status.st_size != bytes {
            throw foreign(
                path, "it has \(status.st_size) bytes, and a crash mark has \(bytes)")
        }
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw failure("map", path) }
        do throws(CrashMark.Foreign) {
            return try CrashMark(
                UnsafeMutableRawBufferPointer(start: memory, count: bytes),
                version: Version.current)
        } catch {
            munmap(memory, bytes)
            throw foreign(path, error.description)
        }
    }

    private static func fault(_ text: String) -> Fault { Fault(text, code: Exit.cannotCreate) }

    private static func failure(_ verb: String, _ path: String) -> Fault {
        fault("cannot \(verb) the crash mark \(path): \(Fault.reason(errno))")
    }

    private static func foreign(_ path: String, _ reason: String) -> Fault {
        fault("\(path) is no crash mark: \(reason); name another file, or delete this one")
    }

    private func tell(_ path: String, _ logger: Logger) {
        let found = mark.found
        if let version = found.version, version != Version.current {
            logger.notice(
                "the crash mark is of another version of traitd, so every entry is applied",
                metadata: ["path": "\(path)", "version": "\(version)"])
        }
        for record in found.records {
            let facts: Logger.Metadata = [
                "path": "\(path)", "uid": "\(record.place.uid)",
                "\(record.place.part)": "\(record.place.revision)", "crashes": "\(record.crashes)",
            ]
            if record.isRefused {
                logger.error(
                    "this server has ended too often while it applied a session, which is refused here from that revision on",
                    metadata: facts)
            } else {
                logger.warning(
                    "this server ended while it applied a session, which is tried again once",
                    metadata: facts)
            }
        }
        if found.dropped > 0 {
            logger.error(
                "the crash mark is full, and further sessions that have ended this server are tried again: run another version of traitd",
                metadata: ["path": "\(path)", "sessions": "\(found.dropped)"])
        }
    }
}
