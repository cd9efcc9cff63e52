// The client against traitd itself. TRAITD_BINARY names the program; without it these tests are skipped.

import Foundation
import Testing
import TraitClient

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

private let binary = ProcessInfo.processInfo.environment["TRAITD_BINARY"]

/// A traitd with a data directory of its own, which can be killed and started again on its port.
private final class Server {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "client-\(UUID().uuidString)")
    private var process: Process?
    private(set) var port = 0

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try start()
    }

    deinit {
        stop(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: binary ?? "")
        process.arguments = [
            "serve", "--port", "\(port)", "--data-dir",
            folder.appendingPathComponent("data").path, "--limit", "heartbeat-seconds=1",
        ]
        // traitd reads settings from such variables.
        process.environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("TRAITD_")
        }
        process.standardOutput = output
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        self.process = process
        var text = ""
        while !text.contains("http://127.0.0.1:") || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            let written = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            try #require(!data.isEmpty, "traitd has ended: \(written)")
            text += String(decoding: data, as: UTF8.self)
        }
        let digits = text.components(separatedBy: "http://127.0.0.1:").last?.prefix { $0.isNumber }
        port = try #require(digits.flatMap { Int($0) })
    }

    func stop(_ signal: Int32) {
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    func session(_ name: String) throws -> TraitClient.Session {
        TraitClient(
            url: try #require(URL(string: "http://127.0.0.1:\(port)")),
            configuration: .init(backoff: .milliseconds(5)...(.milliseconds(50)))
        ).session(name)
    }
}

