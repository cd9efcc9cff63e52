// Random writes to a few sessions over a log, and what a log has to show afterwards: the same entries, and streams that
// go on where they were.

import JSONCodec
import SQLiteLog
import SeededRandom
import SessionLog
import SessionScripts
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// Confined to its run.
package final class Workload {
    package let log: any SessionLog
    /// The sessions that are there, with what was streamed of them.
    package private(set) var known: [String: (session: Session, listener: Listener?)] = [:]
    /// The checksums of the entries that the log had at the end. Each stands for those before, too.
    private var entries: [LogSession: [UInt64]] = [:]
    package let store: SessionStore
    private let client: Client
    private let clock = Clock()
    private var random: SeededRandom
    private var generator: ScriptGenerator

    package static let limits: ServiceLimits = {
        var limits = ServiceLimits()
        limits.heartbeatMilliseconds = 1 << 40
        limits.streamLifetimeMilliseconds = 1 << 41
        limits.snapshotEvery = 12
        limits.retainedCommitsMax = 20
        return limits
    }()

    package init(_ log: any SessionLog, seed: UInt64) {
        self.log = log
        random = SeededRandom(seed: seed)
        generator = ScriptGenerator(seed: seed ^ 0x5EED)
        store = SessionStore(
            limits: Self.limits, environment: clock.environment(seed: seed), log: log)
        client = Client(store)
    }

    package func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
    }

    /// Waits until nothing calls the log any more, and remembers what it has.
    package func finish() throws {
        store.finishSnapshots()
        for session in try log.sessions() {
            entries[session] = try log.tail(of: session, after: 0, limit: .max).map(\.checksum)
        }
    }

    private func step() throws {
        clock.move(by: 7)
        let name = "s\(random.below(3))"
        guard let session = known[name]?.session else {
            let session = try client.create(name, generator.creation())
            known[name] = (session, try? Listener(session, .session, from: "start"))
            return
        }
        if random.chance(2) {
            try expect(try client.delete(session), "the end of '\(name)' was not acknowledged")
            known[name] = nil
            return
        }
        var waiting: [PendingResponse] = []
        for _ in 0..<1 + random.below(5) {
            let target = random.chance(70) ? name : "s\(random.below(3))"
            guard let session = known[target]?.session else { continue }
            let write = generator.next(session) { _ in true }
            if case .pending(let response) = client.send(write, to: session) {
                waiting.append(response)
            }
        }
        _ = Wait.until(waiting)
        for known in known.values { known.listener?.drain() }
    }

    // MARK: - Afterwards

    /// Whether a log that was opened again has what was there, and streams go on where they were.
    package func check(_ log: any SessionLog, seed: UInt64) throws {
        let store = SessionStore(
            limits: Self.limits, environment: Clock().environment(seed: seed), log: log)
        do throws(ReplayError) {
            try store.openAll()
        } catch {
            throw Differs("the sessions cannot be rebuilt: \(error)")
        }
        try expect(Set(try log.sessions()) == Set(entries.keys), "other sessions")
        for (session, expected) in entries {
            // Truncated entries may be back.
            let found = try log.tail(of: session, after: 0, limit: .max)
            try expect(
                found.suffix(expected.count).map(\.checksum) == expected,
                "'\(session.name)' has other entries")
            for (before, entry) in zip(found, found.dropFirst()) {
                try expect(
                    entry.revision == before.revision + 1 && entry.follows(before.checksum),
                    "revision \(entry.revision) of '\(session.name)' does not follow")
            }
            guard let reopened = store.find(session.name) else {
                throw Differs("'\(session.name)' is lost")
            }
            if let listener = known[session.name]?.listener { try checkStream(listener, reopened) }
        }
    }

    /// Resumes from one of the newest tokens: the same bytes come again, and then what is new.
    private func checkStream(_ listener: Listener, _ reopened: Session) throws {
        let records = listener.records
        let oldest = reopened.withState { $0.retained.oldestRevision ?? .max }
        for (position, record) in records.enumerated().suffix(8) {
            guard let token = Listener.token(of: record),
                let revision = token.split(separator: ".").dropFirst().first
                    .flatMap({ Int64($0) }), revision >= oldest
            else { continue }
            let resumed: Listener
            do throws(SessionError) {
                resumed = try Listener(reopened, .session, from: token)
            } catch {
                throw Differs("the token \(token) is refused: \(error.detail)")
            }
            resumed.drain()
            let expected = records[(position + 1)...].filter { !Self.isFrame($0) }
            let rest = expected.reduce(into: [UInt8]()) { $0 += $1 }
            let again = resumed.records.filter { !Self.isFrame($0) }
                .reduce(into: [UInt8]()) { $0 += $1 }
            try expectEqual(
                Array(again.prefix(rest.count)), rest, "records behind \(token)")
            resumed.close()
        }
    }

    /// The record with which a stream begins or ends: they are of the stream, not of the session.
    private static func isFrame(_ record: ArraySlice<UInt8>) -> Bool {
        let start = String(decoding: record.prefix(40), as: UTF8.self)
        return ["begin", "end", "bookmark"].contains { start.contains("\"type\":\"\($0)\"") }
    }
}
