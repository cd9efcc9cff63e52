// Sessions as releases have written them: what is in Tests/Support/Fixtures/entries/v1-sessions has to be
// read by every later version, to the very digest. `RECORD_FIXTURES=1` writes the files anew, which
// only a version that no release has is allowed to.

import Foundation
import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

struct SessionFixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Support/Fixtures/entries/v1-sessions")

    private static var isRecording: Bool {
        ProcessInfo.processInfo.environment["RECORD_FIXTURES"] == "1"
    }

    /// One session for each of the two ways to propagate and to update.
    private static let sessions = ["unified", "layout", "legacy"]

    private static func body(_ name: String) -> String {
        let mode =
            switch name {
            case "layout": #""updates":"layout","#
            case "legacy": #""propagation":"legacy","limits":{"nodesMax":20},"#
            default: ""
            }
        return
            #"{\#(mode)"traits":{"level":{"type":"int","default":0,"identifier":"com.example.level"}},"#
            + #""nodes":[{"id":"n1","kind":"windowScene"},{"id":"n2","kind":"window","parent":"n1"}]}"#
    }

    /// Every operation, most more than once.
    private static let transactions: [[String]] = [
        [
            #"{"op":"defineTrait","trait":"mood","definition":{"type":"enum","cases":{"calm":0,"b":-1},"default":"b","affectsColorAppearance":true}}"#,
            #"{"op":"defineTrait","trait":"inset","definition":{"type":"struct","fields":{"x":"double","s":"string"},"nullable":true,"default":null,"name":"ä"}}"#,
            #"{"op":"defineTrait","trait":"short","definition":{"type":"bool","default":true}}"#,
            #"{"op":"defineEnvironmentKey","key":"isDark","definition":{"type":"bool","default":false,"bridgedTrait":"userInterfaceStyle","map":{"false":"light","true":"dark"}}}"#,
            #"{"op":"defineEnvironmentKey","key":"spacing","definition":{"type":"double","nullable":true,"default":null}}"#,
            #"{"op":"defineColor","color":"tint","definition":{"variants":[{"value":"w"},{"when":{"userInterfaceStyle":"dark","level":1},"value":{"r": 0.10}}]}}"#,
            #"{"op":"defineImage","image":"icon","definition":{"variants":[{"when":{"displayScale":2},"value":"2x"}]}}"#,
            #"{"op":"defineColor","color":"gone","definition":{"variants":[{"value":1}]}}"#,
            #"{"op":"defineImage","image":"gone","definition":{"variants":[{"value":1}]}}"#,
        ],
        [
            #"{"op":"createNode","node":"n3","kind":"viewController","parent":"n2","label":"host"}"#,
            #"{"op":"createNode","node":"n4","kind":"view","parent":"n2","controller":"n3","overrides":{"level":2,"inset":{"x":1.5,"s":"ä"}},"supplied":{"displayScale":2}}"#,
            #"{"op":"createNode","node":"n6","kind":"view","parent":"n4","label":"x"}"#,
            #"{"op":"register","registration":"r1","node":"n6","traits":["level","mood"],"colors":["tint"],"images":["icon"],"label":"who"}"#,
            #"{"op":"register","registration":"r2","node":"n4","set":"systemTraitsAffectingColorAppearance"}"#,
            #"{"op":"setScope","node":"n6","scope":"layoutSubviews","reads":["level","systemTraitsAffectingImageLookup"]}"#,
            #"{"op":"setScope","node":"n4","scope":"draw","reads":["mood"]}"#,
        ],
        [
            #"{"op":"setOverride","node":"n2","trait":"userInterfaceStyle","value":"dark"}"#,
            #"{"op":"setOverride","node":"n4","trait":"level","value":1}"#,
            #"{"op":"setSupplied","node":"n3","trait":"mood","value":"calm"}"#,
            #"{"op":"setEnvironment","node":"n4","key":"isDark","value":false}"#,
            #"{"op":"setEnvironment","node":"n4","key":"spacing","value":0.25}"#,
        ],
        [
            #"{"op":"updateTraitsIfNeeded","node":"n6"}"#,
            #"{"op":"setOverride","node":"n6","trait":"level","value":-7}"#,
        ],
        [#"{"op":"layout"}"#, #"{"op":"setSupplied","node":"n6","trait":"level","value":3}"#],
        [
            #"{"op":"removeOverride","node":"n6","trait":"level"}"#,
            #"{"op":"removeSupplied","node":"n3","trait":"mood"}"#,
            #"{"op":"removeEnvironment","node":"n4","key":"isDark"}"#,
            #"{"op":"removeScope","node":"n4","scope":"draw"}"#,
            #"{"op":"updateNode","node":"n6","parent":null,"label":"detached"}"#,
        ],
        [
            #"{"op":"unregister","registration":"r2"}"#,
            #"{"op":"register","registration":"r2","node":"n4","traits":["displayScale"],"label":"again"}"#,
            #"{"op":"removeEnvironment","node":"n4","key":"spacing"}"#,
            #"{"op":"deleteNode","node":"n2"}"#, #"{"op":"deleteTrait","trait":"short"}"#,
            #"{"op":"deleteColor","color":"gone"}"#, #"{"op":"deleteImage","image":"gone"}"#,
        ],
        [
            #"{"op":"createNode","node":"n2","kind":"window","parent":"n1"}"#,
            #"{"op":"updateNode","node":"n6","parent":"n2"}"#,
        ],
        [#"{"op":"defineEnvironmentKey","key":"old","definition":{"type":"int","default":1}}"#],
        [#"{"op":"deleteEnvironmentKey","key":"old"}"#],
    ]

    @Test("Sessions of the first format are read to the digests that were written down")
    func read() throws {
        if Self.isRecording { try Self.record() }
        let list = try String(
            contentsOf: Self.folder.appending(path: "digests.txt"), encoding: .utf8)
        var kinds = Set<String>()
        var count = 0
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            let (name, uid) = (fields[0], fields[1])
            let log = MemoryLog()
            let logSession = LogSession(name: name, uid: uid)
            var session: Session?
            for (number, digest) in fields.dropFirst(2).enumerated() {
                let revision = Int64(number + 1)
                let entry = try Self.entry(name, revision)
                #expect(log.append(entry, to: logSession, expecting: revision - 1) == .appended)
                let known = try session ?? Self.load(logSession, log)
                session = known
                try known.catchUp()
                #expect(known.head == revision)
                let full = String(known.digest.full, radix: 16)
                let content = String(known.digest.content, radix: 16)
                #expect("\(full),\(content)" == digest, "\(name) \(revision)")
                for kind in known.retained[revision]?.counts.kinds ?? [] {
                    kinds.insert(kind.kind.rawValue)
                }
                count += 1
            }
        }
        #expect(count == Self.sessions.count * (Self.transactions.count + 1))
        // The fixture is older than the first four, and entries never have the other five kinds.
        let others: Set<OperationKind> = [
            .moveNode, .updateTrait, .renameNode, .renameTrait, .putNode, .putTrait,
            .clearOverrides, .copyNode, .setDevice,
        ]
        #expect(
            kinds == Set(OperationKind.allCases.map(\.rawValue)).subtracting(others.map(\.rawValue))
        )
    }

    private static func load(_ session: LogSession, _ log: MemoryLog) throws -> Session {
        try Session.load(
            session, from: log, limits: .quiet,
            environment: Clock().environment(seed: 3))
    }

    private static func file(_ name: String, _ revision: Int64) -> URL {
        folder.appending(path: "\(name)-\(revision).entry")
    }

    private static func entry(_ name: String, _ revision: Int64) throws -> LogEntry {
        let data = try Data(contentsOf: file(name, revision))
        return try [UInt8](data).withUnsafeBytes { try LogEntry(decoding: $0) }
    }

    private static func record() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var lines = ""
        for (number, name) in sessions.enumerated() {
            let process = Process(MemoryLog(), seed: UInt64(number + 1))
            let session = try process.session(name, body(name))
            lines += "\(name) \(session.uid)"
            for revision in 1...Int64(transactions.count + 1) {
                if revision > 1 {
                    try process.commit(
                        transactions[Int(revision) - 2].joined(separator: ","), session)
                }
                var bytes: [UInt8] = []
                try #require(session.retained[revision]).entry.encode(into: &bytes)
                try Data(bytes).write(to: file(name, revision))
                lines +=
                    " \(String(session.digest.full, radix: 16)),\(String(session.digest.content, radix: 16))"
            }
            lines += "\n"
        }
        try lines.write(
            to: folder.appending(path: "digests.txt"), atomically: true, encoding: .utf8)
    }
}
