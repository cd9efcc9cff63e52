// Scripts over HTTP, every step through the endpoint that a client would use, in a session that
// updates as UIKit does. What is read as a collection is what the service writes as one.

import ConformanceCases
import TestSupport
import Testing

@MainActor
final class HTTPWorld: VectorWorld {
    typealias JSON = TestSupport.JSON
    typealias Collection = [String: JSON]

    private let session: SessionClient
    /// Definitions by key: defaults, and what the names of cases stand for in scripts.
    private var definitions: [String: JSON] = [:]
    private var handlers: [String: @MainActor (Collection, Collection) -> Void] = [:]
    /// Where the changes begin that no handler has had, and where all begin.
    private var (cursor, start) = ("0", "0")
    /// Every change that a handler has had, to be compared with what a stream delivers.
    private var told: [JSON] = []

    private static let traits: JSON = [
        "theme": [
            "type": "int", "default": 0, "identifier": "com.example.theme",
            "affectsColorAppearance": true,
        ],
        "contained": ["type": "bool", "default": false],
    ]

    init(_ script: VectorCase, on service: InProcessService) throws {
        let nodes = try TreeShape.nodes(script.tree ?? "T0").map { node -> JSON in
            let kind =
                switch node.kind {
                case .scene: "windowScene"
                case .window: "window"
                case .presentation: "presentationController"
                case .controller: "viewController"
                case .view: "view"
                }
            let made: JSON = [
                "id": .string(node.name), "kind": .string(kind),
                "parent": node.parent.map(JSON.string) ?? nil,
            ]
            return node.controller.map { made.with("controller", .string($0)) } ?? made
        }
        session = try service.session(
            "vector-\(script.id)",
            [
                "propagation": script.isLegacy ? "legacy" : "unified", "updates": "layout",
                "traits": Self.traits, "nodes": .array(nodes),
            ])
        if !nodes.isEmpty {
            for (trait, value) in TreeShape.supplied { try supply("s", trait, value) }
        }
        for definition in try session.get("traits").json["traits"]?.array ?? [] {
            definitions[definition["key"]?.string ?? ""] = definition
        }
        start = try String(send("POST", "layout").revision ?? 0)
        cursor = start
    }

    // MARK: - Requests

    /// An answer; a problem becomes its code.
    @discardableResult
    private func send(
        _ method: String, _ rest: String, _ body: JSON? = nil
    ) throws -> HTTPResponse {
        try accepted(session.send(method, rest, body))
    }

    private func accepted(_ answer: HTTPResponse) throws -> HTTPResponse {
        if answer.isSuccess { return answer }
        let code = try answer.json["code"]?.string ?? ""
        try expectProblem(answer, answer.status, code)
        throw VectorError(code)
    }

    /// A request that changes something, and then the handlers of what it has changed.
    private func write(_ method: String, _ rest: String, _ body: JSON? = nil) throws {
        try send(method, rest, body)
        let page = try session.get("events?wait=0&limit=1000&from=\(cursor)").expecting(200).json
        cursor = page["next"]?.string ?? cursor
        for record in page["records"]?.array ?? [] where record["type"] == "change" {
            told.append(record)
            var current = try shown(record["node"]?.string ?? "")
            var previous = current
            for change in record["changes"]?.array ?? [] {
                let trait = change["trait"]?.string ?? ""
                current[trait] = change["current"]
                previous[trait] = change["previous"]
            }
            handlers[record["registration"]?.string ?? ""]?(previous, current)
        }
    }

    func expectUnchanged(_ body: () throws -> Void) throws {
        let before = try session.state()
        try body()
        #expect(try session.state() == before)
    }

    /// A stream from the start delivers the same changes, in the same order.
    func finish() throws {
        let head = try session.revision()
        let stream = try session.stream("events?from=\(start)")
        defer { stream.close() }
        var streamed: [JSON] = []
        // The first record says where the stream begins; it is the last one when nothing happened.
        var record = try stream.next()
        while record.revision ?? 0 < head || record.json["last"] == false {
            record = try stream.next()
            if record.type == "change" { streamed.append(record.json) }
        }
        #expect(streamed.map { $0["token"] } == told.map { $0["token"] })
    }

    // MARK: - Values

