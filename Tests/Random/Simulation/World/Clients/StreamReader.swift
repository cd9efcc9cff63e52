// Clients that follow streams across replicas and their ends. One of commits looks at each record: revisions without gap
// or repetition, and equal bytes from every replica.

import Background
import JSONCodec
import SeededRandom
import SessionScripts
import SessionViews
import Simulated
import TraitJSON
import TraitSessions

class StreamReader {
    let world: World
    let session: String
    var random: SeededRandom
    let tape = JSONTape(hashSeed: 0)
    /// Half a record.
    private var rest: [UInt8] = []

    init(_ world: World, _ number: Int, of session: String) {
        self.world = world
        self.session = session
        random = SeededRandom(seed: world.options.seed, for: "stream \(number) of \(session)")
    }

    var isAtHead: Bool { true }
    var place: String { "a stream of '\(session)'" }

    /// What the next stream is asked for.
    func request() -> StreamRequest { preconditionFailure("a reader asks for something") }
    /// - Parameter head: the revision that gave names their meaning.
    func opened(at head: Int64) {}
    func read(_ line: [UInt8]) {}
    /// The stream is over, or the client has left it, inside a record or not.
    func closed(_ connection: StreamConnection) {}

    func run() {
        while !world.isOver {
            let replica = world.replicas[random.below(world.replicas.count)]
            let seconds = UInt64(50 + random.below(6_000))
            guard let running = replica.running, running.isReady else {
                Uptime.pause(.milliseconds(20))
                continue
            }
            let connection = StreamConnection(request())
            world.scheduler.start("stream", in: running.process) { [world] in
                guard let handler = Handler(world, running) else { return }
                connection.serve(handler)
            }
            world.tally.add("streams")
            follow(connection, running, until: world.scheduler.nanoseconds + seconds * 1_000_000)
            connection.isClosed = true
            closed(connection)
            rest = []
            Uptime.pause(.milliseconds(5))
        }
    }

    private func follow(
        _ connection: StreamConnection, _ running: RunningReplica, until deadline: UInt64
    ) {
        var isOpen = false
        while true {
            let deadline = world.isEnding ? .max : deadline
            let isOver = world.scheduler.wait(until: deadline) {
                !connection.chunks.isEmpty || connection.isEnded || world.isOver
                    || running.process.isKilled
            }
            if !isOver, !world.isEnding { return }
            let chunks = connection.chunks
            connection.chunks = []
            if !isOpen, !chunks.isEmpty, let head = connection.head {
                opened(at: head)
                isOpen = true
            }
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

    func fail(_ what: String, _ line: [UInt8]) -> Never {
        world.found(
            "a stream of '\(session)' \(what): \(String(decoding: line.prefix(300), as: UTF8.self))"
        )
    }
}

final class CommitReader: StreamReader {
    /// The newest tokens with their revisions.
    private var tokens: [(revision: Int64, text: String)] = []
    /// Whether the next revision is the first one that the client gets.
    private var isFresh = true
    /// All of this revision was sent; of the next one so many parts.
    private(set) var at: Int64 = 0
    private var parts = 0
    private static let tokensMax = 50

    override var isAtHead: Bool { at >= world.history.floor(session) }

    override var place: String {
        "a stream of '\(session)' is at \(at) of \(world.history.floor(session))"
    }

    override func request() -> StreamRequest {
        // A client that has lost its newest state goes on from an older one.
        if random.chance(10), tokens.count > 1 {
            tokens.removeLast(random.below(tokens.count))
            at = tokens.last?.revision ?? at
        }
        let options = StreamOptions(
            format: .ndjson, withOperations: true, from: tokens.last?.text ?? "start")
        return StreamRequest(session: session, options: options)
    }

    override func closed(_ connection: StreamConnection) {
        if connection.refusal == .historyGone { (tokens, isFresh) = ([], true) }
        // Half a revision is sent again as a whole.
        parts = 0
    }

    override func read(_ line: [UInt8]) {
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
