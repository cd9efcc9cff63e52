// The assertions of the conformance cases.

import Testing

extension VectorRunner {
    func check(_ name: String, _ step: [JSON]) throws {
        let about = Comment(rawValue: "\(test.id) \(JSON.array(step).text): \(test.source)")
        switch name {
        case "?has":
            let answer = try session.send(
                "HEAD", "nodes/\(text(step, 1))/overrides/\(text(step, 2))")
            #expect(try answer.status == (argument(step, 3) == true ? 200 : 404), about)
        case "?override":
            let answer = try session.get("nodes/\(text(step, 1))/overrides/\(text(step, 2))")
            let value = try answer.expecting(200).json["value"]
            #expect(try same(value, argument(step, 3), of: text(step, 2)), about)
        case "?traits":
            let trait = try text(step, 1)
            for (node, expected) in try argument(step, 2).object ?? [:] {
                let value = try session.value(of: trait, at: node)
                #expect(same(value, expected, of: trait), "\(about) at \(node): \(value ?? nil)")
            }
        case "?calls": try checkCalls(step, about)
        case "?get":
            // The answer names a trait by its key, whatever spelling was asked for.
            let name = try text(step, 2)
            let trait = name == "headroomUsageLimit" ? "hdrHeadroomUsageLimit" : name
            let value = try collection(step, 1)[trait] ?? defaults[trait]
            #expect(try same(value, argument(step, 3), of: trait), about)
        case "?eq", "?contains", "?color", "?changed": try compare(name, step, about)
        default: throw unknown(step)
        }
    }

    // MARK: - Collections

    /// Builds by writing one trait after the other, as a closure does.
    func build(_ name: String, _ step: [JSON]) throws {
        let from: [JSON] =
            switch name {
            case "new": []
            case "modify": [try collection(step, 2)]
            default: try (try argument(step, 2).array ?? []).map { try collection([$0], 0) }
            }
        var made = try make(from, [:]).traits
        for (trait, value) in try writes(step) { made = try make([made], [trait: value]).traits }
        collections[try text(step, 1)] = made
    }

    /// What a step writes, in its order.
    func writes(_ step: [JSON]) throws -> [(String, JSON)] {
        let list: JSON =
            switch step[0] {
            case "new": try argument(step, 2)
            case "modify": try argument(step, 3)
            default: []
            }
        return try (list.array ?? []).map { write in
            guard let trait = write[0]?.string, let value = write[1] else { throw unknown(step) }
            return (trait, value)
        }
    }

    func make(_ from: [JSON], _ modify: [String: JSON]) throws -> HTTPResponse {
        try session.client.send(
            "POST", "/v1/collections",
            json: ["from": .array(from), "modify": .object(modify), "traits": VectorTree.traits])
    }

    func collection(_ step: [JSON], _ position: Int) throws -> JSON {
        let name = try argument(step, position)
        if name == nil { return nil }
        guard let known = name.string.flatMap({ collections[$0] }) else { throw unknown(step) }
        return known
    }

    private func compare(_ name: String, _ step: [JSON], _ about: Comment) throws {
        let answer = try session.client.send(
            "POST", "/v1/collections/compare",
            json: [
                "a": collection(step, 1), "b": collection(step, 2), "traits": VectorTree.traits,
            ])
        let comparison = try answer.expecting(200).json
        let expected = try argument(step, 3)
        switch name {
        case "?eq": #expect(comparison["equal"] == expected, about)
        case "?contains": #expect(comparison["contains"] == expected, about)
        case "?color": #expect(comparison["hasDifferentColorAppearance"] == expected, about)
        default:
            // The cases name them in no order.
            let names = (expected.array ?? []).compactMap(\.string).sorted()
            let changed = comparison["changedTraits"]?.array?.compactMap(\.string).sorted()
            #expect(changed == names, about)
        }
    }

    // MARK: - Calls

    /// The changes since the last check, in order: a page of the session's events.
    private func checkCalls(_ step: [JSON], _ about: Comment) throws {
        let path = "events?wait=0&limit=1000&from=\(cursor)"
        let page = try session.get(path).expecting(200).json
        cursor = page["next"]?.string ?? cursor
        let told = (page["records"]?.array ?? []).filter { $0["type"] == "change" }
        calls += told
        let expected = try argument(step, 1).array ?? []
        #expect(told.count == expected.count, "\(about): \(told)")
        for (record, call) in zip(told, expected) {
            let id = record["registration"]?.string ?? ""
            #expect(record["registration"] == call[0], about)
            let trait = firstTraits[id] ?? ""
            let changes = record["changes"]?.array ?? []
            guard let change = changes.first(where: { $0["trait"]?.string == trait }) else {
                // What did not change is not told.
                #expect(call[1] == call[2], "\(about): \(record)")
                continue
            }
            #expect(same(change["previous"], call[1] ?? nil, of: trait), "\(about): \(record)")
            #expect(same(change["current"], call[2] ?? nil, of: trait), "\(about): \(record)")
        }
    }

    /// A stream from the start tells the same calls, in the same order.
    func compareStream(from start: String) throws {
        let head = try session.revision()
        let stream = try session.stream("events?from=\(start)")
        defer { stream.close() }
        var told: [JSON] = []
        // The first record says where the stream begins; it is the last one when nothing happened.
        var record = try stream.next()
        while record.revision ?? 0 < head || record.json["last"] == false {
            record = try stream.next()
            if record.type == "change" { told.append(record.json) }
        }
        let checked = calls.map { $0["token"] }
        #expect(told.map { $0["token"] }.starts(with: checked), "\(test.id)")
    }
}

extension HTTPResponse {
    /// The collection that was made.
    fileprivate var traits: JSON { get throws { try expecting(200).json["traits"] ?? nil } }
}
