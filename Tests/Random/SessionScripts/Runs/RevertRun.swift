// Reverts of random sessions. States are remembered as snapshots while a script of writes and applies goes on. A
// revert to a remembered state leads to the document of that state, but for registrations and scopes, which stay.
// A dry run and a refusal leave no trace, a second revert has nothing to do, and the log rebuilds the outcome.

import JSONCodec
import SeededRandom
import SessionLog
import SessionViews
import TraitJSON
import TraitSessions

package struct RevertRun {
    package let seed: UInt64
    package private(set) var tally: [String: Int] = [:]
    private static let rounds = 4
    /// Whether reverts of subtrees move nodes.
    private var moves = false

    private struct Remembered {
        let snapshot: SessionSnapshot
        let document: [UInt8]
    }

    package init(seed: UInt64) { self.seed = seed }

    /// Returns the failure; nil when the run succeeded.
    package mutating func run() -> String? {
        do {
            try play()
            return nil
        } catch {
            let detail = (error as? SessionError).map { "\($0.code) \($0.detail)" } ?? "\(error)"
            return "revert, seed \(seed): \(detail)"
        }
    }

    private mutating func play() throws {
        var generator = ScriptGenerator(seed: seed &+ 3_000_000)
        let stage = try Stage(seed: seed ^ 0x2E5E, generator.creation())
        defer { stage.close() }
        var remembered: [Remembered] = []
        for round in 0..<Self.rounds {
            for _ in 0..<12 {
                // Overrides with a `ttl` of some seconds are over, and end, or are not ended yet.
                stage.clock.move(by: Int64(generator.random.below(1_000)))
                if generator.random.chance(30) { try stage.endValues(hasCopies: false) }
                _ = stage.accepts(generator.next(stage.leader, isAccepted: stage.accepts))
                if generator.random.chance(25) { remembered.append(try remember(stage.leader)) }
            }
            if generator.random.chance(60) { try adopt(stage, &generator) }
            remembered.append(try remember(stage.leader))
            guard round > 0 else { continue }
            let target = remembered[generator.random.below(remembered.count)]
            let nodes = generator.random.chance(30) ? [generator.pick(ScriptGenerator.nodes)] : nil
            moves = generator.random.chance(70)
            try revert(stage, to: target, nodes)
        }
    }

    private func remember(_ session: Session) throws -> Remembered {
        let snapshot = try session.withState { state throws(SessionError) in try state.snapshot() }
        return Remembered(
            snapshot: snapshot, document: try Stage.export(try snapshot.session(), .state))
    }

    /// Gives what the session has a manager, so that later writes take managers away.
    private mutating func adopt(_ stage: Stage, _ generator: inout ScriptGenerator) throws {
        var options = ApplyOptions()
        options.manager = generator.pick(["ci", "ops"])
        options.force = generator.random.chance(50)
        let document = try Stage.export(stage.leader, .specified)
        do throws(SessionError) {
            _ = try stage.apply(document, options, isPlan: false)
        } catch {
            try expect(error.code == .managed, "an adoption was refused: \(error.detail)")
        }
    }

    private mutating func revert(
        _ stage: Stage, to target: Remembered, _ nodes: [String]?
    ) throws {
        let session = stage.leader
        let (before, head) = (session.digest, session.head)
        let revert = Revert(
            to: target.snapshot.revision, try target.snapshot.session(), nodes: nodes,
            moves: moves)
        let plan: String
        do throws(SessionError) {
            plan = try stage.revert(revert, isDryRun: true)
        } catch {
            try expect(error.code != .internalError, "internal error: \(error.detail)")
            try expect(
                session.digest == before && session.head == head, "a refused plan left its mark")
            let second = Result { () throws(SessionError) in
                try stage.revert(revert, isDryRun: false)
            }
            guard case .failure(let refusal) = second, refusal.code == error.code else {
                throw Differs("a plan was refused with \(error.code), and the revert was not")
            }
            try expect(
                session.digest == before && session.head == head, "a refused revert left its mark")
            count("refused \(error.code.rawValue)")
            if nodes == nil { try expectNamed(error, stage) }
            let mayBe: [SessionErrorCode] =
                nodes == nil
                ? [.inUse]
                : [
                    .unknownNode, .unknownParent, .unknownController, .unknownTrait, .inUse,
                    .unknownEnvironmentKey, .typeMismatch, .kindMismatch, .secondRootView,
                ]
            try expect(
                mayBe.contains(error.code), "a revert was refused: \(error.code) \(error.detail)")
            return
        }
        try expect(session.digest == before && session.head == head, "a plan left its mark")
        let stale = Result { () throws(SessionError) in
            try stage.revert(revert, isDryRun: false, ifMatch: "\(session.uid).\(head + 1)")
        }
        guard case .failure(let error) = stale, error.code == .revisionMismatch else {
            throw Differs("If-Match did not keep a revert from happening")
        }
        _ = try stage.revert(
            revert, isDryRun: false, ifMatch: "\(session.uid).\(head)")
        let isUnchanged = session.head == head
        try expect(isUnchanged || session.head == head + 1, "a revert took several commits")
        if !isUnchanged {
            let operations = try stage.operations(of: session.head)
            try expect(
                plan.contains("\"operations\":" + operations),
                "the plan \(plan) is not what was done: \(operations)")
            let payload = session.retained[session.head]?.entry.payload ?? []
            if String(decoding: payload, as: UTF8.self).contains("],\"managers\":[") {
                count("gave managers back")
            }
        }
        count(nodes != nil ? "reverted a part" : isUnchanged ? "unchanged" : "reverted")
        if nodes == nil {
            try expectEqual(
                Array(try Self.canonical(target.document, at: stage.clock.now).utf8),
                Array(
                    try Self.canonical(try Stage.export(session, .state), at: stage.clock.now).utf8),
                "the remembered document and that of the reverted session")
        }
        let (after, last) = (session.digest, session.head)
        do throws(SessionError) {
            _ = try stage.revert(revert, isDryRun: false)
        } catch {
            // The node was made later and is gone now, so no state has it any more.
            try expect(nodes != nil && error.code == .unknownNode, "\(error.code) \(error.detail)")
        }
        try expect(
            session.digest == after && session.head == last, "a second revert changed something")
        try expect(try stage.load().digest == after, "a revert was loaded differently")
        try session.writeSnapshot()
        try expect(try stage.load().digest == after, "a snapshot lost something of a revert")
    }

    /// Whether a registration or a scope, which stay, names the definition that has to go.
    private func expectNamed(_ error: SessionError, _ stage: Stage) throws {
        let fact = error.facts.first { $0.name.description == "operation" }
        guard case .json(let text)? = fact?.value
        else { throw Differs("a revert was refused without an operation: \(error.detail)") }
        let tape = JSONTape()
        let name = try text.withUnsafeBytes { bytes in
            let operation = try tape.parse(bytes)
            return ["trait", "color", "image", "key"].compactMap {
                (member: StaticString) in operation.member(member)?.string?.string
            }.first
        }
        // A registration may name a set that has the trait. A trait that the revert renames has another name now.
        let isFollowed = stage.leader.withState { state in
            let trait = name.flatMap { state.hierarchy.definitions.index(of: $0) }
            return trait.map { !state.hierarchy.followers(of: $0).isEmpty } ?? true
        }
        let document = String(
            decoding: try Stage.export(stage.leader, .specified), as: UTF8.self)
        let listeners = document.range(of: #""registrations":"#).map { document[$0.lowerBound...] }
        try expect(
            isFollowed || name.map { listeners?.contains("\"\($0)\"") ?? false } ?? false,
            "no registration or scope names '\(name ?? "")': \(error.detail) \(String(decoding: text, as: UTF8.self))"
        )
    }

    private mutating func count(_ what: String) { tally[what, default: 0] += 1 }

    // MARK: - Documents

    /// What no revert brings back: registrations, scopes, revisions, and what layout sessions show before their next update.
    private static let leftOut: Set<String> = [
        "registrations", "scopes", "frames", "shown", "uid", "revision", "digest", "chain",
        "kept", "keptRevisions", "keptEnvironment", "keptEnvironmentRevisions", "marks", "marked",
        "outdated", "unseen", "overrideRevisions", "suppliedRevisions", "environmentRevisions",
        "revisions", "createdAt", "effectiveLimits", "idempotency", "checksum", "time",
        "createdRevision",
    ]

    /// A text that is the same for documents that say the same of all but what is left out, and overrides that are
    /// over by `now`.
    private static func canonical(_ document: [UInt8], at now: Int64) throws -> String {
        let tape = JSONTape(limits: JSONLimits(depthMax: 64))
        return try document.withUnsafeBytes { canonical(try tape.parse($0), now) }
    }

    private static func canonical(_ json: JSONValue, _ now: Int64) -> String {
        switch json.kind {
        case .object:
            var over: Set<String> = []
            if let ends = json.member("expiresAt"), ends.kind == .object {
                for (trait, text) in ends.members {
                    let time = text.string.flatMap { Timestamp.milliseconds($0.string) }
                    if let time, time <= now { over.insert(trait.string) }
                }
            }
            return members(json) { name, value in
                switch name {
                case "overrides", "expiresAt": values(value, but: over, now)
                case "managers":
                    members(value) { name, value in
                        name == "overrides"
                            ? values(value, but: over, now) : canonical(value, now)
                    }
                default: canonical(value, now)
                }
            }
        case .array:
            return "[" + json.elements.map { canonical($0, now) }.joined(separator: ",") + "]"
        default: return String(decoding: json.rawBytes, as: UTF8.self)
        }
    }

    private static func values(_ json: JSONValue, but over: Set<String>, _ now: Int64) -> String {
        members(json) { name, value in over.contains(name) ? "{}" : canonical(value, now) }
    }

    private static func members(
        _ json: JSONValue, _ text: (String, JSONValue) -> String
    ) -> String {
        guard json.kind == .object else { return String(decoding: json.rawBytes, as: UTF8.self) }
        // Managers of nothing but registrations leave an empty object behind.
        let texts = json.members.filter { !leftOut.contains($0.key.string) }.map {
            ($0.key.string, text($0.key.string, $0.value))
        }.filter { $0.1 != "{}" }.map { "\($0.0):\($0.1)" }
        return "{" + texts.sorted().joined(separator: ",") + "}"
    }
}

extension Stage {
    /// Reverts the leader, or shows what a revert would do. Returns the answer.
    ///
    /// - Parameter state: `uid.revision` that the session has to be at.
    func revert(
        _ revert: Revert, isDryRun: Bool, ifMatch state: String? = nil
    ) throws(SessionError) -> String {
        var proposal = Proposal(.revert(revert), answer: .revert(revert.goal))
        proposal.options.dryRun = isDryRun
        if let state { proposal.options.condition.ifMatch = ListedStates([state]) }
        return String(decoding: try client.carryOut(proposal, on: leader), as: UTF8.self)
    }
}