@Suite(.enabled(if: binary != nil), .serialized) struct ServerTests {
    static let document: TraitValue = [
        "traits": [
            "theme": ["type": "string", "default": "plain"],
            "level": ["type": "int", "default": 0],
        ],
        "nodes": [
            ["id": "scene", "kind": "environment"],
            ["id": "a", "kind": "environment", "parent": "scene"],
        ],
    ]

    /// A watch of a and the states that it reports.
    static func watch(
        _ session: TraitClient.Session
    ) -> (watch: TraitClient.Watch, states: AsyncStream<WatchState>) {
        let states = AsyncStream<WatchState>.makeStream()
        let watch = session.watch(
            ["a": .traits(["theme", "level"])], onState: { states.continuation.yield($0) })
        return (watch, states.stream)
    }

    /// Waits until the state is this one. A server that drains may take a connection once more before it ends.
    static func wait(
        for state: WatchState, _ watch: TraitClient.Watch,
        _ states: inout AsyncStream<WatchState>.Iterator
    ) async {
        while watch.state != state, await states.next() != nil {}
    }

    @Test("a watch shows what is written, also after kill -9 and after a drain")
    func survives() async throws {
        let server = try Server()
        let mail = try server.session("mail")
        try await mail.request("PUT", "", body: Self.document)
        let (watch, states) = Self.watch(mail)
        try await watch.synced()
        #expect(watch.snapshot() == ["a": ["theme": "plain", "level": 0]])
        var (seen, changes) = (states.makeAsyncIterator(), watch.changes.makeAsyncIterator())
        #expect(await seen.next() == .ready)

        let exact: Int64 = 9_007_199_254_740_993
        try await mail.transaction { $0.setOverride("level", .integer(exact), at: "scene") }
        let first = await changes.next()
        #expect(
            first?.trait == "level" && first?.previous == 0 && first?.current == .integer(exact))

        for signal in [SIGKILL, SIGTERM] {
            server.stop(signal)
            await Self.wait(for: .stale, watch, &seen)
            #expect(watch.value("level", at: "a") == .integer(exact))
            try server.start()
            await Self.wait(for: .ready, watch, &seen)
            let theme = TraitValue.string("h\u{e9} \(signal)")
            let commit = try await mail.transaction { $0.setOverride("theme", theme, at: "a") }
            let change = await changes.next()
            #expect(change?.current == theme && change?.revision == commit.revision)
            let resolution = try await mail.resolve(nodes: ["a"], traits: ["theme", "level"])
            #expect(resolution.values == watch.snapshot())
            #expect(resolution.revision == watch.revision)
        }

        try await mail.request("DELETE", "")
        await Self.wait(for: .closed, watch, &seen)
        #expect(watch.reason == "sessionDeleted")
        #expect(await changes.next() == nil)
    }

    @Test("a write with a key is one commit, also after kill -9")
    func idempotency() async throws {
        let server = try Server()
        let mail = try server.session("mail")
        try await mail.request("PUT", "", body: Self.document)
        var commits: [TraitCommit] = []
        for _ in 0..<2 {
            commits.append(
                try await mail.transaction(idempotencyKey: "once") {
                    $0.createNode("b", kind: "environment", parent: "a")
                })
            server.stop(SIGKILL)
            try server.start()
        }
        #expect(commits[0] == commits[1])
        let error = await #expect(throws: TraitdError.self) {
            try await mail.transaction(ifRevision: 1) { $0.deleteNode("b") }
        }
        #expect(error?.code == "revision-mismatch" && error?.status == 412)
        let dry = try await mail.transaction(dryRun: true) { $0.deleteNode("b") }
        #expect(dry.isDryRun)
        #expect(try await mail.resolve(under: "b", traits: ["level"]).values == ["b": ["level": 0]])
        let plan = try await mail.apply(
            ["format": 1, "nodes": [["id": "c", "kind": "environment", "parent": "b"]]],
            manager: "ci", dryRun: true)
        #expect(plan.planToken != nil)
    }

    @Test("the stream of a session has its commits, and goes on where it was after a restart")
    func records() async throws {
        let server = try Server()
        let mail = try server.session("mail")
        try await mail.request("PUT", "", body: Self.document)
        let records = AsyncStream<StreamRecord>.makeStream()
        let states = AsyncStream<WatchState>.makeStream()
        let stream = mail.records(
            operations: true, onRecord: { records.continuation.yield($0) },
            onState: { states.continuation.yield($0) })
        var (seen, state) = (records.stream.makeAsyncIterator(), states.stream.makeAsyncIterator())
        #expect(await state.next() == .ready)
        server.stop(SIGKILL)
        #expect(await state.next() == .stale)
        try server.start()
        let commit = try await mail.transaction { $0.setOverride("level", 4, at: "a") }
        while let record = await seen.next() {
            guard record.type == "commit" else { continue }
            #expect(record.revision == commit.revision)
            #expect(record.body["operations"]?.array?.first?["op"] == "setOverride")
            break
        }
        stream.close()
        #expect(stream.state == .closed && stream.reason == "closed")
    }

    @Test("a watch of a session or node that is not there closes with the problem's code")
    func missing() async throws {
        let server = try Server()
        let error = await #expect(throws: TraitdError.self) {
            try await server.session("none").watch(["a": .all]).synced()
        }
        #expect(error?.status == 404 && error?.problem?["code"]?.string == error?.code)
    }

    @Test("a watch of many nodes is a POST, and shows all of them")
    func many() async throws {
        let server = try Server()
        let mail = try server.session("mail")
        try await mail.request("PUT", "", body: Self.document)
        let names = (0..<90).map { String(repeating: "long-", count: 10) + "\($0)" }
        try await mail.transaction { operations in
            for name in names { operations.createNode(name, kind: "environment", parent: "scene") }
            operations.register("r", at: "a", traits: ["theme"])
        }
        let watch = mail.watch(
            Dictionary(uniqueKeysWithValues: names.map { ($0, .traits(["level"])) }),
            registrations: ["r"])
        try await watch.synced()
        #expect(watch.snapshot().count == 91)
        var changes = watch.changes.makeAsyncIterator()
        try await mail.transaction { $0.setOverride("level", 5, at: "scene") }
        for _ in names { #expect(await changes.next()?.current == 5) }
        #expect(watch.snapshot().filter { $0.value["level"] == 5 }.count == 90)
    }
}
