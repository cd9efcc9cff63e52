// Who may read a data directory, and that no command takes a part of one for all of it.

import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

@Suite("The files of a data directory")
struct DirectoryFileTests {
    private static func modes(_ path: String) throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let file = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                return (name, (file[.posixPermissions] as? NSNumber)?.intValue ?? -1)
            })
    }

    @Test(
        "are for their owner alone, in a folder that others made, and where they were for all to read",
        arguments: [0o755, 0o700])
    func modes(folderMode: Int) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes(
            [.posixPermissions: folderMode], ofItemAtPath: folder.path)
        var writer = ChainWriter(ReopeningTests.mail)
        for _ in 0..<2 {
            let log = try SQLiteLog(path: folder.path, options: ReopeningTests.options)
            #expect(writer.append(3, to: log) == .appended)
            let modes = try Self.modes(folder.path)
            #expect(modes.count == 5)
            #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
            log.end()
            for name in modes.keys {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644], ofItemAtPath: "\(folder.path)/\(name)")
            }
        }
    }

    @Test("A directory that is being filled does not open until it is complete")
    func partial() throws {
        let folder = try TemporaryFolder()
        var options = ReopeningTests.options
        options.isPartial = true
        var writer = ChainWriter(ReopeningTests.mail)
        var log = try SQLiteLog(path: folder.path, options: options)
        #expect(writer.append(3, to: log) == .appended)
        log.end()
        let failure = #expect(throws: LogFailure.self) {
            _ = try SQLiteLog(path: folder.path, options: ReopeningTests.options)
        }
        #expect(failure?.reason.contains("not whole") == true)
        log = try SQLiteLog(path: folder.path, options: options)
        try log.complete()
        let whole = try SQLiteLog(path: folder.path, options: ReopeningTests.options)
        #expect(try whole.bounds(of: ReopeningTests.mail)?.head == 3)
    }

    private struct Refused: Error {}

    private static func backup(_ number: Int) -> (session: LogSession, snapshot: LogSnapshot) {
        (
            LogSession(name: "s\(number)", uid: "uid\(number)"),
            LogSnapshot(revision: 7, checksum: 9, payload: Array("{\"number\":\(number)}".utf8))
        )
    }

    @Test("Several sessions are installed as a whole or not at all", arguments: [0, 3, 9])
    func installs(refusedAt: Int) throws {
        let folder = try TemporaryFolder()
        let log = try SQLiteLog(path: folder.path, options: ReopeningTests.options)
        try log.install(Self.backup(100).session, at: Self.backup(100).snapshot)
        #expect(throws: Refused.self) {
            try log.installAll(Array(0..<10)) { number in
                if number == refusedAt { throw Refused() }
                return Self.backup(number)
            }
        }
        #expect(throws: LogFailure.self) {
            try log.installAll([0, 1, 100]) { Self.backup($0) }
        }
        #expect(try log.sessions().map(\.name) == ["s100"])
        let installed = try log.installAll(Array(0..<10)) { Self.backup($0) }
        #expect(installed.map(\.session.name) == (0..<10).map { "s\($0)" })
        log.end()
        let again = try SQLiteLog(path: folder.path, options: ReopeningTests.options)
        #expect(try again.sessions().count == 11)
        for number in [0, 9, 100] {
            let session = Self.backup(number).session
            #expect(
                try again.newestSnapshot(of: session)?.payload
                    == Self.backup(number).snapshot.payload)
        }
    }
}
