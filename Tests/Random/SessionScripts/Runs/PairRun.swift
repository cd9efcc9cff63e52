// Two random valid documents A and B of the same settings: applying A, then B with `prune`, leads to B, whatever
// both are; B again makes no commit; a comparison of A with B leads there as well, by a transaction; and the
// log rebuilds the outcome.
//
// Documents are equal when they say the same. The order of definitions is none that an apply could change, and
// lists of traits follow it, so both are sorted before they are compared.

import JSONCodec
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import TraitJSON
import TraitSessions

package struct PairRun {
    package let seed: UInt64
    private static let writes = 40

    package init(seed: UInt64) { self.seed = seed }

    /// Returns the failure; nil when the run succeeded.
    package func run(on log: any SessionLog = MemoryLog()) -> String? {
        do {
            try play(on: log)
            return nil
        } catch {
            let detail = (error as? SessionError).map { "\($0.code) \($0.detail)" } ?? "\(error)"
            return "pair, seed \(seed): \(detail)"
        }
    }

    private func play(on log: any SessionLog) throws {
        var generator = ScriptGenerator(seed: seed &+ 2_000_000)
        let settings =
            #"{"propagation":"\#(seed % 2 == 0 ? "unified" : "legacy")","updates":"\#(seed % 4 < 2 ? "immediate" : "layout")"}"#
        let (first, writer) = try document(settings, &generator)
        let (second, _) = try document(settings, &generator)
        let (a, b) = (
            try Stage.export(first, .specified), try Stage.export(second, .specified)
        )
        let clock = Clock()
        let client = Client(
            SessionStore(
                limits: Stage.limits, environment: clock.environment(seed: seed), log: log))
        let session = try client.create("pair-\(seed)", settings)
        let other = try client.create("other-\(seed)", settings)
        for target in [session, other] {
            try apply(a, to: target, client, "A")
            try expectSame(a, target, "A")
        }
        try apply(b, to: session, client, "B")
        try expectSame(b, session, "B")
        let (digest, head) = (session.digest, session.head)
        try apply(b, to: session, client, "B again")
        try expect(
            session.digest == digest && session.head == head,
            "B again made a commit: \(Self.text(b))\nA: \(Self.text(a))")
        let left = try comparison(of: second, with: session)
        try expect(left == "[]", "B is compared with what applying B made: \(left)")

        let operations = try comparison(of: second, with: other)
        if operations != "[]" {
            do throws(SessionError) {
                _ = try client.transaction(operations, to: other)
            } catch {
                throw Differs(
                    "the comparison's operations are refused: \(error.pointer ?? "") \(error.detail)\n\(operations)\nA: \(Self.text(a))\nB: \(Self.text(b))"
                )
            }
        }
        // No operation orders scopes, which a comparison takes as a set.
        try expectSame(
            b, other, "B by the comparison's operations \(operations), A: \(Self.text(a))",
            sorting: Self.sorted.union(["scopes"]))
        // Unlike its document, the session has detached nodes that keep values.
        let direct = try comparison(of: second, with: first)
        if direct != "[]" {
            do throws(SessionError) {
                _ = try writer.transaction(direct, to: first)
            } catch {
                throw Differs(
                    "the comparison's operations are refused by the session of A: \(error.pointer ?? "") \(error.detail)\n\(direct)\nA: \(Self.text(a))\nB: \(Self.text(b))"
                )
            }
        }
        try expectSame(
            b, first, "B by the comparison with the session of A: \(direct)",
            sorting: Self.sorted.union(["scopes"]))
        for session in [session, other] {
            let loaded = try Session.load(
                LogSession(name: session.name, uid: session.uid), from: log,
                limits: Stage.limits, environment: clock.environment(seed: seed))
            try expect(loaded.digest == session.digest, "an apply was loaded differently")
        }
    }

    private static func text(_ document: [UInt8]) -> String {
        String(decoding: document, as: UTF8.self)
    }

    /// A session of random writes.
    private func document(
        _ settings: String, _ generator: inout ScriptGenerator
    ) throws -> (Session, Client) {
        let clock = Clock()
        let client = Client(
            SessionStore(limits: Stage.limits, environment: clock.environment(seed: seed)))
        let session = try client.create("source", settings)
        for _ in 0..<Self.writes {
            let write = generator.next(session) { attempt in
                if case .refused = client.send(attempt, to: session) { false } else { true }
            }
            _ = client.send(write, to: session)
        }
        return (session, client)
    }

    private func apply(
        _ document: [UInt8], to session: Session, _ client: Client, _ what: String
    ) throws {
        var options = ApplyOptions()
        options.manager = "ci"
        options.prune = true
        // The name is that of the session that the document was made of.
        let text = Self.text(document).replacing(#""name":"source","#, with: "")
        do throws(SessionError) {
            _ = try client.withDocument(text) { json throws(SessionError) in
                try client.carryOut(Proposal(.apply(json, options)), on: session)
            }
        } catch {
            throw Differs(
                "\(what) was refused: \(error.code.rawValue) at \(error.pointer ?? ""): \(error.detail)\n\(text)\nthe session: \(Self.text(try Stage.export(session, .specified)))"
            )
        }
    }

    private func comparison(of a: Session, with b: Session) throws -> String {
        func frozen(_ session: Session) throws -> Session {
            try session.withState { state throws(SessionError) in try state.snapshot() }.session()
        }
        let comparison = SessionComparison(try frozen(a), try frozen(b))
        while !comparison.prepare() {}
        var json = JSONWriter()
        while !comparison.write(budget: .max, into: &json) {}
        let tape = JSONTape(limits: JSONLimits(depthMax: 64))
        return try json.array().withUnsafeBytes { bytes in
            let list = try known(try tape.parse(bytes).member("operations"))
            return String(decoding: list.rawBytes, as: UTF8.self)
        }
    }

    private func expectSame(
        _ document: [UInt8], _ session: Session, _ what: String,
        sorting: Set<String> = Self.sorted
    ) throws {
        let export = try Stage.export(session, .specified)
        try expectEqual(
            Array(try Self.canonical(document, sorting).utf8),
            Array(try Self.canonical(export, sorting).utf8),
            "the document and the export of \(what)")
    }

    // MARK: - Comparing

    private static let sorted: Set<String> = ["traits", "sets", "reads", "colors", "images"]

    private static func canonical(_ document: [UInt8], _ sorting: Set<String>) throws -> String {
        let tape = JSONTape(limits: JSONLimits(depthMax: 64))
        return try document.withUnsafeBytes {
            canonical(try tape.parse($0), member: "", sorting)
        }
    }

    private static func canonical(
        _ json: JSONValue, member: String, _ sorting: Set<String>
    ) -> String {
        switch json.kind {
        case .object:
            // Named sets are expanded by the definitions that there are when a registration is made.
            let isAsked = json.member("asked") != nil
            let members = json.members.filter {
                ($0.key.string != "name" || member != "")
                    && ($0.key.string != "traits" || !isAsked)
            }
            let texts = members.map { key, value in
                "\(key.string):\(canonical(value, member: key.string, sorting))"
            }
            return "{" + texts.sorted().joined(separator: ",") + "}"
        case .array:
            var elements = json.elements.map { canonical($0, member: "element", sorting) }
            if sorting.contains(member) { elements.sort() }
            return "[" + elements.joined(separator: ",") + "]"
        default: return String(decoding: json.rawBytes, as: UTF8.self)
        }
    }
}
