// A client that follows a session's stream, across replicas and their ends: revisions without gap or repetition, and equal
// bytes from every replica.

import Background
import JSONCodec
import SeededRandom
import SessionViews
import Simulated
import Synchronization
import TraitJSON
import TraitSessions

/// A stream from a replica to a client.
final class StreamConnection: @unchecked Sendable {
    fileprivate var chunks: [[UInt8]] = []
    fileprivate var isClosed = false
    fileprivate var isEnded = false

    fileprivate final class Wake: Waker {
        let signal = Signal()
        func wake() { signal.signal() }
    }

    fileprivate final class Sink: RecordSink {
        var bytes: [UInt8] = []
        var count: Int { bytes.count }
        func append(_ more: UnsafeRawBufferPointer) { bytes += more }
    }

    /// Whether the replica has forgotten the revisions after the token.
    fileprivate var isTokenGone = false

    /// Of a thread of the replica.
    fileprivate func serve(_ name: String, from token: String?, _ handler: Handler) {
        let scheduler = handler.world.scheduler
        defer {
            isEnded = true
            scheduler.changed()
        }
        let options = StreamOptions(format: .ndjson, withOperations: true, from: token ?? "start")
        let cursor: StreamCursor
        do throws(SessionError) {
            try handler.confirm([name])
            guard let session = handler.store.find(name) else { return }
            cursor = try session.openStream(options) { _ in .session }
        } catch {
            if error.code == .historyGone { isTokenGone = true }
            // No other server can have a later revision than the only one.
            let isAhead = error.code == .revisionAhead && handler.world.disk != nil
            if isAhead
                || ![.historyGone, .revisionAhead, .logUnavailable, .outcomeUnknown].contains(
                    error.code)
            {
                handler.world.found(
                    "a stream of '\(name)' from \(token ?? "the start") is refused: \(error.code), \(error.detail)"
                )
            }
            return handler.world.tally.add("stream refused \(error.code)")
        }
        let waker = Wake()
        cursor.listen(waker)
        defer { cursor.closed() }
        var wantsMore = true
        while !isClosed {
            if !wantsMore, let records = cursor.sharedRecords() {
                records.withBytes { chunks.append(Array($0)) }
                scheduler.changed()
                continue
            }
            let sink = Sink()
            let step = cursor.produce(into: sink, budget: 4_096)
            if !sink.bytes.isEmpty {
                chunks.append(sink.bytes)
                scheduler.changed()
            }
            wantsMore = false
            switch step {
            case .more: wantsMore = true
            case .finished: return
            case .idle(let milliseconds):
                _ = waker.signal.wait(atMost: .milliseconds(min(milliseconds, 5_000)))
            }
        }
    }
}

final class StreamReader {
    private let world: World
    private let session: String
    private var random: SeededRandom
    /// The newest tokens with their revisions.
    private var tokens: [(revision: Int64, text: String)] = []
    /// Whether the next revision is the first one that the client gets.
    private var isFresh = true
    /// All of this revision was sent; of the next one so many parts.
    private(set) var at: Int64 = 0
    private var parts = 0
    private var rest: [UInt8] = []
    private static let tokensMax = 50
    private let tape = JSONTape(hashSeed: 0)

    init(_ world: World, _ number: Int) {
        self.world = world
        random = SeededRandom(seed: world.options.seed, for: "stream \(number)")
        session = random.pick(world.names) ?? ""
    }

    var isAtHead: Bool { at >= world.history.floor(session) }

    var place: String { "a stream of '\(session)' is at \(at) of \(world.history.floor(session))" }

