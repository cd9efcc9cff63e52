// Reads a backup: all of it is verified before anything is made of it.

import JSONCodec
import SessionLog
import TraitJSON
import TraitSessions

package struct BackupError: Error, CustomStringConvertible {
    package let description: String
    /// Whether memory is refused for reading it, which says nothing about the backup.
    package var isOutOfMemory = false
}

package enum BackupReader {
    /// The sessions of a backup, in its order.
    ///
    /// - Throws: where the bytes differ from what was written, or that they end early.
    package static func sessions(
        of bytes: UnsafeRawBufferPointer
    ) throws(BackupError) -> [BackupSession] {
        var sessions: [BackupSession] = []
        var checksum = FNV1a()
        var start = 0
        var number = 0
        var isOver = false
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        while start < bytes.count {
            number += 1
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let length = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                throw BackupError(description: "line \(number) has no end: the backup is cut off")
            }
            if isOver { throw BackupError(description: "line \(number) follows the end") }
            let line = UnsafeRawBufferPointer(rebasing: rest[...length])
            let parsed = read(line, number, tape)
            switch try parsed.get() {
            case .head: break
            case .session(let session): sessions.append(session)
            case .end(let count, let expected):
                guard count == sessions.count, expected == checksum.value else {
                    throw BackupError(
                        description: "the backup is not what was written: its checksum differs")
                }
                isOver = true
            }
            checksum.add(line)
            start += line.count
        }
        guard isOver else { throw BackupError(description: "the backup is cut off: it has no end") }
        return sessions
    }

    private enum Line {
        case head
        case session(BackupSession)
        case end(Int, UInt64)
    }

    private static func read(
        _ line: UnsafeRawBufferPointer, _ number: Int, _ tape: JSONTape
    ) -> Result<Line, BackupError> {
        do throws(SessionError) {
            return try tape.withDocument(line, refusal: SessionError.init) {
                json throws(SessionError) in
                .success(try content(json, isFirst: number == 1))
            }
        } catch {
            return .failure(
                BackupError(
                    description: "line \(number): \(error.detail)",
                    isOutOfMemory: error.code == .outOfMemory))
        }
    }

    private static func content(_ json: JSONValue, isFirst: Bool) throws(SessionError) -> Line {
        let object = try ObjectReader(
            json, "a line of a backup", members: ["backup", "session", "checksum", "end"])
        if isFirst {
            let head = try ObjectReader(
                try object.required("backup"), "a backup", members: ["format", "createdAt"])
            let format = try head.requiredInteger("format")
            guard format == BackupFormat.version else {
                throw SessionError(
                    .unsupportedMode,
                    "The backup has format \(format); this release understands \(BackupFormat.version)."
                )
            }
            return .head
        }
        if let end = object["end"] {
            let end = try ObjectReader(end, "an end", members: ["sessions", "checksum"])
            return .end(
                Int(clamping: try end.requiredInteger("sessions")), try checksum(end))
        }
        let session = try object.required("session")
        let snapshot = try ObjectReader(
            session, "a session",
            members: ["header", "revision", "digest", "outcomes", "document"])
        let header = try SessionHeader(try snapshot.required("header"))
        let revision = try snapshot.requiredInteger("revision")
        guard (1..<(1 << 53)).contains(revision) else {
            throw snapshot.wrongType(
                "revision", "an integer from 1 to 2^53 - 1", try snapshot.required("revision"))
        }
        return .session(
            BackupSession(
                name: header.name,
                snapshot: LogSnapshot(
                    revision: revision,
                    checksum: try checksum(object), payload: Array(session.rawBytes))))
    }

    private static func checksum(_ object: ObjectReader) throws(SessionError) -> UInt64 {
        let text = try object.requiredString("checksum")
        // Exactly the form that is written: a text with the same value may still have been changed.
        guard let checksum = UInt64(text, radix: 16),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else {
            throw object.wrongType(
                "checksum", "16 hexadecimal digits", try object.required("checksum"))
        }
        return checksum
    }
}

extension BackupSession {
    /// The session under a new uid, so that it does not accept tokens and entity tags of the session that was
    /// backed up, which may have changed since. Verifies the state's digest.
    ///
    /// - Throws: what in the backup cannot be restored.
    package func renewed(
        limits: ServiceLimits, environment: SessionEnvironment
    ) throws(ReplayError) -> (session: LogSession, snapshot: LogSnapshot) {
        let source = SessionSurroundings(limits: limits, environment: environment)
        let original = try SessionState.restore(snapshot, source)
        var header = original.header
        header.uid = environment.name(length: 12)
        let renewed = original.copy(header: header)
        var json = JSONWriter(capacity: 65_536)
        let writer = SnapshotWriter(Session(renewed))
        while writer.write(into: &json) {}
        return (
            LogSession(name: header.name, uid: header.uid),
            LogSnapshot(
                revision: snapshot.revision, checksum: snapshot.checksum, payload: json.array())
        )
    }
}
