// Runs a conformance case over HTTP, every step through the endpoint that a client would use.

import Testing

/// One case on its way through its steps.
package final class VectorRunner {
    let test: VectorCase
    let session: SessionClient
    /// What enumerations travel as, by trait and case name: the cases speak of raw values.
    let rawValues: [String: [String: JSON]]
    let defaults: [String: JSON]
    /// The collections that were made so far, by name.
    var collections: [String: JSON] = [:]
    /// Where the calls that were not asserted yet begin.
    var cursor = "0"
    /// Every call that was asserted, to be compared with what a stream tells.
    var calls: [JSON] = []
    /// The first trait of each registration.
    var firstTraits: [String: String] = [:]

    package init(_ test: VectorCase, on baseURL: String) throws {
        self.test = test
        let body = try VectorTree.session(test.tree, isLegacy: test.isLegacy)
        session = try SessionClient.make("vector-\(test.id)", on: baseURL, body)
        let definitions = try session.get("traits").json["traits"]?.array ?? []
        rawValues = Dictionary(
            uniqueKeysWithValues: definitions.compactMap { definition in
                guard let key = definition["key"]?.string else { return nil }
                return (key, definition["cases"]?.object ?? [:])
            })
        defaults = Dictionary(
            uniqueKeysWithValues: definitions.compactMap { definition in
                guard let key = definition["key"]?.string else { return nil }
                return (key, definition["default"] ?? .null)
            })
    }

    /// Runs every step, and compares what a stream tells of the whole case with the calls.
    package func run() throws {
        cursor = try String(session.send("POST", "layout").success().revision ?? 0)
        let start = cursor
        for step in test.steps { try run(step) }
        try compareStream(from: start)
    }

    func run(_ step: [JSON]) throws {
        let name = step[0].string ?? ""
        if name.hasPrefix("?") { return try check(name, step) }
        if ["new", "modify", "merge"].contains(name) { return try build(name, step) }
        if name == "!" { return try refuse(step) }
        try send(step).success()
        if name == "reg" { firstTraits[try text(step, 1)] = step[3][0]?.string }
        // UIKit moves a controller along with its view; here the client does.
        if name == "attach" || name == "detach" { try moveController(step) }
    }

    /// The request that a step stands for.
    private func send(_ step: [JSON]) throws -> HTTPResponse {
        switch step[0] {
        case "set":
            try session.send(
                "PUT", "nodes/\(text(step, 1))/overrides/\(text(step, 2))",
                ["value": argument(step, 3)])
        case "remove":
            try session.send("DELETE", "nodes/\(text(step, 1))/overrides/\(text(step, 2))")
        case "getOverride", "?override":
            try session.get("nodes/\(text(step, 1))/overrides/\(text(step, 2))")
        case "system":
            try session.send(
                "PUT", "nodes/s/supplied/\(text(step, 1))", ["value": argument(step, 2)])
        case "supply":
            try session.send(
                "PUT", "nodes/\(text(step, 1))/supplied/\(text(step, 2))",
                ["value": argument(step, 3)])
        case "unsupply":
            try session.send("DELETE", "nodes/\(text(step, 1))/supplied/\(text(step, 2))")
        case "flush": try session.send("POST", "layout")
        case "flushNode":
            try session.send("POST", "nodes/\(text(step, 1))/updateTraitsIfNeeded")
        case "attach":
            try session.send("PATCH", "nodes/\(text(step, 1))", ["parent": argument(step, 2)])
        case "detach": try session.send("PATCH", "nodes/\(text(step, 1))", ["parent": nil])
        case "reg":
            try session.send(
                "PUT", "registrations/\(text(step, 1))",
                ["node": argument(step, 2), "traits": argument(step, 3)])
        case "unreg": try session.send("DELETE", "registrations/\(text(step, 1))")
        case "new", "modify":
            try make(
                step[0] == "new" ? [] : [collection(step, 2)],
                Dictionary(try writes(step)) { _, last in last })
        default: throw unknown(step)
        }
    }

    /// `["!",[step],code]`: the step is refused, and changes nothing.
    private func refuse(_ step: [JSON]) throws {
        guard let inner = try argument(step, 1).array else { throw unknown(step) }
        let before = try session.state()
        let code = try text(step, 2).split(separator: "_").joined(separator: "-")
        let answer = try send(inner)
        try expectProblem(answer, answer.status, code)
        #expect(answer.status >= 400, "\(test.id)")
        #expect(try session.state() == before, "\(test.id)")
    }

    /// The controller of a view goes to the nearest controller around the view.
    private func moveController(_ step: [JSON]) throws {
        let view = try session.get("nodes/\(text(step, 1))").expecting(200).json
        guard let controller = view["controller"]?.string else { return }
        var around = view["parent"]?.string
        var parent: JSON = nil
        while let id = around, parent == nil {
            let node = try session.get("nodes/\(id)").expecting(200).json
            parent = node["controller"] ?? nil
            around = node["parent"]?.string
        }
        try session.send("PATCH", "nodes/\(controller)", ["parent": parent]).success()
    }

    // MARK: - Arguments

    func argument(_ step: [JSON], _ position: Int) throws -> JSON {
        guard step.indices.contains(position) else { throw unknown(step) }
        return step[position]
    }

    func text(_ step: [JSON], _ position: Int) throws -> String {
        guard let text = try argument(step, position).string else { throw unknown(step) }
        return text
    }

    func unknown(_ step: [JSON]) -> UnknownStep {
        UnknownStep(case: test.id, step: JSON.array(step).text)
    }

    /// A value as the cases have it: enumerations by raw value, numbers without a kind.
    func raw(_ value: JSON?, of trait: String) -> JSON {
        if let name = value?.string, let raw = rawValues[trait]?[name] { return raw }
        if case .int(let number) = value { return .double(Double(number)) }
        return value ?? .null
    }

    func same(_ value: JSON?, _ expected: JSON, of trait: String) -> Bool {
        let left = raw(value, of: trait)
        let right = raw(expected, of: trait)
        if case .int(let number) = left { return .double(Double(number)) == right }
        return left == right
    }
}

extension VectorRunner {
    /// One step alone, for tests of the runner itself.
    package func run(only step: [JSON]) throws { try run(step) }
}
