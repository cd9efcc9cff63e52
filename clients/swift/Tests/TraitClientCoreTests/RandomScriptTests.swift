// Random scripts of records against a model of the server: whatever is lost, repeated, reordered, damaged or cut, the
// cache ends at the server's values, and its reports always give what it shows.

import Foundation
import Testing

@testable import TraitClientCore

/// A session with its log, which writes streams as traitd does.
struct ModelServer {
    private(set) var values: [String: [String: TraitValue]] = [:]
    private(set) var revision = 1
    private var incarnation = 1
    private var log: [(revision: Int, part: Int, line: String)] = []
    /// Every state that the server had, as it is shown.
    private(set) var states: Set<TraitValue> = []

    init(_ dice: inout Dice) {
        for node in ["a", "b", "c"] {
            values[node] = ["x": Self.value(&dice), "y": Self.value(&dice)]
        }
        states = [shown]
    }

    var shown: TraitValue {
        .object(
            TraitObject(
                values.map { node, traits in
                    (node, .object(TraitObject(traits.map { ($0.key, $0.value) })))
                }))
    }

    static func value(_ dice: inout Dice) -> TraitValue {
        let odd: [TraitValue] = [
            nil, true, false, "", "bold", "h\u{e9}", 0, 1, 1.5, -0.0, ["w": 0, "a": 1.25],
            .object([:]),
        ]
        return odd.randomElement(using: &dice) ?? nil
    }

    /// One commit that changes up to three pairs; its lines.
    mutating func commit(_ dice: inout Dice) -> [String] {
        revision += 1
        var lines: [String] = []
        for part in 0..<Int.random(in: 1...3, using: &dice) {
            let node = ["a", "b", "c"].randomElement(using: &dice) ?? "a"
            let trait = ["x", "y"].randomElement(using: &dice) ?? "x"
            // A pair changes once in a commit.
            guard !lines.contains(where: { $0.contains("\"node\":\"\(node)\"") }) else { continue }
            let value = Self.value(&dice)
            values[node, default: [:]][trait] = value
            // A node comes in one record, so that a record leads from one state to another.
            lines.append(
                change(revision, node, trait, value.description, part: part)
                    .replacing("u.", with: "u\(incarnation)."))
            log.append((revision, part, lines[lines.count - 1]))
            states.insert(shown)
        }
        return lines
    }

    /// Another session gets the name, at a low revision.
    mutating func replace(_ dice: inout Dice) {
        incarnation += 1
        revision = Int.random(in: 1...3, using: &dice)
        log = []
        values = ["a": ["x": Self.value(&dice)], "d": ["z": Self.value(&dice)]]
        states.insert(shown)
    }

    mutating func forgetLog() { log = [] }

    var bookmarkLine: String { named(bookmark(revision, digest: digest(values))) }

    private func named(_ line: String) -> String {
        line.replacing("\"u.", with: "\"u\(incarnation).")
    }

    func state() -> [String] {
        var lines = values.sorted { $0.key < $1.key }.map { node, traits in
            let members = TraitValue.object(TraitObject(traits.map { ($0.key, $0.value) }))
            return TraitClientCoreTests.state(revision, node, members.description)
        }
        lines.append(sync(revision, digest: digest(values)))
        return lines.map(named)
    }

    /// What a connection begins with.
    func connect(_ token: String?) -> [String] {
        guard let token else { return [named(begin(revision))] + state() }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        // A damaged record can leave any token.
        let at = parts.count > 1 ? Int(parts[1]) ?? -1 : -1
        let part = parts.count > 2 ? Int(parts[2]) ?? 0 : Int.max
        // A token inside of a commit needs the rest of that commit.
        let isWhole = part == .max || log.contains { $0.revision == at }
        let isKnown =
            parts[0] == "u\(incarnation)" && isWhole
            && (at == revision || log.contains { $0.revision == at + 1 })
        guard isKnown, at <= revision else {
            return [named(begin(revision)), named(plain("reset", revision))] + state()
        }
        let missed = log.filter { $0.revision > at || $0.revision == at && $0.part > part }
        return [named(begin(at))] + missed.map(\.line)
    }
}

extension Dice {
    /// For a random script, or for the one whose seed is in the environment variable `SCRIPT_SEED`.
    static func forScript() -> Dice {
        let given = ProcessInfo.processInfo.environment["SCRIPT_SEED"].flatMap { UInt64($0) }
        return Dice(seed: given ?? .random(in: 0...UInt64.max))
    }
}

@Suite struct RandomScriptTests {
    enum Damage: CaseIterable { case lose, duplicate, swap, corrupt, wrongDigest, cut, lower }