    private func json(_ value: ConformanceCases.JSON) -> JSON {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value): Int64(exactly: value).map(JSON.int) ?? .double(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(json))
        case .object(let members): .object(members.mapValues(json))
        }
    }

    func read(_ collection: Collection, _ trait: String) -> ConformanceCases.JSON {
        // The answer names a trait by its key, whatever spelling was asked for.
        let trait = trait == "headroomUsageLimit" ? "hdrHeadroomUsageLimit" : trait
        let value = collection[trait] ?? definitions[trait]?["default"] ?? .null
        let raw = value.string.flatMap { definitions[trait]?["cases"]?[$0] }
        return switch raw ?? value {
        case .null, .array, .object: .null
        case .bool(let value): .bool(value)
        case .int(let value): .number(Double(value))
        case .double(let value): .number(value)
        case .string(let value): .string(value)
        }
    }

    private func make(_ from: [Collection], _ modify: Collection) throws -> Collection {
        let answer = try session.client.send(
            "POST", "/v1/collections",
            json: [
                "from": .array(from.map(JSON.object)), "modify": .object(modify),
                "traits": Self.traits,
            ])
        return try accepted(answer).json["traits"]?.object ?? [:]
    }

    /// Writes one trait after the other, as a closure does.
    func make(
        from base: Collection?, _ writes: [(String, ConformanceCases.JSON)]
    ) throws -> Collection {
        var made = try make(base.map { [$0] } ?? [], [:])
        for (trait, value) in writes { made = try make([made], [trait: json(value)]) }
        return made
    }

    func merge(_ collections: [Collection]) throws -> Collection { try make(collections, [:]) }

    private func compare(
        _ left: Collection, _ right: Collection?, _ member: String
    ) throws -> JSON? {
        let answer = try session.client.send(
            "POST", "/v1/collections/compare",
            json: [
                "a": .object(left), "b": right.map(JSON.object) ?? nil, "traits": Self.traits,
            ])
        return try answer.expecting(200).json[member]
    }

    func areEqual(_ left: Collection, _ right: Collection) throws -> Bool {
        try compare(left, right, "equal") == true
    }

    func contains(_ collection: Collection, _ other: Collection?) throws -> Bool {
        try compare(collection, other, "contains") == true
    }

    func changed(_ collection: Collection, from other: Collection?) throws -> [String] {
        try compare(collection, other, "changedTraits")?.array?.compactMap(\.string) ?? []
    }

    func differsInColor(_ collection: Collection, from other: Collection?) throws -> Bool {
        try compare(collection, other, "hasDifferentColorAppearance") == true
    }

    // MARK: - The tree

    func set(_ node: String, _ trait: String, _ value: ConformanceCases.JSON) throws {
        try write("PUT", "nodes/\(node)/overrides/\(trait)", ["value": json(value)])
    }

    func remove(_ node: String, _ trait: String) throws {
        try write("DELETE", "nodes/\(node)/overrides/\(trait)")
    }

    func has(_ node: String, _ trait: String) throws -> Bool {
        let status = try session.send("HEAD", "nodes/\(node)/overrides/\(trait)").status
        #expect([200, 404].contains(status))
        return status == 200
    }

    func override(_ node: String, _ trait: String) throws -> ConformanceCases.JSON {
        let value = try send("GET", "nodes/\(node)/overrides/\(trait)").json["value"]
        return read([trait: value ?? nil], trait)
    }

    func supply(_ node: String, _ trait: String, _ value: ConformanceCases.JSON) throws {
        try write("PUT", "nodes/\(node)/supplied/\(trait)", ["value": json(value)])
    }

    func removeSupplied(_ node: String, _ trait: String) throws {
        try write("DELETE", "nodes/\(node)/supplied/\(trait)")
    }

    func flush() throws { try write("POST", "layout") }

    func flush(_ node: String) throws { try write("POST", "nodes/\(node)/updateTraitsIfNeeded") }

    func attach(_ view: String, to superview: String) throws {
        try move(view, .string(superview))
    }

    func detach(_ view: String) throws { try move(view, nil) }

    /// UIKit moves a controller along with its view; here the client does: to the nearest controller
    /// around the view.
    private func move(_ view: String, _ superview: JSON) throws {
        try write("PATCH", "nodes/\(view)", ["parent": superview])
        let moved = try send("GET", "nodes/\(view)").json
        guard let controller = moved["controller"]?.string else { return }
        var around = moved["parent"]?.string
        var parent: JSON = nil
        while let id = around, parent == nil {
            let node = try send("GET", "nodes/\(id)").json
            parent = node["controller"] ?? nil
            around = node["parent"]?.string
        }
        try write("PATCH", "nodes/\(controller)", ["parent": parent])
    }

    func shown(_ node: String) throws -> Collection {
        try send("GET", "nodes/\(node)/traits").json["traits"]?.object ?? [:]
    }

    // MARK: - Registrations

    func register(
        _ name: String, _ node: String, _ traits: [String],
        _ handler: @escaping @MainActor (Collection, Collection) -> Void
    ) throws {
        try write(
            "PUT", "registrations/\(name)",
            ["node": .string(node), "traits": .array(traits.map(JSON.string))])
        handlers[name] = handler
    }

    func unregister(_ name: String) throws { try write("DELETE", "registrations/\(name)") }
}
