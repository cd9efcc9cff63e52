// What a salvage keeps of a damaged directory, and that it changes nothing there.

import DurabilityRuns
import Foundation
import SessionLog
import SessionLogTestSupport
import Testing

@testable import SQLiteLog

extension Salvage {
    /// With its copies in a folder that is deleted again: the log has its files open.
    convenience init(path: String) throws {
        let folder = try TemporaryFolder()
        try self.init(path: path, copyingTo: folder.path)
        withExtendedLifetime(folder) {}
    }
}

@Suite("A salvage")
struct SalvageTests {
    /// A data directory in a folder of its own, so that files beside it are seen.
    private final class Place {
        let folder: TemporaryFolder
        var directory: String { folder.file("data") }

        init() throws { folder = try TemporaryFolder() }

        func open() throws -> SQLiteLog {
            try SQLiteLog(path: directory, options: ReopeningTests.options)
        }

        func url(_ name: String) -> URL { URL(filePath: directory + "/" + name) }

        /// Each file below the folder, with its bytes.
        func files() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, (try? Data(contentsOf: URL(filePath: folder.file(name)))) ?? Data())
                })
        }

        /// The leaf of a table that has its largest keys. The log must be closed with copies.
        func lastLeaf(of root: Int64) throws -> Int {
            let bytes = try Data(contentsOf: url("traitd.db"))
            var page = Int(root)
            // 5 is an inner page of a table; its rightmost child stands in the header.
            while bytes[(page - 1) * 4_096] == 5 {
                let start = (page - 1) * 4_096 + 8
                page = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            #expect(bytes[(page - 1) * 4_096] == 13, "page \(page) is no leaf of a table")
            return page
        }

        func damage(page: Int) throws {
            var bytes = try Data(contentsOf: url("traitd.db"))
            bytes[(page - 1) * 4_096 + 4_000] ^= 1
            try bytes.write(to: url("traitd.db"))
        }
    }

    private static func root(of table: String, _ log: SQLiteLog) throws -> Int64 {
        let found = log.queue.sync {
            try? log.connection?.integer(
                "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
        }
        return try #require(found ?? nil)
    }

    private static func session(_ number: Int) -> LogSession {
        LogSession(name: "session-\(number)", uid: "uid\(number)")
    }

    @Test("leaves a directory as it is, whether or not the write-ahead log was copied")
    func unchanged() throws {
        for copies in [true, false] {
            let place = try Place()
            let log = try place.open()
            var writer = ChainWriter(ReopeningTests.mail)
            writer.append(40, to: log)
            log.end(copies: copies)
            let before = try place.files()
            let salvage = try Salvage(path: place.directory)
            #expect(salvage.sessions.map(\.head) == [40] && salvage.losses.isEmpty)
            #expect(try place.files() == before, "copies: \(copies)")
        }
    }

    @Test(
        "keeps the write-ahead log of a directory whose database is gone or empty, and says so",
        arguments: [true, false])
    func withoutDatabase(isEmpty: Bool) throws {
        let place = try Place()
        let log = try place.open()
        var writer = ChainWriter(ReopeningTests.mail)
        writer.append(40, to: log)
        log.end(copies: false)
        #expect(try Data(contentsOf: place.url("traitd.db-wal")).count > 4_096)
        try FileManager.default.removeItem(at: place.url("traitd.db"))
        if isEmpty { try Data().write(to: place.url("traitd.db")) }
        let before = try place.files()
        let failure = try #require(
            #expect(throws: LogFailure.self) { try Salvage(path: place.directory) })
        #expect(failure.reason.contains(isEmpty ? "is empty" : "is missing"), "\(failure.reason)")
        #expect(failure.reason.contains("Nothing was changed"))
        #expect(try place.files() == before)
    }

    @Test("keeps all sessions when the list of them is damaged", arguments: [3, 400])
    func sessions(count: Int) throws {
        let place = try Place()
        let log = try place.open()
        let names = (1...count).map(Self.session)
        for session in names {
            var writer = ChainWriter(session)
            writer.append(2, to: log)
        }
        // What is deleted stays so.
        var deleted = ChainWriter(LogSession(name: "deleted", uid: "gone"))
        deleted.append(3, endingWith: .tombstone, to: log)
        let root = try Self.root(of: "sessions", log)
        log.end()
        let leaf = try place.lastLeaf(of: root)
        #expect((leaf == Int(root)) == (count == 3))
        try place.damage(page: leaf)
        let salvage = try Salvage(path: place.directory)
        #expect(salvage.sessions.count == count)
        #expect(salvage.sessions.allSatisfy { $0.head == 2 && $0.newestSeen == 2 })
        let named = salvage.sessions.compactMap(\.session)
        #expect(named == Array(names.prefix(named.count)))
        #expect(count == 3 ? named.isEmpty : (100..<count).contains(named.count))
        #expect(salvage.sessions.map(\.number) == (1...Int64(count)).map { $0 })
        #expect(salvage.losses.count == 1, "\(salvage.losses)")
    }

    @Test(
        "keeps the entries before a damaged end, with and without the mark of what was acknowledged",
        arguments: [true, false])
    func end(hasMark: Bool) throws {
        let place = try Place()
        let log = try place.open()
        var writer = ChainWriter(ReopeningTests.mail)
        for _ in 0..<300 { writer.append(to: log) }
        let root = try Self.root(of: "entries", log)
        log.end()
        let leaf = try place.lastLeaf(of: root)
        #expect(leaf != Int(root))
        try place.damage(page: leaf)
        if !hasMark { try FileManager.default.removeItem(at: place.url("acknowledged")) }
        let salvage = try Salvage(path: place.directory)
        let mail = try #require(salvage.sessions.first)
        #expect(mail.session == ReopeningTests.mail)
        #expect((200..<300).contains(mail.head))
        #expect(mail.newestSeen == (hasMark ? 300 : mail.head))
        #expect(salvage.losses.contains { $0.contains("of the entries") }, "\(salvage.losses)")
    }

    @Test("offers each beginning of a session, the one that leads furthest first")
    func beginnings() throws {
        let place = try Place()
        let log = try place.open()
        var writer = ChainWriter(ReopeningTests.mail)
        for revision in [Int64(10), 20] {
            writer.append(10, to: log)
            try log.write(
                LogSnapshot(revision: revision, checksum: writer.checksum, payload: [7]),
                of: ReopeningTests.mail)
        }
        writer.append(5, to: log)
        log.end()
        let salvage = try Salvage(path: place.directory)
        let mail = try #require(salvage.sessions.first)
        #expect(mail.beginnings.map(\.base) == [0, 10, 20])
        #expect(mail.beginnings.map(\.places.count) == [25, 15, 5])
        #expect(mail.beginnings.allSatisfy { $0.head == 25 })
        for (beginning, base) in zip(mail.beginnings, [Int64(0), 10, 20]) {
            salvage.offer(beginning)
            #expect(try salvage.log.start(of: ReopeningTests.mail).snapshot?.revision ?? 0 == base)
            let entries = try salvage.log.tail(of: ReopeningTests.mail, after: base, limit: 100)
            #expect(entries.map(\.revision) == Array(base + 1...25))
        }
    }

    @Test("reads a session that is ended at an earlier revision as far as that, within a row too")
    func ended() throws {
        let place = try Place()
        let log = try place.open()
        var writer = ChainWriter(ReopeningTests.mail)
        // One append makes one row.
        writer.append(10, to: log)
        try log.write(
            LogSnapshot(revision: 10, checksum: writer.checksum, payload: [7]),
            of: ReopeningTests.mail)
        writer.append(5, to: log)
        log.end()
        let salvage = try Salvage(path: place.directory)
        let mail = try #require(salvage.sessions.first)
        for (beginning, base) in zip(mail.beginnings, [Int64(0), 10]) {
            salvage.offer(beginning)
            for head in stride(from: Int64(15), through: 0, by: -1) {
                beginning.end(at: head)
                let isThere = head >= max(base, 1)
                #expect(beginning.head == (isThere ? head : 0), "\(head) behind \(base)")
                let entries = try salvage.log.tail(of: ReopeningTests.mail, after: base, limit: 100)
                let expected = isThere ? Array((base + 1)..<(head + 1)) : []
                #expect(entries.map(\.revision) == expected, "\(head) behind \(base)")
            }
        }
    }

    @Test("keeps a part of each session, or says that all is lost, with any page damaged")
    func anyPage() throws {
        let place = try Place()
        let log = try place.open()
        for number in 1...3 {
            var writer = ChainWriter(Self.session(number))
            for _ in 0..<40 { writer.append(2, to: log) }
            try log.write(
                LogSnapshot(
                    revision: 80, checksum: writer.checksum,
                    payload: [UInt8](repeating: 7, count: 9_000)), of: writer.session)
            writer.append(20, to: log)
        }
        log.end()
        let original = try Data(contentsOf: place.url("traitd.db"))
        let pages = original.count / 4_096
        var whole = 0
        for page in 2...pages {
            try place.damage(page: page)
            let salvage = try Salvage(path: place.directory)
            let kept = Set(salvage.sessions.map(\.number))
            for number in Int64(1)...3 where !kept.contains(number) {
                let text = "all of 'session-\(number)'"
                #expect(salvage.losses.contains { $0.contains(text) }, "page \(page)")
            }
            #expect(salvage.sessions.allSatisfy { (1...100).contains($0.head) })
            if salvage.sessions.map(\.head) == [100, 100, 100] { whole += 1 }
            try original.write(to: place.url("traitd.db"))
        }
        // Snapshots, their parts and the list of sessions can be done without.
        #expect(pages > 15 && whole > 8, "\(whole) of \(pages)")
        try place.damage(page: 1)
        #expect(throws: LogFailure.self) { try Salvage(path: place.directory) }
    }

    @Test(
        "with pages damaged, keeps what stands before and behind them, and says which sessions may lack commits"
    )
    func damagedPages() throws {
        let place = try Place()
        let log = try place.open()
        var idle = ChainWriter(Self.session(0))
        idle.append(2, to: log)
        var busy = ChainWriter(Self.session(1))
        for _ in 0..<300 { busy.append(to: log) }
        var young = ChainWriter(Self.session(2))
        young.append(2, to: log)
        let root = try Self.root(of: "entries", log)
        log.end()
        // Leaves in the order of their rows: 13 is a leaf, and each cell of the root names one.
        let database = try Data(contentsOf: place.url("traitd.db"))
        let start = (Int(root) - 1) * 4_096
        #expect(database[start] == 5)
        func number(_ offset: Int, _ count: Int) -> Int {
            database[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let leaves = (0..<number(start + 3, 2)).map { cell in
            number(start + number(start + 12 + cell * 2, 2), 4)
        }
        #expect(leaves.count > 4, "\(leaves)")
        for page in [leaves[1], leaves[3]] { try place.damage(page: page) }
        let salvage = try Salvage(path: place.directory)
        #expect(salvage.hasLost && salvage.losses.count == 1, "\(salvage.losses)")
        #expect(salvage.losses[0].contains("of the entries"), "\(salvage.losses)")
        #expect(salvage.sessions.map(\.mayLackNewest) == [true, false, false])
        #expect(salvage.sessions.map(\.newestSeen) == [2, 300, 2])
        #expect(salvage.sessions[0].head == 2 && salvage.sessions[2].head == 2)
        #expect((1..<200).contains(salvage.sessions[1].head), "\(salvage.sessions[1].head)")
    }

    @Test("takes a file that is no database for what it is")
    func noDatabase() throws {
        let place = try Place()
        try FileManager.default.createDirectory(
            atPath: place.directory, withIntermediateDirectories: false)
        try Data(repeating: 42, count: 20_000).write(to: place.url("traitd.db"))
        let failure = try #require(
            #expect(throws: LogFailure.self) { try Salvage(path: place.directory) })
        #expect(failure.reason.contains("nothing can be read"), "\(failure.reason)")
    }

    @Test(
        "names what a damaged write-ahead log hides: lost revisions, sessions that may lack some, and new ones"
    )
    func cutWriteAheadLog() throws {
        let place = try Place()
        var log = try place.open()
        var writers = [0, 1, 2].map { ChainWriter(Self.session($0)) }
        for position in writers.indices {
            #expect(writers[position].append(3, to: log) == .appended)
        }
        log.end()
        log = try place.open()
        #expect(writers[0].append(to: log) == .appended)
        let before = try Data(contentsOf: place.url("traitd.db-wal")).count
        #expect(writers[1].append(5, to: log) == .appended)
        var new = ChainWriter(Self.session(3))
        #expect(new.append(2, to: log) == .appended)
        log.end(copies: false)
        var bytes = try Data(contentsOf: place.url("traitd.db-wal"))
        #expect(bytes.count > before + 5_000)
        bytes[before + 1_000] ^= 1
        try bytes.write(to: place.url("traitd.db-wal"))
        let salvage = try Salvage(path: place.directory)
        #expect(salvage.hasLost)
        #expect(salvage.sessions.map(\.mayLackNewest) == [true, true, true])
        #expect(salvage.losses.contains { $0.contains("traitd.db-wal") }, "\(salvage.losses)")
        let number = (salvage.sessions.map(\.number).max() ?? 0) + 1
        // Once: not again as the session of the newest acknowledged commit.
        let named = salvage.losses.filter {
            $0.contains("number \(number)") && $0.contains("through revision 2")
                || $0.contains("'\(Self.session(3).name)'")
        }
        #expect(named.count == 1, "\(salvage.losses)")
        let found = Dictionary(
            uniqueKeysWithValues: salvage.sessions.map { ($0.session?.name, $0) })
        #expect(found[Self.session(0).name]?.head == 4)
        #expect(found[Self.session(1).name]?.head == 3)
        #expect(found[Self.session(1).name]?.newestSeen == 8)
        #expect(found[Self.session(2).name]?.head == 3)
    }

    @Test(
        "sees no loss in a log that is whole, with its write-ahead log copied or not",
        arguments: [true, false])
    func nothingLost(copies: Bool) throws {
        let place = try Place()
        let log = try place.open()
        var writer = ChainWriter(ReopeningTests.mail)
        #expect(writer.append(20, to: log) == .appended)
        log.end(copies: copies)
        let salvage = try Salvage(path: place.directory)
        #expect(!salvage.hasLost && salvage.sessions.map(\.mayLackNewest) == [false])
        #expect(salvage.losses.isEmpty)
    }
}
