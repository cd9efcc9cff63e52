// Directories that a stranger wrote, with right checksums: tables that are not ours, and numbers at their limits.

import CSQLite
import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

@Suite("A directory of a stranger")
struct StrangeDirectoryTests {
    /// The files of a directory with entries and a snapshot.
    private static let files = Result { () throws -> [String: Data] in
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        var writer = ChainWriter(ReopeningTests.mail)
        writer.append(4, to: log)
        try log.write(
            LogSnapshot(revision: 4, checksum: writer.checksum, payload: [1, 2, 3]),
            of: ReopeningTests.mail)
        writer.append(2, to: log)
        log.end()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                (name, try Data(contentsOf: URL(filePath: folder.file(name))))
            })
    }

    /// Such a directory, which the SQL has changed.
    private static func changed(_ sql: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, bytes) in try files.get() {
            try bytes.write(to: URL(filePath: folder.file(name)))
        }
        let database = try DataDirectory(folder.path, creates: false)
        let connection = try Connection(path: database.databasePath, vfs: "traitd")
        try connection.check(traitd_keep_log_on_close(connection.handle))
        for setting in ["locking_mode = EXCLUSIVE", "synchronous = OFF"] {
            try connection.execute("PRAGMA \(setting)")
        }
        try connection.execute(sql)
        return folder
    }

    /// Reads all that the log has, and all that a salvage finds. A trap ends the tests.
    ///
    /// - Returns: the failure of the opening or of a read.
    private static func read(_ folder: TemporaryFolder) throws -> LogFailure? {
        let salvage = Result { try Salvage(path: folder.path) }
        if case .failure(let error) = salvage { #expect(error is LogFailure) }
        do {
            let log = try ReopeningTests.open(folder)
            for session in try log.sessions() {
                _ = try log.start(of: session)
                _ = try log.tail(of: session, after: 0, limit: 100)
                _ = try log.newestSnapshot(of: session)
                try log.verifySnapshots(of: session)
                let head = try log.bounds(of: session)?.head ?? 0
                _ = try log.truncate(session, through: head)
            }
            log.end()
            return nil
        } catch let failure as LogFailure {
            return failure
        }
    }

    private static let columns = [
        "sessions.number", "sessions.base", "sessions.baseChecksum", "sessions.name",
        "sessions.uid", "entries.sequence", "entries.entry", "snapshots.number",
        "snapshots.session", "snapshots.revision", "snapshots.checksum", "snapshots.bytes",
        "snapshots.payloadChecksum", "snapshots.isComplete", "parts.id", "parts.bytes",
        "marks.sequence",
    ]

    @Test("has no number that ends the process, in any column", arguments: columns)
    func limits(column: String) throws {
        let parts = column.split(separator: ".")
        for value in [
            "-9223372036854775808", "-1", "0", "9007199254740993", "9223372036854775806",
            "9223372036854775807",
        ] {
            // Entries of later numbers stay, so that they follow what is changed.
            let sql = "UPDATE \(parts[0]) SET \(parts[1]) = \(value)"
            let limit = parts[0] == "entries" ? " WHERE sequence = 1" : ""
            _ = try Self.read(try Self.changed(sql + limit))
        }
    }

    @Test("is damaged where a row promises more bytes than there are, or a name that breaks lines")
    func named() throws {
        for sql in [
            "UPDATE snapshots SET bytes = 9223372036854775807",
            "UPDATE snapshots SET bytes = 17179869184",
            "UPDATE sessions SET name = 'a' || char(10)",
            "UPDATE sessions SET base = 9007199254740993", "UPDATE marks SET sequence = -1",
            "PRAGMA user_version = 0", "PRAGMA user_version = -1",
        ] {
            let failure = try Self.read(try Self.changed(sql))
            guard case .damaged = failure?.kind else {
                Issue.record("\(sql): \(String(describing: failure))")
                continue
            }
        }
    }

    @Test(
        "is not read when its schema is not ours, and nothing of it is carried out",
        arguments: [
            "CREATE TRIGGER x AFTER INSERT ON entries BEGIN DELETE FROM sessions; END",
            "CREATE VIEW x AS WITH RECURSIVE c(n) AS (VALUES(1) UNION ALL SELECT n FROM c) SELECT n FROM c",
            "CREATE TABLE x(a)", "CREATE INDEX x ON sessions(name)", "DROP TABLE marks",
            "ALTER TABLE sessions ADD COLUMN x", "PRAGMA application_id = 5",
            "DROP TABLE snapshots; CREATE VIEW snapshots AS WITH RECURSIVE c(number) AS (VALUES(1) UNION ALL SELECT number FROM c) SELECT number, 1 AS session, 1 AS revision, 0 AS checksum, 0 AS bytes, 0 AS payloadChecksum, 0 AS isComplete FROM c",
        ])
    func schema(sql: String) throws {
        let folder = try Self.changed(sql)
        let failure = #expect(throws: LogFailure.self) { try ReopeningTests.open(folder) }
        guard case .damaged = failure?.kind else {
            Issue.record("\(String(describing: failure))")
            return
        }
        // Objects beside the tables are left behind by a salvage.
        if sql.hasPrefix("CREATE") {
            #expect(try Salvage(path: folder.path).sessions.map(\.head) == [6])
        }
    }

    // MARK: - The newest acknowledged entry

    private static func open(_ folder: TemporaryFolder, _ unproved: Unproved) throws -> SQLiteLog {
        var options = ReopeningTests.options
        options.unproved = unproved
        return try SQLiteLog(path: folder.path, options: options)
    }

    @Test(
        "is refused without the file of the newest acknowledged entry, until it is accepted",
        arguments: [true, false])
    func unproved(hasSessions: Bool) throws {
        let folder = try TemporaryFolder()
        do {
            let log = try ReopeningTests.open(folder)
            var writer = ChainWriter(ReopeningTests.mail)
            if hasSessions { writer.append(3, to: log) }
            log.end()
        }
        let mark = folder.file(DataDirectory.acknowledgedName)
        #expect(try Data(contentsOf: URL(filePath: mark)).count == 512)
        #expect(try Self.open(folder, .refused).opening.unproved == nil)
        for damage in [Data(), Data(repeating: 0, count: 512), nil] {
            if let damage {
                try damage.write(to: URL(filePath: mark))
            } else {
                try FileManager.default.removeItem(atPath: mark)
            }
            for _ in 0..<2 {
                let failure = #expect(throws: LogFailure.self) { try Self.open(folder, .refused) }
                #expect(failure?.reason.contains("--accept-unproved") == true)
                let read = try Self.open(folder, .read)
                #expect(read.opening.unproved == failure?.reason)
                #expect(try read.sessions().count == (hasSessions ? 1 : 0))
                read.end()
            }
            #expect(try Self.open(folder, .accepted).opening.unproved != nil)
            #expect(try Self.open(folder, .refused).opening.unproved == nil)
        }
    }

    @Test("is refused when its database alone was copied while it was in use")
    func databaseAlone() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        var writer = ChainWriter(ReopeningTests.mail)
        writer.append(3, to: log)
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: folder.file("traitd.db"), toPath: copy.file("traitd.db"))
        #expect(throws: LogFailure.self) { try Self.open(copy, .refused) }
        #expect(try Self.open(copy, .read).sessions().isEmpty)
        log.end()
    }
}
