// Windows of random trees against a naive walk, while nodes come, go and move and values change.

import SeededRandom
import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Rows of random trees")
struct RowModelTests {
    private struct Script {
        var random: SeededRandom
        var made = 0
        var names: [String] = []

        mutating func name() -> String { random.pick(names) ?? "none" }

        mutating func operation() -> JSON {
            let chosen = name()
            let node = JSON.string(chosen)
            switch random.below(12) {
            case 0...4:
                made += 1
                let kind = random.pick(["environment", "environment", "windowScene", "view"])
                let label = JSON.string("Label \(random.below(9))")
                return .createNode(
                    "n\(made)", kind ?? "", in: random.chance(80) ? chosen : nil,
                    random.chance(20) ? ["label": label] : [:])
            case 5:
                return [
                    "op": "moveNode", "node": node,
                    random.pick(["before", "after"]) ?? "": .string(name()),
                ]
            case 6: return ["op": "moveNode", "node": node, "parent": .string(name())]
            case 7:
                return random.chance(40)
                    ? ["op": "deleteNode", "node": node]
                    : [
                        "op": "updateNode", "node": node,
                        "label": .string("Mark \(random.below(9))"),
                    ]
            case 8:
                made += 1
                return [
                    "op": "register", "registration": .string("r\(made)"), "node": node,
                    "traits": ["displayScale"],
                ]
            case 9: return ["op": "setSupplied", "node": node, "trait": "displayScale", "value": 2]
            case 10:
                return [
                    "op": "removeOverride", "node": node, "trait": "displayScale",
                ]
            default:
                let (trait, value) =
                    random.pick([
                        ("accessibilityContrast", JSON.string("high")), ("displayGamut", "P3"),
                        ("displayScale", 3),
                    ]) ?? ("", .null)
                return ["op": "setOverride", "node": node, "trait": .string(trait), "value": value]
            }
        }

        mutating func query() -> RowQuery {
            var query = RowQuery()
            if random.chance(50) { query.depth = random.below(6) }
            if random.chance(50) { query.open = Set((0..<random.below(8)).map { _ in name() }) }
            if random.chance(50) { query.closed = Set((0..<random.below(8)).map { _ in name() }) }
            if random.chance(10) { query.open.insert("unknown") }
            if random.chance(60) {
                if random.chance(60) {
                    query.text = random.pick(["1", "n2", "LABEL", "mark 3", "zz"])
                }
                if random.chance(30) { query.overriding = random.pick(RowModel.catalogue) }
                if random.chance(20) { query.kind = random.pick(["environment", "view"]) }
                query.only = query.isSearch && random.chance(60)
                if query.isSearch, random.chance(70) { query.hitFrom = random.below(60) }
            }
            if random.chance(40) {
                query.at = name()
            } else if random.chance(80) {
                query.from = random.below(80)
            }
            if random.chance(80) { query.count = 1 + random.below(40) }
            return query
        }
    }

    @Test("Each window is that of a naive walk", arguments: ["immediate", "layout"], 1...4)
    func windows(updates: String, seed: Int) throws {
        let session = try InProcessService().session("rows", ["updates": .string(updates)])
        var script = Script(random: SeededRandom(seed: UInt64(seed) &* 7_919))
        var kinds: Set<String> = []
        for round in 0..<30 {
            for _ in 0..<(round < 6 ? 24 : 6) {
                // Some are refused: cycles, and kinds that cannot stand there.
                _ = try session.send("POST", "transactions", ["operations": [script.operation()]])
                if round == 0 { script.names = (1...max(1, script.made)).map { "n\($0)" } }
            }
            if updates == "layout", round % 2 == 1 {
                _ = try session.send("POST", "layout", [:]).success()
            }
            let model = try RowModel(session)
            script.names = model.names
            for _ in 0..<4 {
                var query = script.query()
                if let at = query.at, !model.names.contains(at) { query.at = nil }
                let answer = try session.send("POST", "rows", query.body).expecting(200).json
                guard var members = answer.object else { continue }
                members["uid"] = nil
                members["revision"] = nil
                let expected = model.answer(query)
                #expect(
                    JSON.object(members) == expected,
                    "\(updates), seed \(seed), round \(round): \(query.body.text)")
                for row in members["rows"]?.array ?? [] {
                    kinds.insert(row["state"]?.string ?? "current")
                }
            }
        }
        #expect(kinds.contains("current"))
        if updates == "layout" { #expect(kinds.contains("pending")) }
    }
}
