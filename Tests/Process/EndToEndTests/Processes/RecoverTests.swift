// `traitd recover` with the real binary: the damaged directory stays as it is, and the new one starts.

import Foundation
import SQLiteLog
import SessionLog
import TestSupport
import Testing

@Suite("traitd recover")
struct RecoverTests {
    /// A folder with the data directory of a server that had three sessions.
    private final class Place {
        let folder: URL
        var data: String { folder.appendingPathComponent("data").path }
        var to: String { folder.appendingPathComponent("new").path }
        /// What `traitd check` printed of the whole directory, a line for each session.
        private(set) var lines: [Substring] = []

        /// - Parameter isKilled: whether the write-ahead log still has the newest commits.
        init(isKilled: Bool = false) throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("traitd-recover-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let server = try TraitdProcess(["--data-dir", data])
            let client = try HTTPClient(server.url)
            for name in ["one", "three", "two"] {
                let nodes: JSON = ["nodes": [.node("n")]]
                try client.send("PUT", "/v1/sessions/\(name)", json: nodes).expecting(201)
                try client.send(
                    "PUT", "/v1/sessions/\(name)/nodes/m", json: ["kind": "environment"]
                ).success()
            }
            if isKilled { server.child.signal(SIGKILL) } else { server.child.stop() }
            _ = try server.child.waitForExit(within: .seconds(20))
            if isKilled { return }
            let check = try TraitdProcess.run(["check", "--data-dir", data])
            #expect(check.exit == .code(0), "\(check)")
            lines = check.out.split(separator: "\n")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The files of the data directory, and those beside it.
        func files() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    let path = folder.appendingPathComponent(name)
                    return (name, (try? Data(contentsOf: path)) ?? Data())
                })
        }

        func recover() throws -> (exit: ChildProcess.Exit, out: String, error: String) {
            try TraitdProcess.run(["recover", "--data-dir", data, "--to", to])
        }

        /// What `traitd check` prints of the new directory.
        func checked() throws -> [Substring] {
            let check = try TraitdProcess.run(["check", "--data-dir", to])
            #expect(check.exit == .code(0), "\(check)")
            return check.out.split(separator: "\n")
        }
    }

    @Test("leaves a directory with an empty database as it is, and says what to do")
    func withoutDatabase() throws {
        let place = try Place(isKilled: true)
        let database = place.folder.appendingPathComponent("data/traitd.db")
        try Data().write(to: database)
        let before = try place.files()
        #expect(before["data/traitd.db-wal"]?.isEmpty == false)
        let run = try place.recover()
        #expect(run.exit == .code(65), "\(run)")
        #expect(run.error.contains("is empty") && run.error.contains("backup"), "\(run.error)")
        #expect(try place.files() == before)
    }

    @Test("refuses a directory that is not there, as check does")
    func missingDirectory() throws {
        let place = try Place()
        let absent = place.folder.appendingPathComponent("absent").path
        let run = try TraitdProcess.run(["recover", "--data-dir", absent, "--to", place.to])
        #expect(run.exit == .code(73), "\(run)")
        #expect(run.error.contains("'\(absent)' cannot be read"), "\(run.error)")
        let check = try TraitdProcess.run(["check", "--data-dir", absent])
        #expect(check.exit == .code(73), "\(check)")
        #expect(!FileManager.default.fileExists(atPath: place.to))
    }

    @Test("fails when no session can be read, and does not make the new directory")
    func everySessionLost() throws {
        let place = try Place()
        let database = place.folder.appendingPathComponent("data/traitd.db")
        var bytes = try Data(contentsOf: database)
        // The first page has the list of tables, the second one the list of sessions. The pages behind them have
        // the entries.
        for position in 8_192..<bytes.count { bytes[position] ^= 0x55 }
        try bytes.write(to: database)
        let before = try place.files()
        let run = try place.recover()
        #expect(run.exit == .code(65), "\(run)")
        for name in ["one", "three", "two"] {
            #expect(run.out.contains("lost: all of '\(name)'"), "\(run.out)")
        }
        #expect(run.error.contains("no session in '\(place.data)' can be read"), "\(run.error)")
        #expect(try place.files() == before)
    }

    @Test("copies an empty directory")
    func withoutSessions() throws {
        let place = try Place()
        let empty = place.folder.appendingPathComponent("empty").path
        let server = try TraitdProcess(["--data-dir", empty])
        server.child.stop()
        _ = try server.child.waitForExit(within: .seconds(20))
        let run = try TraitdProcess.run(["recover", "--data-dir", empty, "--to", place.to])
        #expect(run.exit == .code(0), "\(run)")
        #expect(try place.checked().isEmpty)
    }

    @Test("copies a directory of a killed server, and leaves no other file behind")
    func killed() throws {
        let place = try Place(isKilled: true)
        let before = try place.files()
        let run = try place.recover()
        #expect(run.exit == .code(0), "\(run)")
        let after = try place.files().filter { !$0.key.hasPrefix("new") }
        #expect(after == before)
        #expect(try place.checked().count == 3)
    }

    @Test("keeps all sessions of a damaged list, with the names of their first entries")
    func damagedList() throws {
        let place = try Place()
        let database = place.folder.appendingPathComponent("data/traitd.db")
        var bytes = try Data(contentsOf: database)
        // The first table that was made has the second page.
        let page = bytes[4_096..<8_192]
        for name in ["one", "two", "three"] {
            #expect(page.firstRange(of: Data(name.utf8)) != nil)
        }
        bytes[8_000] ^= 1
        try bytes.write(to: database)
        let run = try place.recover()
        #expect(run.exit == .code(0), "\(run)")
        #expect(run.out.contains("lost: "))
        #expect(try place.checked() == place.lines)
    }

    /// Appends an entry with a payload that does not belong there.
    private static func forge(_ payload: String, to name: String, uid: String?, in data: String)
        throws
    {
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        let log = try SQLiteLog(path: data, options: options)
        defer { log.end() }
        let found = try log.session(named: name)
        let session = try #require(uid.map { LogSession(name: name, uid: $0) } ?? found)
        let last = try log.tail(of: session, after: 0, limit: 100).last
        let entry = LogEntry(
            revision: (last?.revision ?? 0) + 1, time: 1, payload: Array(payload.utf8),
            after: last?.checksum ?? 0)
        let part = LogAppend(session: session, entries: [entry], expecting: entry.revision - 1)
        #expect(log.append([part]) == [.appended])
    }

    @Test("keeps a session up to the last revision that replays, and the others behind it")
    func unreplayable() throws {
        let place = try Place()
        try Self.forge(
            #"{"operations":[],"digest":"0000000000000000"}"#, to: "one", uid: nil, in: place.data)
        try Self.forge("{}", to: "four", uid: "abcdefghijkl", in: place.data)
        let run = try place.recover()
        #expect(run.exit == .code(65), "\(run)")
        #expect(run.out.contains("kept: one "), "\(run.out)")
        #expect(run.out.contains("through revision 2  LOST: revisions 3 to 3"), "\(run.out)")
        #expect(run.out.contains("NOT KEPT: four"), "\(run.out)")
        #expect(run.error.contains("'four'") && run.error.contains("'one'"), "\(run.error)")
        // A session that lost a commit has another uid, and the others are as they were.
        let checked = try place.checked()
        #expect(checked.dropFirst() == place.lines.dropFirst())
        #expect(checked.first?.hasPrefix("one  uid ") == true)
        #expect(checked.first?.contains("revision 2  entries from 3") == true, "\(checked)")
        #expect(checked.first?.prefix(21) != place.lines.first?.prefix(21))
        let server = try TraitdProcess(["--data-dir", place.to])
        let list = try HTTPClient(server.url).get("/v1/sessions").expecting(200).json
        #expect(list["sessions"]?.array?.count == 3)
    }

    @Test("refuses a directory of a version with other rules, says what to do, and makes nothing")
    func otherRules() throws {
        let place = try Place()
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        let log = try SQLiteLog(path: place.data, options: options)
        let session = try #require(try log.session(named: "one"))
        let first = try #require(try log.tail(of: session, after: 0, limit: 1).first)
        log.end()
        try FileManager.default.removeItem(atPath: place.data)
        let text = String(decoding: first.payload, as: UTF8.self)
        let older = text.replacingOccurrences(of: #""semantics":3"#, with: #""semantics":2"#)
        #expect(older != text)
        let made = try SQLiteLog(path: place.data, options: options)
        let entry = LogEntry(revision: 1, time: 1, payload: Array(older.utf8), after: 0)
        let part = LogAppend(session: session, entries: [entry], expecting: 0)
        #expect(made.append([part]) == [.appended])
        made.end()
        let before = try place.files()
        let run = try place.recover()
        #expect(run.exit == .code(65), "\(run)")
        #expect(run.out.isEmpty, "\(run)")
        // Other lines are of the logger.
        let lines = run.error.split(separator: "\n").filter { $0.hasPrefix("traitd: ") }
        #expect(lines.count == 1, "\(run)")
        #expect(run.error.contains("The semantics are 2, of an earlier version"), "\(run)")
        #expect(run.error.contains("'\(place.to)' was not made"), "\(run)")
        #expect(try place.files() == before)
    }

    @Test("begins with a snapshot when the entries before it do not replay")
    func snapshot() throws {
        let place = try Place()
        let export = try TraitdProcess.run([
            "export", "--data-dir", place.data, "--session", "one",
        ])
        // A line of a backup has what a snapshot in a log has.
        let line = try #require(export.out.split(separator: "\n").dropFirst().first)
        let payload = try #require(line.firstMatch(of: #/{"session":(.*),"checksum":/#)).1
        var options = SQLiteLogOptions()
        options.minFreeDiskBytes = 0
        let log = try SQLiteLog(path: place.data, options: options)
        let uid = try #require(try log.session(named: "one")).uid
        let first = try log.tail(of: LogSession(name: "one", uid: uid), after: 0, limit: 1)
        log.end()
        try FileManager.default.removeItem(atPath: place.data)
        let session = LogSession(name: "one", uid: uid)
        let made = try SQLiteLog(path: place.data, options: options)
        let forged = LogEntry(
            revision: 2, time: 1, payload: Array("{}".utf8), after: first[0].checksum)
        let part = LogAppend(session: session, entries: first + [forged], expecting: 0)
        #expect(made.append([part]) == [.appended])
        try made.write(
            LogSnapshot(revision: 2, checksum: forged.checksum, payload: Array(payload.utf8)),
            of: session)
        made.end()
        let run = try place.recover()
        #expect(run.exit == .code(0), "\(run)")
        #expect(run.out.contains("kept: one  uid \(uid)  through revision 2\n"), "\(run.out)")
        let checked = try place.checked()
        #expect(checked.count == 1)
        #expect(checked.first?.contains("revision 2  entries from 3") == true, "\(checked)")
    }

    @Test(
        "says which sessions may lack commits when a bit of the write-ahead log is damaged, and ends with 65"
    )
    func cut() throws {
        let folder = NSTemporaryDirectory() + "cut-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try TraitdProcess(["--data-dir", "\(folder)/data"])
        let client = try HTTPClient(server.url)
        func write(_ names: [String], _ range: Range<Int>) throws {
            for number in range {
                for name in names {
                    try client.send(
                        "PUT", "/v1/sessions/\(name)/nodes/n\(number)",
                        json: ["kind": "environment"]
                    ).success()
                }
            }
        }
        for name in ["one", "two"] {
            try client.send("PUT", "/v1/sessions/\(name)", json: [:]).expecting(201)
        }
        try write(["one", "two"], 0..<30)
        let wal = URL(filePath: "\(folder)/data/traitd.db-wal")
        let place = try Data(contentsOf: wal).count
        try write(["one"], 30..<60)
        try client.send("PUT", "/v1/sessions/three", json: [:]).expecting(201)
        try write(["three"], 0..<5)
        server.child.signal(SIGKILL)
        _ = try server.child.waitForExit()
        var bytes = try Data(contentsOf: wal)
        bytes[place + 100] ^= 1
        try bytes.write(to: wal)
        let run = try TraitdProcess.run([
            "recover", "--data-dir", "\(folder)/data", "--to", "\(folder)/new",
        ])
        #expect(run.exit == .code(65), "\(run)")
        #expect(run.error.contains("commits are lost"), "\(run.error)")
        let lines = run.out.split(separator: "\n")
        let one = try #require(lines.first { $0.hasPrefix("kept: one ") })
        #expect(one.contains("through revision 31  LOST: revisions 32 to 61"), "\(one)")
        let two = try #require(lines.first { $0.hasPrefix("kept: two ") })
        #expect(two.contains("through revision 31  MAY HAVE LOST: revisions from 32 on"), "\(two)")
        #expect(lines.filter { $0.contains("'three'") }.count == 1, "\(run.out)")
        #expect(lines.contains { $0.hasPrefix("lost: 'three'") }, "\(run.out)")
        #expect(lines.contains { $0.hasPrefix("lost: everything from frame") }, "\(run.out)")
    }
}
