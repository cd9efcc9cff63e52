// Options and functions that the commands on a data directory share.

import ArgumentParser
import Glibc
import Logging
import SQLiteLog
import SessionLog
import TraitSessions

struct OfflineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The data directory. No server may be using it.", valueName: "path"))
    var dataDir: String

    /// Opens the log.
    ///
    /// - Throws: an exit code, after printing the fault.
    func open(creates: Bool = false) throws -> SQLiteLog {
        try Self.open(dataDir, creates: creates)
    }

    /// Opens the log in a data directory.
    ///
    /// - Throws: an exit code, after printing the fault.
    static func open(_ path: String, creates: Bool = false) throws -> SQLiteLog {
        var limits = ServiceLimits()
        limits.minFreeDisk = 0
        return try DataStore.open(path, limits: limits, creates: creates, logger)
    }

    static let logger = LogFormat.makeLogger(.text)
}

enum Offline {
    /// Prints the fault, and returns the exit code.
    static func failure(_ text: String, code: Int32 = DataStore.badData) -> ExitCode {
        failure([text], code: code)
    }

    /// Prints several faults, one a line, and returns the exit code.
    static func failure(_ texts: [String], code: Int32 = DataStore.badData) -> ExitCode {
        let lines = texts.map { "traitd: \($0)\n" }.joined()
        ProgressLine.erase()
        _ = write(STDERR_FILENO, lines, lines.utf8.count)
        return ExitCode(code)
    }

    /// All outcomes of requests are kept, beyond the limit that a server had.
    static var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.idempotencyKeysMax = .max
        limits.idempotencyBytesMax = .max
        return limits
    }

    /// Builds a session from its log and verifies every entry. Nothing is served.
    static func load(
        _ session: LogSession, from log: any SessionLog
    ) throws(ReplayError) -> Session {
        try Session.load(
            session, from: log, limits: limits, environment: .system)
    }

    /// A copy of a session under a uid of its own, at its newest revision.
    static func renewed(
        _ loaded: Session
    ) throws -> (session: LogSession, snapshot: LogSnapshot) {
        let writer = BackupWriter([loaded], createdAt: 0)
        var bytes: [UInt8] = []
        while try writer.write({ bytes += $0 }) {}
        let backup = try bytes.withUnsafeBytes { try BackupReader.sessions(of: $0) }
        guard let saved = backup.first else {
            throw LogFailure(.unavailable, "a session cannot be copied: its backup is empty")
        }
        return try saved.renewed(limits: limits, environment: .system)
    }

    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
