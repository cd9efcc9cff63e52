// What a replica does with a request, as TraitService does it, without HTTP: reads wait for a confirmation, answers for the
// revision that they show, and writes that appended nothing are confirmed and decided again.

import Background
import JSONCodec
import SessionLog
import SessionScripts
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

struct WriteOrder {
    enum Kind {
        /// The trait `w` of the nodes gets the value.
        case values
        /// The trait `t` of the nodes has the value for so many seconds.
        case temporary(ttl: Int)
        /// A registration with the value for its label, which lasts so many seconds without a stream.
        case register(String, ttl: Int)
        /// The same registration again, as `PUT` has it.
        case keep(String, ttl: Int)
        /// What the script of that number writes.
        case script(UInt64)
    }

    let session: String
    var kind = Kind.values
    let nodes: [Int]
    /// Another one for each write, by which the log shows it.
    let value: Int
    var key: String?
    var ifRevision: Int64?

    /// As a transaction has them, or the body of `PUT`.
    fileprivate var body: String {
        if case .keep(_, let ttl) = kind {
            return #"{"node":"n\#(nodes[0])","traits":["w"],"ttl":\#(ttl)}"#
        }
        let texts = nodes.map { node in
            switch kind {
            case .values, .script:
                #"{"op":"setOverride","node":"n\#(node)","trait":"w","value":\#(value)}"#
            case .temporary(let ttl):
                #"{"op":"setOverride","node":"n\#(node)","trait":"t","value":\#(value),"ttl":\#(ttl)}"#
            case .register(let id, let ttl):
                #"{"op":"register","registration":"\#(id)","node":"n\#(node)","traits":["w"],"label":"\#(value)","ttl":\#(ttl)}"#
            case .keep: ""
            }
        }
        return "[" + texts.joined(separator: ",") + "]"
    }
}

enum WriteAnswer {
    case acknowledged(Int64, isRepeated: Bool)
    /// Nothing had to change; the state of that revision has the values.
    case unchanged(Int64)
    /// Nothing has changed, with the code.
    case refused(SessionErrorCode)
    case unknown
    /// Another request of the key is under way.
    case inFlight
}

struct ReadAnswer: Equatable {
    let revision: Int64
    let digest: StateDigest
    /// The value of each node for each trait; none for sessions of scripts.
    let values: [[Int]]
}

/// Confinement: one fiber.
struct Handler {
    let world: World
    let store: SessionStore

    init?(_ world: World, _ replica: RunningReplica) {
        guard replica.isReady, let store = replica.store else { return nil }
        self.world = world
        self.store = store
    }

    /// How long a request waits for the log.
    static let waitMax = Duration.seconds(10)

    func wait(_ response: PendingResponse, _ deadline: UInt64) -> PendingResponse.Decision {
        let decision = response.waitForDecision(until: deadline)
        switch decision {
        case .pending: world.tally.add("decision pending")
        case .released: world.tally.add("decision released")
        case .refused: world.tally.add("decision refused")
        case .readAgain: world.tally.add("decision readAgain")
        }
        return decision
    }

    /// Has the store take over what the log has.
    ///
    /// - Throws: why the newest revision is not known.
    func confirm(
        _ names: Set<String>, all: Bool = false, list: Bool = false,
        until deadline: UInt64? = nil
    ) throws(SessionError) {
        guard let confirmations = store.confirmations else { return }
        var question = LogQuestion()
        question.names = names
        question.wantsAllHeads = all
        question.wantsList = list
        let response = confirmations.response(to: question)
        let deadline = deadline ?? Uptime.monotonic(after: Self.waitMax)
        switch wait(response, deadline) {
        case .readAgain: return
        case .refused(let error): throw error
        case .pending, .released: throw .outcomeUnknown
        }
    }

    // MARK: - Writes

