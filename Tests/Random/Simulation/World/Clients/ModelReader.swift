// A client of a stream of registrations, watches, a subtree or a session. At the end each record is compared with the
// model of what the log says.

import JSONCodec
import SeededRandom
import SessionScripts
import SessionViews
import TraitJSON
import TraitSessions

final class ModelReader: StreamReader {
    private enum Event {
        /// A stream was opened: with a token, or anew.
        case opened(StreamRequest, head: Int64)
        case record(ReceivedRecord)
    }

    private var events: [Event] = []
    private var script: StreamScript
    private var asked: StreamRequest?
    private var token: String?
    private var newest: Int64 = 0
    /// Whether the client has a part of a state.
    private var isInState = false
    private var isEnded = false

    override init(_ world: World, _ number: Int, of session: String) {
        script = StreamScript(
            SeededRandom(seed: world.options.seed, for: "subjects \(number) of \(session)"))
        super.init(world, number, of: session)
    }

    override var isAtHead: Bool { newest >= world.history.floor(session) }

    override var place: String {
        "a stream of \(asked.map { "\($0.subject)" } ?? "nothing") of '\(session)' is at \(newest) of \(world.history.floor(session))"
    }

    override func request() -> StreamRequest {
        if let asked, let token {
            self.asked?.options.from = token
            return self.asked ?? asked
        }
        var options = StreamOptions(format: .ndjson, from: nil)
        options.wantsState = random.chance(75)
        options.resyncs = options.wantsState
        options.coalesces = random.chance(50)
        if !options.wantsState { options.from = "now" }
        let subject = script.subject(in: world.models.newest(session)) ?? .session
        let request = StreamRequest(
            session: session, subject: subject, options: options, isModelled: true)
        asked = request
        return request
    }

    override func opened(at head: Int64) {
        if let asked { events.append(.opened(asked, head: head)) }
    }

    override func read(_ line: [UInt8]) {
        let record: ReceivedRecord
        do {
            record = try ReceivedRecord(String(decoding: line, as: UTF8.self), tape)
        } catch {
            fail("sends no JSON", line)
        }
        events.append(.record(record))
        newest = max(newest, record.revision)
        switch record.type {
        case "reset", "gap", "state": isInState = true
        case "end": isEnded = true
        case "sync":
            isInState = false
            token = record.token
        case "commit", "change", "bookmark": token = record.token
        default: break
        }
    }

    override func closed(_ connection: StreamConnection) {
        let passing: [SessionErrorCode] = [
            .logUnavailable, .logRefused, .outcomeUnknown, .revisionAhead,
        ]
        let isRefused = connection.refusal.map { !passing.contains($0) } ?? false
        // A client without a whole state begins anew, and some do for another subject.
        if isEnded || isInState || isRefused || random.chance(25) { token = nil }
        (isEnded, isInState) = (false, false)
    }

    // MARK: - At the end

    /// Compares all records with the states that the log led to.
    func check(_ states: [StreamWorld]) {
        var checker: StreamChecker?
        for event in events {
            switch event {
            case .opened(let request, let head):
                let present = states[Int(head)]
                if let from = request.options.from, from != "now" {
                    checker?.reconnect(present)
                } else {
                    checker = StreamChecker(
                        request.subject.renewed(present), coalesces: request.options.coalesces,
                        isLogged: true, at: head)
                }
            case .record(let record):
                if checker == nil { world.found("a stream has no beginning") }
                do {
                    world.tally.add("compared \(record.type)")
                    if record.digest != nil { world.tally.add("compared digests") }
                    _ = try checker?.take(record, states)
                } catch {
                    world.found("a stream of '\(session)': \(error)")
                }
            }
        }
    }
}
