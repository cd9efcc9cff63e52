// The rows of a session in their plainest form: made from the list of nodes, by walking the tree for every question.

import TestSupport
import Testing

/// A question of `POST …/rows`.
struct RowQuery {
    var depth: Int?
    var open: Set<String> = []
    var closed: Set<String> = []
    var text: String?
    var overriding: String?
    var kind: String?
    var only = false
    var hitFrom: Int?
    var from: Int?
    var at: String?
    var count: Int?

    var isSearch: Bool { text != nil || overriding != nil || kind != nil }

    var body: JSON {
        var body: [String: JSON] = [:]
        body["depth"] = depth.map { .int(Int64($0)) }
        if !open.isEmpty { body["open"] = .array(open.sorted().map { .string($0) }) }
        if !closed.isEmpty { body["closed"] = .array(closed.sorted().map { .string($0) }) }
        if isSearch {
            var find: [String: JSON] = [:]
            find["q"] = text.map { .string($0) }
            find["overriding"] = overriding.map { .string($0) }
            find["kind"] = kind.map { .string($0) }
            body["find"] = .object(find)
        }
        if only { body["only"] = true }
        body["hitFrom"] = hitFrom.map { .int(Int64($0)) }
        body["from"] = from.map { .int(Int64($0)) }
        body["at"] = at.map { .string($0) }
        body["count"] = count.map { .int(Int64($0)) }
        return .object(body)
    }
}

struct RowModel {
    private final class Node {
        let json: JSON
        let id: String
        let level: Int
        let position: Int
        weak var parent: Node?
        var children: [Node] = []

        init(_ json: JSON, _ parent: Node?, position: Int) {
            self.json = json
            id = json["id"]?.string ?? ""
            level = (parent?.level ?? 0) + 1
            self.position = position
            self.parent = parent
        }

        var descendants: Int { children.reduce(0) { $0 + 1 + $1.descendants } }

        func hasHit(_ isHit: (Node) -> Bool) -> Bool {
            isHit(self) || children.contains { $0.hasHit(isHit) }
        }
    }

    /// The traits that scripts override, in the catalogue's order.
    static let catalogue = ["displayScale", "displayGamut", "accessibilityContrast"]

    private var roots: [Node] = []
    private var byName: [String: Node] = [:]
    private var registrations: [String: Int] = [:]
    var names: [String] { byName.keys.sorted() }

    /// Reads the session by the routes that list nodes and registrations.
    init(_ session: SessionClient) throws {
        let list = try session.get("nodes?pageSize=1000").expecting(200).json
        for json in list["nodes"]?.array ?? [] {
            let parent = json["traitParent"]?.string.flatMap { byName[$0] }
            let siblings = parent?.children ?? roots
            let node = Node(json, parent, position: siblings.count + 1)
            if let parent { parent.children.append(node) } else { roots.append(node) }
            byName[node.id] = node
        }
        let all = try session.get("registrations?pageSize=1000").expecting(200).json
        for json in all["registrations"]?.array ?? [] {
            registrations[json["node"]?.string ?? "", default: 0] += 1
        }
    }

    private static func isHit(_ node: Node, _ query: RowQuery) -> Bool {
        if !query.isSearch { return false }
        if let kind = query.kind, node.json["kind"]?.string != kind { return false }
        if let trait = query.overriding, node.json["overrides"]?[trait] == nil { return false }
        guard let text = query.text?.lowercased() else { return true }
        return node.id.lowercased().contains(text)
            || node.json["label"]?.string?.lowercased().contains(text) ?? false
    }

    private static func isOpen(_ node: Node, _ query: RowQuery) -> Bool {
        if node.children.isEmpty { return false }
        if query.only { return true }
        if query.closed.contains(node.id) { return false }
        return query.depth.map { node.level <= $0 } ?? true || query.open.contains(node.id)
    }

    /// The answer without `uid` and `revision`.
    func answer(_ query: RowQuery) -> JSON {
        let shown = shown(query)
        var answer: [String: JSON] = ["total": .int(Int64(shown.count))]
        let count = query.count ?? 100
        var from = min(query.from ?? 0, shown.count)
        if let at = query.at, let node = byName[at] {
            var place = shown.firstIndex { $0 === node }
            if let place {
                answer["row"] = .int(Int64(place))
            } else {
                let before = Self.inOrder(roots).prefix { $0 !== node }
                place = max(0, shown.filter { row in before.contains { $0 === row } }.count - 1)
                let hidden = Self.above(node).filter { !Self.isOpen($0, query) }
                if !hidden.isEmpty { answer["hidden"] = .array(hidden.map { .string($0.id) }) }
            }
            from = max(0, min((place ?? 0) - count / 2, shown.count - count))
        }
        answer["from"] = .int(Int64(from))
        if query.isSearch { answer["hits"] = hits(query, shown) }
        answer["rows"] = .array(
            shown.enumerated().dropFirst(from).prefix(count).map { row($1, $0, query) })
        return .object(answer)
    }

    private func shown(_ query: RowQuery) -> [Node] {
        func below(_ nodes: [Node]) -> [Node] {
            nodes.flatMap { node -> [Node] in
                if query.only, !node.hasHit({ Self.isHit($0, query) }) { return [] }
                return [node] + (Self.isOpen(node, query) ? below(node.children) : [])
            }
        }
        return below(roots)
    }

    private static func inOrder(_ nodes: [Node]) -> [Node] {
        nodes.flatMap { [$0] + inOrder($0.children) }
    }

    private static func above(_ node: Node) -> [Node] {
        node.parent.map { [$0] + above($0) } ?? []
    }

    private func hits(_ query: RowQuery, _ shown: [Node]) -> JSON {
        let all = Self.inOrder(roots).filter { Self.isHit($0, query) }
        var hits: [String: JSON] = ["total": .int(Int64(all.count))]
        let rows = shown.indices.filter { Self.isHit(shown[$0], query) }
        let from = query.hitFrom ?? 0
        if let next = rows.first(where: { $0 >= from }) ?? rows.first {
            hits["next"] = .int(Int64(next))
        }
        if let previous = rows.last(where: { $0 < from }) ?? rows.last {
            hits["previous"] = .int(Int64(previous))
        }
        return .object(hits)
    }

    private func row(_ node: Node, _ number: Int, _ query: RowQuery) -> JSON {
        let set = node.json["overrides"]?.object ?? [:]
        let overrides = Self.catalogue.filter { set[$0] != nil }
        let supplied = node.json["supplied"]?.object?.count ?? 0
        var row: [String: JSON] = [
            "row": .int(Int64(number)), "id": .string(node.id), "kind": node.json["kind"] ?? .null,
            "level": .int(Int64(node.level)), "position": .int(Int64(node.position)),
            "setSize": .int(Int64((node.parent?.children ?? roots).count)),
            "children": .int(Int64(node.children.count)),
            "open": .bool(Self.isOpen(node, query)),
            "descendants": .int(Int64(node.descendants)),
            "overrides": .array(overrides.prefix(6).map { .string($0) }),
            "values": .int(Int64(set.count + supplied)),
            "registrations": .int(Int64(registrations[node.id] ?? 0)), "scopes": 0,
        ]
        row["label"] = node.json["label"]
        if node.json["state"]?.string != "current" { row["state"] = node.json["state"] }
        if Self.isHit(node, query) { row["hit"] = true }
        return .object(row)
    }
}