    func write(_ order: WriteOrder) -> WriteAnswer {
        do throws(SessionError) {
            let claim = try order.key.map { key throws(SessionError) in
                try store.idempotencyClaims.claim(
                    key, of: "client", session: order.session, target: 1)
            }
            defer { claim?.end() }
            claim?.take(body: UInt64(order.value))
            return try write(order, claim)
        } catch {
            return answer(to: error)
        }
    }

    func answer(to error: SessionError) -> WriteAnswer {
        switch error.code {
        case .logUnavailable, .outcomeUnknown: return .unknown
        case .idempotencyInFlight: return .inFlight
        case .internalError, .idempotencyKeyReused:
            world.found("a write is refused: \(error.code), \(error.detail)")
        default: return .refused(error.code)
        }
    }

    private func write(
        _ order: WriteOrder, _ key: IdempotentRequest?
    ) throws(SessionError) -> WriteAnswer {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        var isConfirmed = false
        var script: Write?
        /// Whether the request is decided again after a confirmation.
        func confirmsFirst() throws(SessionError) -> Bool {
            if isConfirmed { return false }
            try confirm([order.session], until: deadline)
            isConfirmed = true
            return true
        }
        while Uptime.monotonic < deadline {
            guard let session = store.find(order.session) else {
                if try confirmsFirst() { continue }
                return .refused(.unknownSession)
            }
            if case .script(let number) = order.kind, script == nil {
                script = nextWrite(number, of: order.value, to: session)
            }
            let response: PendingResponse
            do throws(SessionError) {
                let result =
                    if let script { try decide(script, in: session) } else {
                        try decide(order, key, in: session)
                    }
                switch result {
                case .done(let outcome, _):
                    if try confirmsFirst() { continue }
                    return Self.answer(outcome)
                case .held(_, _, let held), .pending(let held): response = held
                case .mustWait, .takesLong: throw SessionError(.internalError, "not decided")
                }
            } catch {
                if try confirmsFirst() { continue }
                let shown = session.withState { $0.pendingResponse(until: $0.head) }
                if let shown {
                    guard case .released = wait(shown, deadline) else { continue }
                }
                throw error
            }
            switch wait(response, deadline) {
            case .pending: return .unknown
            case .readAgain: continue
            case .refused(let error):
                if !response.hasCommit, try confirmsFirst() { continue }
                throw error
            case .released:
                if !response.hasCommit, try confirmsFirst() { continue }
                if let refusal = response.refusal { throw refusal }
                guard let outcome = response.outcome else { return .unknown }
                return Self.answer(outcome)
            }
        }
        return .unknown
    }

    private static func answer(_ outcome: CommitOutcome) -> WriteAnswer {
        outcome.isUnchanged
            ? .unchanged(outcome.revision)
            : .acknowledged(outcome.revision, isRepeated: outcome.isRepeated)
    }

    private func decide(
        _ order: WriteOrder, _ key: IdempotentRequest?, in session: Session
    ) throws(SessionError) -> WriteResult {
        try withDocument(order.body) { json throws(SessionError) in
            var proposal = Proposal(.many(json))
            if case .keep(let id, _) = order.kind {
                proposal = Proposal(.one(.putRegistration(id, try RegistrationBody(json))))
            }
            proposal.options.condition.ifRevision = order.ifRevision
            proposal.options.idempotency = key
            var body = JSONWriter()
            var wakes = WakeList()
            defer { wakes.wake() }
            let result = try session.commit(
                proposal, text: TextBuffer(), body: &body, wakes: &wakes)
            switch result {
            case .mustWait: return .pending(session.queue(proposal, isLong: false))
            case .takesLong: return .pending(session.queue(proposal, isLong: true))
            default: return result
            }
        }
    }

    func withDocument<R>(
        _ text: String, _ body: (JSONValue) throws(SessionError) -> R
    ) throws(SessionError) -> R {
        try JSONTape(hashSeed: 0).withDocument(
            of: Array(text.utf8), refusal: { SessionError($0) }, body)
    }

