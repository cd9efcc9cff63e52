// Random writes to a few sessions over a log on a disk that fails, as clients see them: what was
// answered with success, and what was streamed.

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
    /// A session as its clients know it.
    package struct Known {
        package let session: Session
        package let listener: Listener?
        /// The newest revision that was answered with success.
        package var acknowledged: Int64
        package var deleteWasSent = false
        package var isDeleted = false
    }

    package let log: RecordingLog
    package private(set) var known: [String: Known] = [:]
    /// Sessions of which clients know that they are gone.
    package private(set) var gone: Set<String> = []
    package private(set) var commits = 0
    package private(set) var refusals: [SessionErrorCode: Int] = [:]
    private let prefix: String
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

    /// - Parameter prefix: what the names of its sessions begin with; it knows no others.
    package init(_ base: any SessionLog, prefix: String = "s", seed: UInt64) {
        self.prefix = prefix
        log = RecordingLog(base)
        random = SeededRandom(seed: seed)
        generator = ScriptGenerator(seed: seed ^ 0x5EED)
        store = SessionStore(
            limits: Self.limits, environment: clock.environment(seed: seed), log: log)
        client = Client(store)
    }

    /// Waits until nothing calls the log any more.
    package func finish() { store.finishSnapshots() }

    /// Writes until so many steps are done or `isOver` says so.
    package func run(steps: Int, isOver: () -> Bool) {
        for _ in 0..<steps where !isOver() { step() }
    }

    private func step() {
        clock.move(by: 7)
        let name = "\(prefix)\(random.below(3))"
        guard let session = known[name]?.session, known[name]?.isDeleted == false else {
            return create(name)
        }
        if random.chance(2) { return delete(name, session) }
        var waiting: [(String, PendingResponse)] = []
        for _ in 0..<1 + random.below(5) {
            let target = random.chance(70) ? name : "\(prefix)\(random.below(3))"
            guard let session = known[target]?.session, known[target]?.isDeleted == false else {
                continue
            }
            let write = generator.next(session) { _ in true }
            switch client.send(write, to: session) {
            // What a dry run says never happens.
            case .pending where write.dryRun: break
            case .pending(let response): waiting.append((target, response))
            case .done: break
            case .refused(let error): refusals[error.code, default: 0] += 1
            }
        }
        let decisions = Wait.until(waiting.map(\.1))
        for ((target, response), decision) in zip(waiting, decisions) {
            switch decision {
            case .released:
                guard let outcome = response.outcome, !outcome.isUnchanged else { continue }
                commits += 1
                let newest = known[target]?.acknowledged ?? 0
                known[target]?.acknowledged = max(newest, outcome.revision)
            case .refused(let error): refusals[error.code, default: 0] += 1
            case .pending, .readAgain: break
            }
        }
        for name in known.keys { known[name]?.listener?.drain() }
    }

    private func create(_ name: String) {
        guard let session = try? client.create(name, generator.creation()) else { return }
        commits += 1
        known[name] = Known(
            session: session, listener: try? Listener(session, .session, from: "start"),
            acknowledged: 1)
    }

    private func delete(_ name: String, _ session: Session) {
        known[name]?.deleteWasSent = true
        var wakes = WakeList()
        var body = JSONWriter()
        let options = CommitOptions()
        let response: PendingResponse
        switch try? session.delete(options, text: TextBuffer(), body: &body, wakes: &wakes) {
        case .held(_, _, let held), .pending(let held): response = held
        case .mustWait, .takesLong: response = session.queueEnd(options)
        case .done, nil: return
        }
        if case .released = Wait.until([response])[0] { noteEnd(of: name, session) }
        if case .readAgain = response.decision, session.withState({ $0.isDeleted }) {
            noteEnd(of: name, session)
        }
    }

    private func noteEnd(of name: String, _ session: Session) {
        known[name]?.isDeleted = true
        gone.insert(session.uid)
        known[name] = nil
    }

    // MARK: - Afterwards

    /// Whether a log that was opened again has everything that clients have seen, and nothing that
    /// nobody asked for; and whether streams go on where they were.
    package func check(_ log: any SessionLog, seed: UInt64) throws {
        let store = SessionStore(
            limits: Self.limits, environment: Clock().environment(seed: seed), log: log)
        do throws(ReplayError) {
            try store.openAll()
        } catch {
            throw Differs("the sessions cannot be rebuilt: \(error)")
        }
        let live = try log.sessions()
        for session in live where session.name.hasPrefix(prefix) {
            try expect(!gone.contains(session.uid), "'\(session.name)' was deleted and is back")
            guard let record = self.log.all[session] else {
                throw Differs("'\(session.name)' was never created")
            }
            try checkEntries(of: session, record, log)
        }
        for (name, known) in known where !known.isDeleted {
            let session = LogSession(name: name, uid: known.session.uid)
            guard live.contains(session), let reopened = store.find(name) else {
                try expect(known.deleteWasSent, "'\(name)' is lost")
                continue
            }
            try expect(
                reopened.acknowledged >= known.acknowledged,
                "'\(name)' was acknowledged through \(known.acknowledged), and ends at \(reopened.acknowledged)"
            )
            try checkStream(known, reopened)
        }
    }

    private func checkEntries(
        of session: LogSession, _ record: RecordingLog.Record, _ log: any SessionLog
    ) throws {
        var before: LogEntry?
        for entry in try log.tail(of: session, after: 0, limit: .max) {
            let name = "revision \(entry.revision) of '\(session.name)'"
            try expect(
                record.attempted[entry.revision]?.contains(entry.checksum) == true,
                "\(name) is none that was written")
            if let appended = record.appended[entry.revision] {
                try expect(appended == entry.checksum, "\(name) is not the acknowledged one")
            }
            if let before {
                try expect(
                    entry.revision == before.revision + 1 && entry.follows(before.checksum),
                    "\(name) does not follow")
            }
            before = entry
        }
        let head = try log.bounds(of: session)?.head ?? 0
        try expect(
            head >= record.appended.keys.max() ?? 0, "'\(session.name)' lost acknowledged entries")
    }

    /// Resumes from one of the newest tokens: the same bytes come again, and then what is new.
    private func checkStream(_ known: Known, _ reopened: Session) throws {
        guard let listener = known.listener else { return }
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
