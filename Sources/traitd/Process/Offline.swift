// Code that the commands on a log share.

import Logging
import SessionLog
import SessionViews
import TraitSessions

enum Offline {
    static let logger = LogFormat.makeLogger(.text)

    /// All outcomes of requests are kept, beyond the limit that a server had.
    static var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.idempotencyKeysMax = .max
        limits.idempotencyBytesMax = .max
        return limits
    }

    /// The sessions of a backup.
    ///
    /// - Throws: `Fault`, with the name of the file.
    static func sessions(of backup: [UInt8], _ file: String) throws -> [BackupSession] {
        try backup.withUnsafeBytes { bytes in
            do throws(BackupError) {
                return try BackupReader.sessions(of: bytes)
            } catch {
                throw Fault("\(file): \(error.description)", code: Exit.code(of: error))
            }
        }
    }

    /// Builds a session from its log and verifies every entry. Nothing is served.
    static func load(
        _ session: LogSession, from log: any SessionLog, _ line: ProgressLine
    ) throws(ReplayError) -> Session {
        try Session.load(session, from: log, limits: limits, environment: environment(line))
    }

    /// The environment of a command that shows its progress.
    static func environment(_ line: ProgressLine) -> SessionEnvironment {
        var environment = SessionEnvironment.system
        environment.onWork = line.count
        return environment
    }

    /// A copy of a session under a uid of its own, at its newest revision.
    static func renewed(
        _ loaded: Session, _ line: ProgressLine
    ) throws -> (session: LogSession, snapshot: LogSnapshot) {
        let writer = BackupWriter([loaded], createdAt: 0)
        var bytes: [UInt8] = []
        while try writer.write({ bytes += $0 }) {}
        let backup = try bytes.withUnsafeBytes { try BackupReader.sessions(of: $0) }
        guard let saved = backup.first else {
            throw LogFailure(.unavailable, "a session cannot be copied: its backup is empty")
        }
        return try saved.renewed(limits: limits, environment: environment(line))
    }

    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
