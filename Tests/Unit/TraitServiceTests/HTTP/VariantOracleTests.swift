// Each row of variants is what a copy of the session shows after the same operations were written to it.

import Foundation
import SeededRandom
import TestSupport
import Testing

@Suite("Variants against copies of the session")
struct VariantOracleTests {
    /// Random sessions; 20 rows of each are compared. `VARIANT_SESSIONS` asks for more.
    static let sessions: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["VARIANT_SESSIONS"].flatMap { UInt64($0) } ?? 12)

    @Test("A row is what a copy shows after the operations of its values", arguments: sessions)
    func oracle(seed: UInt64) throws {
        var world = VariantWorld(seed: seed)
        let service = try InProcessService()
        let session = try service.session("s", world.body())
        _ = try session.send("POST", "transactions", ["operations": .array(world.setup())])
            .expecting(200)
        if world.isLayout, world.random.chance(70) {
            _ = try session.send("POST", "layout", [:]).success()
        }
        let document = try session.get("export").expecting(200).json.without("name").text
        let digest = try session.state()
        var compared = 0
        for round in 0..<40 where compared < 20 {
            let name = "seed \(seed), round \(round)"
            let (axes, effects) = world.axes()
            var body: [String: JSON] = [
                "nodes": .array(world.nodes.map { .string($0) }), "axes": .array(axes),
                "colors": "all", "reads": ["userInterfaceStyle", "title", "displayScale", "key"],
            ]
            if world.random.chance(30) { body["strength"] = 2 }
            let answer = try session.send("POST", "variants", .object(body))
            #expect(try session.state() == digest, "\(name)")
            guard answer.status == 200 else {
                // The first refusal of a row is that of the copy, too.
                #expect((400..<500).contains(answer.status), "\(name): \(answer.text)")
                continue
            }
            let lines = try answer.lines()
            for row in lines.dropFirst().dropLast() where compared < 20 {
                let shown = try Self.shown(
                    service, document, lines[0], row, effects, isLayout: world.isLayout, body)
                #expect(row["nodes"] == shown, "\(name), \(row["labels"]?.text ?? "")")
                compared += 1
            }
        }
        #expect(compared == 20, "seed \(seed)")
    }

    /// What a copy of the session shows after the operations of a row.
    private static func shown(
        _ service: InProcessService, _ document: String, _ head: JSON, _ row: JSON,
        _ effects: [String: [String: [JSON]]], isLayout: Bool, _ body: [String: JSON]
    ) throws -> JSON? {
        let copy = try SessionClient("copy", on: service.url, keeping: service)
        let target = "/v1/sessions/s/import?as=copy"
        _ = try copy.client.send(HTTPRequest("PUT", target, text: document)).expecting(201)
        defer { _ = try? copy.delete("") }
        for axis in head["axes"]?.array ?? [] {
            let name = axis["name"]?.string ?? ""
            let label: JSON = row["labels"]?[name] ?? .null
            let operations = try #require(effects[name]?[label.string ?? label.text])
            _ = try copy.send("POST", "transactions", ["operations": .array(operations)])
                .expecting(200)
        }
        if isLayout { _ = try copy.send("POST", "layout", [:]).success() }
        return try copy.send(
            "POST", "resolve",
            [
                "nodes": body["nodes"] ?? nil, "colors": "all", "environment": ["key"],
                "traits": ["userInterfaceStyle", "title", "displayScale"],
            ]
        ).expecting(200).json["nodes"]
    }
}

extension HTTPResponse {
    /// The lines of NDJSON.
    func lines() throws -> [JSON] {
        try body.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }
}

/// A random session, and axes for it.
struct VariantWorld {
    var random: SeededRandom
    let isLayout: Bool
    let nodes = (0..<10).map { "n\($0)" }
    private var made = 0

    init(seed: UInt64, isLayout: Bool? = nil) {
        var random = SeededRandom(seed: seed &* 7_919)
        self.isLayout = isLayout ?? random.chance(50)
        self.random = random
    }

    mutating func body() -> JSON {
        let kinds =
            isLayout
            ? ["windowScene", "window", "viewController"]
            : ["environment", "environment", "environment"]
        var all: [JSON] = []
        for (number, name) in nodes.enumerated() {
            let parent = isLayout && number == 3 ? 1 : number > 4 ? 3 + random.below(number - 3) : 3
            all.append(
                .node(
                    name, number < 3 ? kinds[number] : isLayout ? "view" : "environment",
                    in: number == 0 ? nil : nodes[number < 3 ? number - 1 : parent]))
        }
        if !isLayout { all[3] = .node("n3", in: "n2") }
        return [
            "updates": isLayout ? "layout" : "immediate", "nodes": .array(all),
            "traits": ["title": ["type": "string", "default": "none"]],
        ]
    }