    func run() {
        while !world.isOver {
            let replica = world.replicas[random.below(world.replicas.count)]
            let seconds = UInt64(50 + random.below(6_000))
            guard let running = replica.running, running.isReady else {
                Uptime.pause(.milliseconds(20))
                continue
            }
            let connection = StreamConnection()
            // A client that has lost its newest state goes on from an older one.
            if random.chance(10), tokens.count > 1 {
                tokens.removeLast(random.below(tokens.count))
                at = tokens.last?.revision ?? at
            }
            let from = tokens.last?.text
            world.scheduler.start("stream", in: running.process) { [world, session] in
                guard let handler = Handler(world, running) else { return }
                connection.serve(session, from: from, handler)
            }
            world.tally.add("streams")
            follow(connection, running, until: world.scheduler.nanoseconds + seconds * 1_000_000)
            connection.isClosed = true
            if connection.isTokenGone { (tokens, isFresh) = ([], true) }
            rest = []
            // Half a revision is sent again as a whole.
            parts = 0
            Uptime.pause(.milliseconds(5))
        }
    }

    private func follow(
        _ connection: StreamConnection, _ running: RunningReplica, until deadline: UInt64
    ) {
        while true {
            let deadline = world.isEnding ? .max : deadline
            let isOver = world.scheduler.wait(until: deadline) {
                !connection.chunks.isEmpty || connection.isEnded || world.isOver
                    || running.process.isKilled
            }
            if !isOver, !world.isEnding { return }
            let chunks = connection.chunks
            connection.chunks = []
            for chunk in chunks { take(chunk) }
            if chunks.isEmpty, connection.isEnded || running.process.isKilled || world.isOver {
                return
            }
        }
    }

    private func take(_ chunk: [UInt8]) {
        rest += chunk
        while let end = rest.firstIndex(of: 0x0A) {
            let line = Array(rest[...end])
            rest.removeFirst(end + 1)
            read(line)
        }
    }

    private func read(_ line: [UInt8]) {
        var (type, revision, part, isLast, next) = ("", Int64(0), 0, false, String?.none)
        do throws(JSONError) {
            try line.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try tape.withDocument(UnsafeRawBufferPointer(bytes)) { root in
                    type = root.member("type")?.string?.string ?? ""
                    revision = root.member("revision")?.int64 ?? -1
                    part = Int(root.member("part")?.int64 ?? 0)
                    isLast = root.member("last")?.bool ?? false
                    next = root.member("token")?.string?.string
                }
            }
        } catch {
            fail("sends no JSON", line)
        }
        switch type {
        case "begin", "end": return
        case "bookmark":
            if isFresh { (at, isFresh) = (revision, false) }
            if revision != at || parts > 0 { fail("has a bookmark elsewhere than at \(at)", line) }
        case "reset", "gap", "state", "sync": fail("has a record that no token asks for", line)
        default:
            if isFresh, part == 0 { (at, isFresh) = (revision - 1, false) }
            if revision != at + 1 || part != parts { fail("is at \(at), part \(parts)", line) }
            world.streamed.compare(line, session, revision, part)
            parts += 1
            if isLast {
                (at, parts) = (revision, 0)
                world.tally.add("streamed")
            }
        }
        guard parts == 0, let next else { return }
        if tokens.last?.revision == at { tokens.removeLast() }
        tokens.append((at, next))
        if tokens.count > Self.tokensMax { tokens.removeFirst() }
    }

    private func fail(_ what: String, _ line: [UInt8]) -> Never {
        world.found(
            "a stream of '\(session)' \(what): \(String(decoding: line.prefix(300), as: UTF8.self))"
        )
    }
}

/// The records of each revision, as the first stream had them.
final class StreamedRecords {
    private let world: World
    private var known: [String: [Int64: [[UInt8]]]] = [:]

    init(_ world: World) { self.world = world }

    func compare(_ line: [UInt8], _ session: String, _ revision: Int64, _ part: Int) {
        let records = known[session]?[revision] ?? []
        if part < records.count {
            if records[part] == line { return }
            world.found(
                "two streams of '\(session)' differ: \(String(decoding: line, as: UTF8.self)) and \(String(decoding: records[part], as: UTF8.self))"
            )
        }
        known[session, default: [:]][revision, default: []].append(line)
    }
}
