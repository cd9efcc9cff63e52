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
        /// These operations, in one transaction.
        case operations([String])
        /// What came after the revision is taken back.
        case revert(to: Int64)
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
    /// Whether a thread of its own carries it out, while other requests go on.
    var isLong = false

    var isRenewal: Bool { if case .keep = kind { true } else { false } }

    /// Whether the cause of the commit names the write, as the operations do not.
    func isMarked(_ world: World) -> Bool {
        if case .revert = kind { return true }
        return world.marked.contains(session)
    }

    /// As a transaction has them, or the body of `PUT`.
    fileprivate var body: String {
        switch kind {
        case .operations(let texts): return "[" + texts.joined(separator: ",") + "]"
        case .keep(_, let ttl):
            return #"{"node":"n\#(nodes[0])","traits":["w"],"ttl":\#(ttl)}"#
        default: break
        }
        let texts = nodes.map { node in
            switch kind {
            case .temporary(let ttl):
                #"{"op":"setOverride","node":"n\#(node)","trait":"t","value":\#(value),"ttl":\#(ttl)}"#
            case .register(let id, let ttl):
                #"{"op":"register","registration":"\#(id)","node":"n\#(node)","traits":["w"],"label":"\#(value)","ttl":\#(ttl)}"#
            default:
                #"{"op":"setOverride","node":"n\#(node)","trait":"w","value":\#(value)}"#
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
    /// The value of each node for each trait; none where writes are known by causes.
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
        _ names: Set<String>, all: Bool = false, list: Bool = false, isRenewal: Bool = false,
        until deadline: UInt64? = nil
    ) throws(SessionError) {
        guard let confirmations = store.confirmations else { return }
        var question = LogQuestion()
        question.names = names
        question.wantsAllHeads = all
        question.wantsList = list
        question.isRenewal = isRenewal
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
            try confirm([order.session], isRenewal: order.isRenewal, until: deadline)
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
                        try decide(order, key, in: session, until: deadline)
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
        _ order: WriteOrder, _ key: IdempotentRequest?, in session: Session, until deadline: UInt64
    ) throws(SessionError) -> WriteResult {
        func decide(_ proposal: Proposal) throws(SessionError) -> WriteResult {
            var proposal = proposal
            proposal.options.condition.ifRevision = order.ifRevision
            proposal.options.idempotency = key
            if order.isMarked(world) {
                proposal.options.cause = Array(WriteMark.cause(of: order.value).utf8)
            }
            if order.isLong { return .pending(session.queue(proposal, isLong: true)) }
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
        if case .revert(let revision) = order.kind {
            let (past, _) = try past(of: session, at: .revision(revision), until: deadline)
            let revert = Revert(.revision(revision), .state(past))
            return try decide(Proposal(.revert(revert), answer: .revert(revert.goal)))
        }
        return try withDocument(order.body) { json throws(SessionError) in
            if case .keep(let id, _) = order.kind {
                return try decide(Proposal(.one(.putRegistration(id, try RegistrationBody(json)))))
            }
            return try decide(Proposal(.many(json)))
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
}
