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
            let trait = try text(step, 2)
            let value = try collection(step, 1)[trait] ?? defaults[trait]
            #expect(try same(value, argument(step, 3), of: trait), about)
        case "?eq", "?contains", "?color", "?changed": try compare(name, step, about)
        default: throw unknown(step)
        }
    }

    // MARK: - Collections

    /// Builds by writing one trait after the other, as a closure does.
    func build(_ name: String, _ step: [JSON]) throws {
        var from: [JSON] = []
        var writes: [JSON] = []
        switch name {
        case "new": writes = try argument(step, 2).array ?? []
        case "modify":
            from = [try collection(step, 2)]
            writes = try argument(step, 3).array ?? []
        default:
            from = try (try argument(step, 2).array ?? []).map { try collection([$0], 0) }
        }
        var made = try make(from, [:])
        for write in writes {
            guard let trait = write[0]?.string, let value = write[1] else { throw unknown(step) }
            made = try make([made], [trait: value])
        }
        collections[try text(step, 1)] = made
    }

    private func make(_ from: [JSON], _ modify: [String: JSON]) throws -> JSON {
        let answer = try session.client.send(
            "POST", "/v1/collections",
            json: ["from": .array(from), "modify": .object(modify), "traits": VectorTree.traits])
        return try answer.expecting(200).json["traits"] ?? nil
    }

    private func collection(_ step: [JSON], _ position: Int) throws -> JSON {
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
            let names = (expected.array ?? []).compactMap(\.string).sorted()
            #expect(comparison["changedTraits"] == .array(names.map { .string($0) }), about)
        }
    }

    // MARK: - Calls

    /// The changes since the last check, in order: a page of the session's events.
    private func checkCalls(_ step: [JSON], _ about: Comment) throws {
        let page = try session.get("events?wait=0&limit=1000&from=\(cursor)").expecting(200).json
        cursor = page["next"]?.string ?? cursor
        let told = (page["records"]?.array ?? []).filter { $0["type"] == "change" }
        calls += told
        let expected = try argument(step, 1).array ?? []
        #expect(told.count == expected.count, "\(about): \(told)")
        for (record, call) in zip(told, expected) {
            let id = record["registration"]?.string ?? ""
            #expect(record["registration"] == call[0], about)
            let trait = firstTraits[id] ?? ""
            let change = record["changes"]?.array?.first { $0["trait"] == .string(trait) }
            #expect(same(change?["previous"], call[1] ?? nil, of: trait), "\(about): \(record)")
            #expect(same(change?["current"], call[2] ?? nil, of: trait), "\(about): \(record)")
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