    @Test(
        "the cache ends at the server's values, and its reports give what it shows",
        arguments: 0..<300)
    func script(_ round: Int) throws {
        var dice = Dice.forScript()
        var script = Script(dice: dice, kinds: Damage.allCases)
        try script.run(&dice)
    }

    @Test("without false records, every state shown was one of the server's", arguments: 0..<300)
    func honest(_ round: Int) throws {
        var dice = Dice.forScript()
        var script = Script(dice: dice, kinds: [.duplicate, .cut, .wrongDigest, .lower])
        script.isHonest = true
        try script.run(&dice)
    }

    struct Script {
        var server: ModelServer
        var cache = StreamCache()
        var replayed: [String: [String: TraitValue]] = [:]
        let kinds: [Damage]
        var isHonest = false

        init(dice: Dice, kinds: [Damage]) {
            var dice = dice
            (server, self.kinds) = (ModelServer(&dice), kinds)
        }

        mutating func run(_ dice: inout Dice) throws {
            for _ in 0..<Int.random(in: 2...12, using: &dice) {
                if dice.chance(10) { server.replace(&dice) }
                if dice.chance(10) { server.forgetLog() }
                _ = try connection(&dice, damage: true)
                for _ in 0..<Int.random(in: 0...2, using: &dice) { _ = server.commit(&dice) }
            }
            // Without damage two connections are enough: the first may find that the cache is wrong.
            if try !connection(&dice, damage: false) {
                #expect(try connection(&dice, damage: false), "\(dice)")
            }
            #expect(cache.isCurrent, "\(dice)")
            #expect(Fed(cache: cache).shown == server.shown, "\(dice)")
            #expect(cache.revision == Int64(server.revision), "\(dice)")
        }

        /// Whether the connection came to its end without a fault.
        mutating func connection(_ dice: inout Dice, damage: Bool) throws -> Bool {
            var lines = server.connect(cache.connect())
            for _ in 0..<Int.random(in: 0...6, using: &dice) {
                switch Int.random(in: 0..<10, using: &dice) {
                case 0:
                    lines +=
                        [plain("reset", server.revision).replacing("other", with: "no.1")]
                        + server.state()
                case 1:
                    lines +=
                        [plain("gap", server.revision).replacing("other", with: "no.1")]
                        + server.state()
                case 2, 3: lines.append(server.bookmarkLine)
                default: lines += server.commit(&dice)
                }
            }
            lines.append(server.bookmarkLine)
            if damage, dice.chance(80) { self.damage(&lines, &dice) }
            for line in lines {
                guard let record = try? StreamRecord(line: line.utf8) else { return false }
                let wasComplete = cache.isComplete
                let step = cache.receive(record)
                check(step, wasComplete: wasComplete, dice)
                if case .fault = step.connection { return false }
            }
            return true
        }

        mutating func check(_ step: StreamStep, wasComplete: Bool, _ dice: Dice) {
            let shown = cache.values.snapshot
            #expect(wasComplete || step.changes.isEmpty, "\(dice)")
            for change in step.changes {
                #expect(replayed[change.node]?[change.trait] == change.previous, "\(dice)")
                #expect(change.previous?.canonical != change.current?.canonical, "\(dice)")
                replayed[change.node, default: [:]][change.trait] = change.current
                if replayed[change.node]?.isEmpty == true { replayed[change.node] = nil }
            }
            if !wasComplete { replayed = shown }
            #expect(replayed == shown, "\(dice)")
            #expect(cache.isComplete || shown.isEmpty, "\(dice)")
            if isHonest, cache.isComplete {
                let shown = Fed(cache: cache).shown
                let wasTrue = server.states.contains(shown)
                #expect(wasTrue, "\(dice): \(shown) was never a state of the server")
            }
        }

        func damage(_ lines: inout [String], _ dice: inout Dice) {
            let place = Int.random(in: 0..<lines.count, using: &dice)
            switch kinds.randomElement(using: &dice) {
            case .lose: lines.remove(at: place)
            case .duplicate: lines.insert(lines[place], at: place)
            case .swap: lines.swapAt(place, Int.random(in: 0..<lines.count, using: &dice))
            case .corrupt:
                var bytes = Array(lines[place].utf8)
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(
                    in: 0x20...0x7E, using: &dice)
                lines[place] = String(decoding: bytes, as: UTF8.self)
            case .wrongDigest:
                lines.insert(
                    bookmark(1 << 40, digest: String(repeating: "f", count: 16)), at: place)
            case .cut:
                let whole = lines[place]
                lines.removeSubrange(place...)
                if dice.chance(50) { lines.append(String(whole.prefix(whole.count / 2))) }
            case .lower: lines.insert(change(0, "a", "x", "\"never\""), at: place)
            case nil: break
            }
        }
    }
}
