// A document of one random session applied to another one: the plan says what the apply does, a second
// apply has nothing to do, what is refused leaves no trace, and the log rebuilds the outcome.

import JSONCodec
import SeededRandom
import SessionLog
import TraitSessions

package struct ApplyRun {
    package let seed: UInt64
    package private(set) var tally: [String: Int] = [:]

    package init(seed: UInt64) { self.seed = seed }

    /// What went wrong; nil when nothing did.
    package mutating func run() -> String? {
        do {
            try play()
            return nil
        } catch {
            return "apply, seed \(seed): \(error)"
        }
    }

    private mutating func play() throws {
        // From one creation, so that the settings agree.
        var first = ScriptGenerator(seed: seed)
        let creation = first.creation()
        let source = try Stage(seed: seed, creation)
        let target = try Stage(seed: seed ^ 0x5EED, creation)
        defer {
            source.close()
            target.close()
        }
        var second = ScriptGenerator(seed: seed &+ 1_000_000)
        _ = second.creation()
        for _ in 0..<20 {
            _ = source.accepts(first.next(source.leader, isAccepted: source.accepts))
            _ = target.accepts(second.next(target.leader, isAccepted: target.accepts))
        }
        let document = try Stage.export(source.leader, .specified)
        for round in 0..<2 {
            var options = ApplyOptions()
            options.manager = second.random.chance(80) ? "ci" : nil
            options.prune = options.manager != nil && second.random.chance(50)
            options.force = round == 1
            if try apply(document, options, to: target) { break }
        }
    }

    /// - Returns: whether it was accepted.
    private mutating func apply(
        _ document: [UInt8], _ options: ApplyOptions, to stage: Stage
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
            return false
        }
        try expect(session.digest == before && session.head == head, "a plan left its mark")
        _ = try stage.apply(document, options, isPlan: false)
        let operations = session.head == head ? "[]" : try stage.operations(of: session.head)
        try expect(
            plan.contains("\"operations\":" + operations)
                || plan.contains("\"operationsTruncated\":true"),
            "the plan \(plan) is not what was done: \(operations)")
        count(session.head == head ? "apply unchanged" : "apply")
        let after = session.digest
        _ = try stage.apply(document, options, isPlan: false)
        try expect(session.digest == after, "the same document again changed something")
        let loaded = try stage.load()
        try expect(loaded.digest == after, "an apply was loaded differently")
        try session.writeSnapshot()
        try expect(try stage.load().digest == after, "a snapshot lost something of an apply")
        return true
    }

    private mutating func count(_ what: String) { tally[what, default: 0] += 1 }
}

extension Stage {
    /// Applies a document to the leader, or plans it. Returns the answer.
    func apply(
        _ document: [UInt8], _ options: ApplyOptions, isPlan: Bool
    ) throws(SessionError) -> String {
        let tape = JSONTape()
        let result = document.withUnsafeBytes { bytes in
            Result { () throws(SessionError) in
                try tape.withDocument(bytes, refusal: SessionError.init) {
                    json throws(SessionError) in
                    var proposal = Proposal(
                        .apply(json, options), answer: isPlan ? .plan(1) : .commit)
                    proposal.options.dryRun = isPlan
                    let answer = try client.carryOut(proposal, on: leader)
                    return String(decoding: answer, as: UTF8.self)
                }
            }
        }
        return try result.get()
    }

    /// The operations of a commit, as the log has them.
    func operations(of revision: Int64) throws -> String {
        String(decoding: try operations(of: known(leader.retained[revision]?.entry)), as: UTF8.self)
    }
}

extension Client {
    /// Sends a proposal to a session whose log answers at once. Returns the answer.
    func carryOut(_ proposal: Proposal, on session: Session) throws(SessionError) -> [UInt8] {
        var body = JSONWriter()
        var wakes = WakeList()
        defer { wakes.wake() }
        let isLong: Bool
        switch try session.commit(
            proposal, text: TextBuffer(), body: &body, wakes: &wakes)
        {
        case .done: return body.array()
        case .pending: throw SessionError(.internalError, "a log that answers at once waited")
        case .mustWait: isLong = false
        case .takesLong: isLong = true
        }
        let response = session.queue(proposal, isLong: isLong)
        switch Wait.until([response])[0] {
        case .released: return response.body
        case .refused(let error): throw error
        case .pending, .readAgain:
            throw SessionError(.internalError, "a write was never decided")
        }
    }
}