    /// Makes a session, or finds it. Returns whether it is there.
    func create(_ name: String, _ body: String) -> Bool {
        do throws(SessionError) {
            var order = SessionCreation.Order()
            order.name = name
            let created = try withDocument(body) { json throws(SessionError) -> CreatedSession in
                let creation = SessionCreation(order, store)
                while true { if let made = try creation.step(json) { return made } }
            }
            switch created {
            case .found: return true
            case .created(_, _, let response):
                guard let response else { return true }
                if case .released = wait(response, Uptime.monotonic(after: Self.waitMax)) {
                    return true
                }
                return false
            }
        } catch {
            return error.code == .exists
        }
    }

    // MARK: - Reads

    /// Nil when the newest revision is not known in time.
    func read(_ name: String) -> ReadAnswer? {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        do throws(SessionError) {
            try confirm([name], until: deadline)
        } catch {
            return nil
        }
        while Uptime.monotonic < deadline {
            guard let session = store.find(name) else { return nil }
            switch read(session) {
            case .answer(let answer, nil): return answer
            case .answer(let answer, let response?):
                switch wait(response, deadline) {
                case .released: return answer
                case .readAgain: continue
                case .refused, .pending: return nil
                }
            case .wait(let response): _ = wait(response, deadline)
            }
        }
        return nil
    }

    enum Reading {
        case answer(ReadAnswer, PendingResponse?)
        case wait(PendingResponse)
    }

    func read(_ session: Session) -> Reading {
        func answer(_ state: SessionState) -> (ReadAnswer, PendingResponse?) {
            (
                ReadAnswer(
                    revision: state.head, digest: state.digest, values: values(of: state)),
                state.pendingResponse(until: state.head)
            )
        }
        while true {
            if let (read, response) = session.withStateIfFree({ answer($0) }) {
                return .answer(read, response)
            }
            switch session.entryWhileOwned(before: true) {
            case .free: continue
            case .before(let standIn):
                let (read, response) = standIn.withState { answer($0) }
                return .answer(read, response)
            case .wait(let response): return .wait(response)
            }
        }
    }

    /// Reads a revision that has been. Nil when it cannot be read.
    func readPast(_ name: String, at revision: Int64) -> ReadAnswer? {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        do throws(SessionError) {
            try confirm([name], until: deadline)
            guard let session = store.find(name) else { return nil }
            _ = try session.withState { state throws(SessionError) in
                try state.pastRevision(.revision(revision))
            }
            while Uptime.monotonic < deadline {
                switch try store.past.state(of: session, at: revision, for: nil) {
                case .wait(let response):
                    if case .refused(let error) = wait(response, deadline) { throw error }
                case .found(let past):
                    return past.withState {
                        ReadAnswer(
                            revision: revision, digest: $0.digest, values: values(of: $0))
                    }
                }
            }
        } catch {
            world.tally.add("past refused \(error.code)")
        }
        return nil
    }

    /// What a session without values of clients has.
    static let noValues = [[Int]](
        repeating: [Int](repeating: 0, count: World.traits.count), count: World.nodeCount)

    /// The value that each node has of its own for each trait; 0 for none.
    private func values(of state: SessionState) -> [[Int]] {
        if world.scripted.contains(where: { $0.name == state.name }) { return [] }
        return (0..<World.nodeCount).map { number in
            guard let node = state.hierarchy.node("n\(number)") else { return [] }
            var json = JSONWriter()
            NodeWriter.write(node, of: state, into: &json)
            let text = json.array()
            return World.traits.map { Self.value(of: $0, in: text[...]) ?? 0 }
        }
    }

    /// The number behind the name of a trait.
    private static func value(of trait: String, in text: ArraySlice<UInt8>) -> Int? {
        let key = Array("\"\(trait)\":".utf8)
        for start in text.indices where text[start...].starts(with: key) {
            let digits = text[(start + key.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}
