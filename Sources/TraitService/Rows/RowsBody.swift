// The body of a request for rows, and what it asks of a session.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// `{"depth","open","closed","find","only","hitFrom","from" or "at","count"}`, without its names looked up.
struct RowsBody {
    private let object: ObjectReader
    private let find: ObjectReader?
    private let levelMax: Int?
    private let only: Bool
    private let count: Int
    private let from: Int?
    private let hitFrom: Int
    private let text: TextFilter?
    private let kind: NodeKind?

    private static let countDefault = 100

    init(_ json: JSONValue, _ limits: ServiceLimits) throws(SessionError) {
        object = try ObjectReader(
            json, "a request for rows",
            members: ["depth", "open", "closed", "find", "only", "hitFrom", "from", "at", "count"])
        find = try object["find"].map { json throws(SessionError) in
            do throws(SessionError) {
                return try ObjectReader(json, "a search", members: ["q", "overriding", "kind"])
            } catch {
                throw error.prefixed("/find")
            }
        }
        levelMax = try Self.number(object, "depth", 0...limits.hierarchy.depthMax)
        only = try object.bool("only") ?? false
        count = try Self.number(object, "count", 1...limits.rowsMax) ?? Self.countDefault
        from = try Self.number(object, "from", 0...Int.max)
        hitFrom = try Self.number(object, "hitFrom", 0...Int.max) ?? 0
        if object.has("from"), object.has("at") {
            throw SessionError(.malformedBody, "Give `from` or `at`, not both.", pointer: "/at")
        }
        if only, find == nil {
            throw SessionError(
                .malformedBody, "`only` shows the hits of `find`, which is not there.",
                pointer: "/only")
        }
        text = try Self.text(find, limits.filterBytesMax)
        kind = try Self.kind(find)
        try Self.checkNames(object, limits.rowNamesMax)
    }

    private static func number(
        _ object: ObjectReader, _ name: StaticString, _ range: ClosedRange<Int>
    ) throws(SessionError) -> Int? {
        guard let number = try object.integer(name) else { return nil }
        guard let number = Int(exactly: number), range.contains(number) else {
            let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw SessionError(
                .malformedBody, "`\(name)` goes from \(range.lowerBound)\(upper).",
                pointer: "/\(name)")
        }
        return number
    }

    private static func text(
        _ find: ObjectReader?, _ bytesMax: Int
    ) throws(SessionError) -> TextFilter? {
        guard let find, let json = find["q"] else { return nil }
        guard let text = json.string?.string, (1...bytesMax).contains(text.utf8.count) else {
            throw .malformed("`q` is a text of 1 to \(bytesMax) bytes", json, at: "/find/q")
        }
        return TextFilter(text)
    }

    private static func kind(_ find: ObjectReader?) throws(SessionError) -> NodeKind? {
        guard let find, let json = find["kind"] else { return nil }
        guard let kind = json.string.flatMap({ NodeKind(name: $0.string) }) else {
            let names = NodeKind.allCases.map(\.name).joined(separator: ", ")
            throw .malformed("`kind` is one of \(names)", json, at: "/find/kind")
        }
        return kind
    }

    private static func checkNames(
        _ object: ObjectReader, _ namesMax: Int
    ) throws(SessionError) {
        var count = 0
        for name: StaticString in ["open", "closed"] {
            guard let json = object[name] else { continue }
            guard json.kind == .array else {
                throw object.wrongType(name, "an array of node identifiers", json)
            }
            count += json.count
        }
        if count > namesMax {
            throw .limit(
                .bodyTooLarge,
                "`open` and `closed` have \(count) names together, and may have rowNamesMax=\(namesMax). Use `depth`, or leave out what is closed by it.",
                name: "rowNamesMax", value: namesMax)
        }
    }

    /// Looks up the names. O(names).
    ///
    /// - Throws: for a node `at` and a trait that are not there; for a name that is no string. Other nodes that are
    ///   not there are left out.
    func question(in session: SessionState) throws(SessionError) -> RowsQuestion {
        var filter = NodeFilter(kind: kind, text: text)
        if let name = try find?.string("overriding") {
            filter.overriding = try session.trait(named: name, "/find/overriding")
        }
        var opening = RowOpening()
        opening.levelMax = levelMax
        opening.opened = try nodes("open", in: session)
        opening.closed = try nodes("closed", in: session)
        var place = RowPlace.from(from ?? 0)
        if let json = object["at"] {
            guard let name = json.string else {
                throw object.wrongType("at", "the identifier of a node", json)
            }
            place = .around(try session.node(name.bytes))
        }
        let search = find.map { _ in
            RowFind(
                text: text?.wanted, overriding: filter.overriding, kind: kind,
                session.hierarchy.versions)
        }
        return RowsQuestion(
            opening: opening, find: search, filter: filter, only: only, place: place, count: count,
            hitFrom: hitFrom)
    }

    private func nodes(
        _ name: StaticString, in session: SessionState
    ) throws(SessionError) -> [NodeIndex] {
        guard let list = object[name] else { return [] }
        var nodes: [NodeIndex] = []
        nodes.reserveCapacity(list.count)
        for (position, json) in list.elements.enumerated() {
            guard let text = json.string else {
                throw .malformed(
                    "A node's identifier is a string", json, at: "/\(name)/\(position)")
            }
            if let node = session.hierarchy.node(text.bytes) { nodes.append(node) }
        }
        return nodes
    }
}

/// A request for rows, in terms of one state of its session.
struct RowsQuestion: Sendable {
    let opening: RowOpening
    let find: RowFind?
    let filter: NodeFilter
    let only: Bool
    let place: RowPlace
    let count: Int
    let hitFrom: Int

    func view(of table: RowTable, _ hits: RowHits?) -> RowView {
        RowView(
            table, opening, hits: hits, isFiltered: only, place: place, count: count,
            hitFrom: hitFrom)
    }
}
