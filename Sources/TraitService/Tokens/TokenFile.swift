// The file of tokens. It holds hashes only, but its writer grants access, so its owner and permissions
// are checked before it is used.

import Glibc
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

package struct TokenFileError: Error, CustomStringConvertible {
    package let description: String
    /// Whether the system refused to write.
    package var isOfSystem = false

    /// - Parameter reason: nil for that of `errno`.
    static func unreadable(_ path: String, _ reason: String? = nil) -> TokenFileError {
        let reason = reason ?? String(cString: strerror(errno))
        return TokenFileError(
            description: "Cannot read the token file '\(path)' (--tokens): \(reason)")
    }

    static func unwritable(_ path: String, _ reason: String? = nil) -> TokenFileError {
        TokenFileError(
            description: "Cannot write '\(path)': \(reason ?? String(cString: strerror(errno)))",
            isOfSystem: reason == nil)
    }
}

package struct TokenFile: Sendable {
    package let path: String

    /// A file of so many bytes holds some hundred thousand tokens.
    private static let bytesMax = 64 * 1_024 * 1_024
    /// So that one secret can be replaced while the other is still in use.
    package static let secretsMax = 2

    package init(path: String) { self.path = path }

    // MARK: - Reading

    /// All entries in their order. A missing file has none if `mayBeMissing`.
    ///
    /// - Parameter byCommand: root may look at, and change, the file of any user. A server takes its tokens
    ///   from its own user's file or from root's alone.
    package func read(
        mayBeMissing: Bool = false, byCommand: Bool = false
    ) throws(TokenFileError) -> [TokenEntry] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT, mayBeMissing { return [] }
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        let size = try checked(descriptor, byCommand: byCommand)
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let got = bytes[count...].withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if got > 0 { count += got } else if got == 0 { break }
            if got < 0, errno != EINTR { throw .unreadable(path) }
        }
        return try entries(bytes[..<count])
    }

    /// The size of a file that only its owner can change, and that only its owner can read. Its owner is this
    /// process's user or root; one of root's, as an orchestrator mounts it, its group may read too.
    private func checked(
        _ descriptor: Int32, byCommand: Bool
    ) throws(TokenFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TokenFileError.unreadable(path, "it is not a regular file")
        }
        let isOwn = status.st_uid == geteuid()
        guard isOwn || status.st_uid == 0 || byCommand && geteuid() == 0 else {
            throw TokenFileError.unreadable(
                path,
                "it belongs to the user \(status.st_uid), who could give access to anyone; run "
                    + "`chown \(geteuid()) \(path)`, or have root own it")
        }
        let forbidden: mode_t = isOwn ? 0o077 : 0o037
        guard status.st_mode & forbidden == 0 else {
            throw TokenFileError.unreadable(
                path,
                "its permissions are \(String(status.st_mode & 0o777, radix: 8)), so others could "
                    + "read or change it; run `chmod \(isOwn ? "600" : "640") \(path)`")
        }
        let size = Int(status.st_size)
        guard (0...Self.bytesMax).contains(size) else {
            throw TokenFileError.unreadable(
                path, "it has \(size) bytes; at most \(Self.bytesMax) are read")
        }
        return size
    }

    private func entries(_ bytes: ArraySlice<UInt8>) throws(TokenFileError) -> [TokenEntry] {
        let tape = JSONTape()
        var entries: [TokenEntry] = []
        var secrets: [String: Int] = [:]
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
            do throws(SessionError) {
                let entry = try tape.withDocument(of: Array(line), refusal: SessionError.init) {
                    json throws(SessionError) in try TokenEntry(json)
                }
                entries.append(entry)
                secrets[entry.accessor, default: 0] += 1
            } catch {
                throw TokenFileError.unreadable(path, "line \(number): \(error.detail)")
            }
            if let last = entries.last, secrets[last.accessor, default: 0] > Self.secretsMax {
                throw TokenFileError.unreadable(
                    path, "line \(number): more than \(Self.secretsMax) secrets of \(last.accessor)"
                )
            }
        }
        return entries
    }

    // MARK: - Writing

    /// Adds an entry, for which the file is made if it is missing.
    ///
    /// - Parameter present: called when the entry is on the disk and not in the file yet. If it throws, the file
    ///   stays as it was.
    package func append(_ entry: TokenEntry, _ present: () throws -> Void = {}) throws {
        try locked { path in
            // A file that the server would refuse is not added to.
            let entries = try read(mayBeMissing: true, byCommand: true)
            let secrets = entries.count { $0.accessor == entry.accessor }
            guard secrets < Self.secretsMax else {
                throw TokenFileError.unwritable(
                    path,
                    "\(entry.accessor) has \(Self.secretsMax) secrets already; revoke the older one first"
                )
            }
            try write(entries + [entry], to: path, present)
        }
    }

    /// Replaces the entries by what `change` makes of them.
    package func rewrite(
        _ change: ([TokenEntry]) throws(TokenFileError) -> [TokenEntry]
    ) throws {
        try locked { path in
            try write(try change(try read(byCommand: true)), to: path)
        }
    }

    /// Two commands at once would each lose what the other adds.
    private func locked(
        _ body: (_ path: String) throws -> Void
    ) throws {
        // One lock for all names of the file.
        let path = try target()
        let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw TokenFileError.unwritable(path + ".lock") }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            if errno != EINTR { throw TokenFileError.unwritable(path + ".lock") }
        }
        // The lock file is never removed. Otherwise a command that waits for its lock, and a command that
        // creates another lock file, would both continue.
        try body(path)
    }

    /// Gives the draft the owner and the permissions of the file that it replaces, if there is one: what
    /// root writes has to stay readable for the server's user.
    private func keepsOwner(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT }
        if status.st_uid != geteuid() || status.st_gid != getegid() {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return false }
        }
        return fchmod(descriptor, status.st_mode & 0o640) == 0
    }

    /// Where the file itself is, if `path` is a symbolic link: a server may have been given either name.
    private func target() throws(TokenFileError) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        var status = stat()
        guard errno == ENOENT, lstat(path, &status) != 0, errno == ENOENT else {
            throw .unwritable(path, "it is a symbolic link that leads to no file")
        }
        return path
    }

    /// A new file takes the old one's place, so that a reader sees one or the other whole.
    private func write(
        _ entries: [TokenEntry], to path: String, _ present: () throws -> Void = {}
    ) throws {
        var text = JSONWriter()
        for entry in entries { entry.write(into: &text) }
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFileError.unwritable(draft) }
        let bytes = text.array()
        var count = keepsOwner(descriptor) ? 0 : -1
        while count >= 0, count < bytes.count {
            let put = bytes[count...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if put > 0 { count += put } else if errno != EINTR { break }
        }
        let isWhole = count == bytes.count && fsync(descriptor) == 0
        let failure = TokenFileError.unwritable(draft)
        close(descriptor)
        guard isWhole else {
            unlink(draft)
            throw failure
        }
        do {
            try present()
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let failure = TokenFileError.unwritable(path)
            unlink(draft)
            throw failure
        }
    }
}