    /// Definitions, and values of nodes.
    mutating func setup() -> [JSON] {
        var operations: [JSON] = [
            [
                "op": "defineEnvironmentKey", "key": "key",
                "definition": ["type": "int", "default": 0],
            ],
            [
                "op": "defineColor", "color": "ink",
                "definition": [
                    "variants": [
                        ["when": ["userInterfaceStyle": "dark"], "value": "#fff"],
                        ["value": "#000"],
                    ]
                ],
            ],
        ]
        for _ in 0..<random.below(12) { operations.append(value(at: node())) }
        return operations
    }

    private mutating func node() -> String { nodes[random.below(nodes.count)] }

    private mutating func value(at node: String) -> JSON {
        switch random.below(4) {
        case 0:
            // Long values are pooled.
            let title = String(
                repeating: random.chance(50) ? "a" : "b", count: 1 + random.below(40))
            return .setOverride("title", at: node, .string(title))
        case 1:
            return [
                "op": "setSupplied", "node": .string(node), "trait": "displayScale",
                "value": .int(Int64(1 + random.below(3))),
            ]
        case 2:
            return [
                "op": "setEnvironment", "node": .string(node), "key": "key",
                "value": .int(Int64(random.below(4))),
            ]
        default:
            return .setOverride(
                "userInterfaceStyle", at: node, random.chance(50) ? "dark" : "light")
        }
    }

    mutating func operation() -> JSON {
        let name = JSON.string(node())
        switch random.below(10) {
        case 0: return ["op": "clearOverrides", "node": name]
        case 1: return ["op": "moveNode", "node": name, "parent": .string(node())]
        case 2: return ["op": "removeOverride", "node": name, "trait": "userInterfaceStyle"]
        case 3:
            made += 1
            return [
                "op": "createNode", "node": .string("m\(made)"),
                "kind": isLayout ? "view" : "environment", "parent": "n3",
                "overrides": ["title": "made"],
            ]
        case 4: return ["op": "setScope", "node": name, "scope": "draw", "reads": ["title"]]
        case 5:
            made += 1
            return [
                "op": "register", "registration": .string("r\(made)"), "node": name,
                "traits": ["title"],
            ]
        default: return value(at: node())
        }
    }

    /// Axes of all forms, and the operations that each label stands for.
    mutating func axes() -> ([JSON], [String: [String: [JSON]]]) {
        var axes: [JSON] = []
        var effects: [String: [String: [JSON]]] = [:]
        for number in 0..<1 + random.below(4) {
            let (name, place) = ("axis\(number)", node())
            switch random.below(4) {
            case 0:
                axes.append([
                    "name": .string(name), "trait": "userInterfaceStyle", "at": .string(place),
                ])
                for style in ["light", "dark"] {
                    effects[name, default: [:]][style] = [
                        .setOverride("userInterfaceStyle", at: place, .string(style))
                    ]
                }
            case 1:
                axes.append([
                    "name": .string(name), "trait": "displayScale", "at": .string(place),
                    "cases": [1, 3],
                ])
                for scale: Int64 in [1, 3] {
                    effects[name, default: [:]]["\(scale)"] = [
                        .setOverride("displayScale", at: place, .int(scale))
                    ]
                }
            case 2:
                let devices = ["iPhone SE", "iPad Pro 11"]
                axes.append([
                    "name": .string(name), "devices": .array(devices.map { .string($0) }),
                    "at": .string(place), "settings": ["dark"],
                ])
                for device in devices {
                    effects[name, default: [:]][device] = [
                        [
                            "op": "setDevice", "node": .string(place), "device": .string(device),
                            "settings": ["dark"],
                        ]
                    ]
                }
            default:
                var values: [String: JSON] = [:]
                for value in 0..<1 + random.below(3) {
                    let operations = (0..<random.below(4)).map { _ in operation() }
                    effects[name, default: [:]]["v\(value)"] = operations
                    values["v\(value)"] = .array(operations)
                }
                axes.append(["name": .string(name), "values": .object(values)])
            }
        }
        return (axes, effects)
    }
}
