// Documents applied to sessions: the plan says what the apply does, its operations lead another copy of the
// session to the same state, a second apply has nothing to do, what is refused leaves no trace, and the log
// rebuilds the outcome.
//
// Most documents are those of a copy of the session that random writes have changed: values, order, moves,
// nodes, definitions, registrations, scopes, colours, images and environment values differ in ways that an
// apply can bring about. Some are those of a session that has nothing to do with it, which are refused as a
// rule.

import JSONCodec
import SeededRandom
import SessionLog
import SessionViews
import TraitJSON
import TraitSessions

package struct ApplyRun {
    package let seed: UInt64
    package private(set) var tally: [String: Int] = [:]
    private static let rounds = 3
    private static let managers = ["ci", "ops"]

    package init(seed: UInt64) { self.seed = seed }

    /// Returns the failure; nil when the run succeeded.
    package mutating func run() -> String? {
        do {
            try play()
            return nil
        } catch {
            return "apply, seed \(seed): \(error)"
        }
    }

    private mutating func play() throws {
        var generator = ScriptGenerator(seed: seed &+ 1_000_000)
        let creation = generator.creation()
        let stage = try Stage(seed: seed ^ 0x5EED, creation)
        defer { stage.close() }
        for _ in 0..<20 {
            _ = stage.accepts(generator.next(stage.leader, isAccepted: stage.accepts))
        }
        for round in 0..<Self.rounds {
            let document =
                seed % 8 == 0 && round == 0
                ? try unrelated(creation) : try changed(stage, &generator)
            var options = ApplyOptions()
            if generator.random.chance(80) {
                options.manager = generator.pick(Self.managers)
                options.prune = generator.random.chance(50)
            }
            options.force = generator.random.chance(30)
            if try apply(document, options, to: stage, &generator) { continue }
            options.force = true
            _ = try apply(document, options, to: stage, &generator)
        }
    }

    // MARK: - Documents

    /// The document of another session of the same settings.
    private func unrelated(_ creation: String) throws -> [UInt8] {
        let source = try Stage(seed: seed, creation)
        defer { source.close() }
        var generator = ScriptGenerator(seed: seed)
        _ = generator.creation()
        for _ in 0..<20 {
            _ = source.accepts(generator.next(source.leader, isAccepted: source.accepts))
        }
        return try Stage.export(source.leader, .specified)
    }

    /// The document of a copy that a few writes have changed.
    private mutating func changed(
        _ stage: Stage, _ generator: inout ScriptGenerator
    ) throws -> [UInt8] {
        let copy = try stage.fork()
        for _ in 0..<generator.random.below(14) {
            let write = generator.next(copy.leader, isAccepted: copy.accepts)
            if copy.accepts(write) { count("apply: write to the document") }
        }
        let document = try Stage.export(copy.leader, .specified)
        let head = copy.leader.head
        do throws(SessionError) {
            _ = try copy.apply(document, ApplyOptions(), isPlan: false)
        } catch {
            throw Differs("a session refuses its own document: \(error.detail)")
        }
        try expect(copy.leader.head == head, "a session's own document changed it")
        return document
    }

    // MARK: - Applying

    /// - Returns: whether it was accepted.
    private mutating func apply(
        _ document: [UInt8], _ options: ApplyOptions, to stage: Stage,
        _ generator: inout ScriptGenerator
    ) throws -> Bool {
        let session = stage.leader
        let (before, head) = (session.digest, session.head)
        let plan: String
        do throws(SessionError) {
            plan = try stage.apply(document, options, isPlan: true)
        } catch {
            count("apply refused \(error.code.rawValue)")
            try expect(error.code != .internalError, "internal error: \(error.detail)")
            try expect(
                session.digest == before && session.head == head, "a refused plan left its mark")
            let refusal = Result { () throws(SessionError) in
                try stage.apply(document, options, isPlan: false)
            }
            guard case .failure(let second) = refusal, second.code == error.code else {
                throw Differs("a plan was refused with \(error.code), and the apply was not")
            }
            try expect(
                session.digest == before && session.head == head, "a refused apply left its mark")
            return false
        }
        try expect(session.digest == before && session.head == head, "a plan left its mark")
        let token = try token(of: plan)
        try expect(
            token.uid == session.uid && token.revision == head, "the plan's token is \(token)")
        let copy = try stage.fork()
        if generator.random.chance(20) {
            try applyLate(document, options, token, to: copy, &generator)
            return try apply(document, options, to: stage, &generator)
        }
        _ = try stage.apply(document, options, isPlan: false, after: token)
        let isUnchanged = session.head == head
        let operations = isUnchanged ? "[]" : try stage.operations(of: session.head)
        try expect(
            plan.contains("\"operations\":" + operations),
            "the plan \(plan) is not what was done: \(operations)")
        count(isUnchanged ? "apply without effect" : "apply accepted")
        let after = session.digest
        try repeatPlan(operations, on: copy, leadsTo: stage)
        let last = session.head
        _ = try stage.apply(document, options, isPlan: false)
        try expect(
            session.digest == after && session.head == last,
            "the same document again changed something")
        let loaded = try stage.load()
        try expect(loaded.digest == after, "an apply was loaded differently")
        try session.writeSnapshot()
        try expect(try stage.load().digest == after, "a snapshot lost something of an apply")
        return true
    }

    /// The operations of a plan, as a transaction, lead to what the apply led to.
    private func repeatPlan(_ operations: String, on copy: Stage, leadsTo stage: Stage) throws {
        if operations != "[]" { _ = try copy.client.transaction(operations, to: copy.leader) }
        try expect(
            copy.leader.digest.content == stage.leader.digest.content,
            "the operations of the plan lead to another state: \(operations)")
        try expectEqual(
            try Stage.export(copy.leader, .specified), try Stage.export(stage.leader, .specified),
            "the exports after the plan's operations and after the apply")
    }

    /// The session moves on between plan and apply.
    private mutating func applyLate(
        _ document: [UInt8], _ options: ApplyOptions, _ token: PlanToken, to copy: Stage,
        _ generator: inout ScriptGenerator
    ) throws {
        let head = copy.leader.head
        for _ in 0..<10 where copy.leader.head == head {
            _ = copy.accepts(generator.next(copy.leader, isAccepted: copy.accepts))
        }
        if copy.leader.head == head { return }
        let before = copy.leader.digest
        let outcome = Result { () throws(SessionError) in
            try copy.apply(document, options, isPlan: false, after: token)
        }
        guard case .failure(let error) = outcome, error.code == .revisionMismatch else {
            throw Differs("a stale plan was not refused as such: \(outcome)")
        }
        try expect(
            copy.leader.digest == before && copy.leader.head > head, "a stale plan left its mark")
        count("apply of a stale plan refused")
    }

    private func token(of plan: String) throws -> PlanToken {
        let text = plan.suffix(behind: #""planToken":""#).prefix { $0 != "\"" }
        guard let token = PlanToken(String(text)) else { throw Differs("no token in \(plan)") }
        return token
    }

    private mutating func count(_ what: String) { tally[what, default: 0] += 1 }
}

extension Stage {
    /// Applies a document to the leader, or plans it. Returns the answer.
    ///
    /// - Parameter token: of the plan that the session has to be at.
    func apply(
        _ document: [UInt8], _ options: ApplyOptions, isPlan: Bool, after token: PlanToken? = nil
    ) throws(SessionError) -> String {
        let text = String(decoding: document, as: UTF8.self)
        return try client.withDocument(text) { json throws(SessionError) in
            var proposal = Proposal(.apply(json, options), answer: isPlan ? .plan(1) : .commit)
            proposal.options.dryRun = isPlan
            if let token {
                proposal.options.condition.ifMatch = ListedStates(
                    ["\(token.uid).\(token.revision)"])
            }
            return String(decoding: try client.carryOut(proposal, on: leader), as: UTF8.self)
        }
    }

    /// The operations of a commit, as the log has them.
    func operations(of revision: Int64) throws -> String {
        String(decoding: try operations(of: known(leader.retained[revision]?.entry)), as: UTF8.self)
    }
}

extension String {
    /// What stands behind the first of these words; nothing when there is none.
    fileprivate func suffix(behind word: String) -> Substring {
        var rest = self[...]
        while !rest.isEmpty, !rest.hasPrefix(word) { rest.removeFirst() }
        return rest.dropFirst(word.count)
    }
}

extension Client {
    /// Sends a proposal to a session, and waits for its log. Returns the answer.
    package func carryOut(_ proposal: Proposal, on session: Session) throws(SessionError) -> [UInt8]
    {
        var body = JSONWriter()
        var wakes = WakeList()
        defer { wakes.wake() }
        let response: PendingResponse
        switch try session.commit(
            proposal, text: TextBuffer(), body: &body, wakes: &wakes)
        {
        case .done: return body.array()
        case .held(_, _, let held), .pending(let held): response = held
        case .mustWait: response = session.queue(proposal, isLong: false)
        case .takesLong: response = session.queue(proposal, isLong: true)
        }
        switch Wait.until([response])[0] {
        case .released: return response.body ?? body.array()
        case .refused(let error): throw error
        case .pending, .readAgain:
            throw SessionError(.internalError, "a write was never decided")
        }
    }
}
