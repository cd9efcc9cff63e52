// The answer to a request for variants: each row is what the nodes show after the operations of its values. Axes are
// layers of assumed operations, so from one row to the next only those are applied again that differ.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

extension AssumedRead {
    /// Variants of nodes; `body` is that of the request.
    ///
    /// - Parameter updates: whether rows of a layout session show what is shown after a pass.
    package static func variants(updates: Bool, asLines: Bool) -> AssumedRead {
        AssumedRead(updates: false, asLines: asLines) {
            json, session, work throws(SessionError) -> Writing in
            let answer = try VariantsAnswer(
                try VariantsBody(json, in: session), updates: updates, asLines, session, &work)
            return { session, writer, work throws(SessionError) in
                try answer.write(session, &writer, &work)
            }
        }
    }
}

private struct VariantsAnswer {
    /// Nodes, values and layers that all rows may visit beyond what they name: about two seconds.
    private static let visitsMax = 10_000_000
    /// Work of a covering array between two looks at the budget: about a tenth of a millisecond.
    private static let stepWork = 10_000
    /// Bytes that are written between two looks at the budget.
    private static let bytesAtATime = 16_384

    private let body: VariantsBody
    private let updates: Bool
    private let asLines: Bool
    private let rows: [[Int]]
    private let counts: CoveringArray.Counts

    /// Makes the rows.
    ///
    /// - Throws: `tooManyVariants`, and what ends work.
    init(
        _ body: VariantsBody, updates: Bool, _ asLines: Bool, _ session: SessionState,
        _ work: inout AssumedWork
    ) throws(SessionError) {
        self.body = body
        self.updates = updates
        self.asLines = asLines
        let limits = session.limits
        let product = body.model.productSize
        if work.isShort {
            // A covering array may take milliseconds, and so may exceptions that depend on one another.
            guard body.strength == 0, body.model.exceptions.count <= Self.shortExceptionsMax,
                product <= limits.inlineValuesMax,
                body.work(rows: product) <= limits.inlineValuesMax
            else { throw .takesLong }
        }
        try work.take(body.bytes(rowsMax: limits.variantRowsMax), session)
        var array = try Self.refusing(limits) { () throws(VariantError) in
            try CoveringArray(body.model, strength: body.strength, rowsMax: limits.variantRowsMax)
        }
        var isDone = false
        while !isDone {
            isDone = try Self.refusing(limits) { () throws(VariantError) in
                try array.step(budget: Self.stepWork)
            }
            try work.goOn(0, session)
        }
        rows = array.rows
        guard let made = array.counts else {
            throw SessionError(.internalError, "The rows are not counted.")
        }
        counts = made
        try body.checkValues(rows.count, limits)
    }

    private static func refusing<Result>(
        _ limits: ServiceLimits, _ make: () throws(VariantError) -> Result
    ) throws(SessionError) -> Result {
        do throws(VariantError) { return try make() } catch { throw error.refusal(limits) }
    }

    // MARK: - Writing

    /// `{"uid","revision","assumed","axes","strength","combinations"?,"rows"}`, a line a row, and
    /// `{"end","rows","combinations","pairs"?}`; as one object `{…,"variants":[…],"end":{…}}`.
    func write(
        _ session: SessionState, _ writer: inout JSONWriter, _ work: inout AssumedWork
    ) throws(SessionError) {
        writeHead(session, &writer)
        var tally = Tally()
        try forEachRow(session, &work) { row, work throws(SessionError) in
            guard body.isDistinct else {
                begin(row, tally.rows, &writer)
                writer.key("nodes")
                try writeNodes(session, &writer, &work, before: 0)
                end(&writer)
                return tally.count(1)
            }
            tally.shown.reset()
            let before = tally.bytes
            try writeNodes(session, &tally.shown, &work, before: before)
            tally.join(row)
        }
        for (row, nodes, count) in tally.joined {
            begin(row, tally.rows, &writer)
            writer.member("combinations", count)
            writer.member("nodes", raw: nodes)
            end(&writer)
            tally.count(count)
            try work.goOn(tally.bytes + writer.count, session)
        }
        try writeEnd(tally, &writer)
    }

    /// What was written, counted row by row.
    private struct Tally: ~Copyable {
        private(set) var rows = 0
        private(set) var combinations = 0
        /// Different answers, each with the first row that has it and the number of these rows.
        private(set) var joined: [(row: [Int], nodes: [UInt8], count: Int)] = []
        private var places: [[UInt8]: Int] = [:]
        private(set) var bytes = 0
        /// The answer of the present row.
        var shown = JSONWriter()

        mutating func count(_ combinations: Int) {
            rows += 1
            self.combinations += combinations
        }

        mutating func join(_ row: [Int]) {
            let nodes = shown.array()
            if let place = places[nodes] {
                joined[place].count += 1
                return
            }
            places[nodes] = joined.count
            joined.append((row, nodes, 1))
            bytes += nodes.count + 64
        }
    }

    private func writeHead(_ session: SessionState, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("uid", session.uid)
        writer.member("revision", session.shownRevision)
        writer.flag("assumed", when: session.isAssumed)
        writer.beginArray("axes")
        for axis in body.axes {
            writer.beginObject()
            writer.member("name", axis.name)
            writer.beginArray("values")
            for label in axis.labels { writer.raw(label) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.member("strength", body.strength)
        writer.member("combinations", ifPresent: counts.combinations.map(Int64.init))
        writer.member("rows", rows.count)
        if asLines { writer.endText() } else { writer.beginArray("variants") }
    }

    private func begin(_ row: [Int], _ number: Int, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("row", number)
        writer.beginObject("labels")
        for (axis, value) in zip(body.axes, row) {
            writer.key(axis.name)
            writer.raw(axis.labels[value])
        }
        writer.endObject()
    }

    private func end(_ writer: inout JSONWriter) {
        writer.endObject()
        if asLines { writer.newline() }
    }

    /// - Throws: `internalError` when the rows are not those that were to be made.
    private func writeEnd(
        _ tally: borrowing Tally, _ writer: inout JSONWriter
    ) throws(SessionError) {
        let expected = body.strength == 0 ? counts.combinations ?? rows.count : rows.count
        guard tally.combinations == expected, Set(rows).count == expected else {
            throw SessionError(
                .internalError, "\(tally.combinations) rows were made in place of \(expected).")
        }
        if asLines {
            writer.beginObject()
            writer.member("end", true)
        } else {
            writer.endArray()
            writer.beginObject("end")
        }
        writer.member("rows", tally.rows)
        writer.member("combinations", tally.combinations)
        if body.strength > 0 {
            writer.beginObject(body.strength == 2 ? "pairs" : "triples")
            writer.member("all", counts.all)
            writer.member("covered", counts.covered)
            writer.member("impossible", counts.impossible)
            writer.endObject()
        }
        writer.endObject()
        if !asLines { writer.endObject() }
        writer.newline()
    }

    // MARK: - Rows

    /// Has the session show each row in turn.
    private func forEachRow(
        _ session: SessionState, _ work: inout AssumedWork,
        _ visit: ([Int], inout AssumedWork) throws(SessionError) -> Void
    ) throws(SessionError) {
        var stack = AssumedStack(session)
        defer { stack.pop(to: 0, session) }
        let hasPass = updates && session.hierarchy.updates == .layout
        let visited = session.hierarchy.visitedNodeCount
        var last: [Int] = []
        for row in rows {
            let common = zip(row, last).prefix { $0 == $1 }.count
            stack.pop(to: common, session)
            for axis in common..<row.count {
                try stack.push(session, &work) { transaction throws(SessionError) in
                    try within(
                        "/axes/\(axis)", try body.axes[axis].apply(row[axis], to: &transaction))
                }
            }
            if hasPass {
                try stack.push(session, &work) { transaction throws(SessionError) in
                    try transaction.apply(.layout)
                }
            }
            last = row
            if session.hierarchy.visitedNodeCount - visited > Self.visitsMax {
                throw SessionError(
                    .tooManyVariants,
                    "Applying the values visits more than \(Self.visitsMax) nodes in all rows together. Ask for fewer rows, or for values further down in the tree."
                )
            }
            try visit(row, &work)
        }
    }

    /// - Parameter before: bytes that are written elsewhere.
    private func writeNodes(
        _ session: SessionState, _ writer: inout JSONWriter, _ work: inout AssumedWork, before: Int
    ) throws(SessionError) {
        writer.beginArray()
        var position = 0
        for node in body.nodes {
            let index = try session.node(node.name, "/nodes/\(position)")
            position += 1
            if position % Self.nodesAtATime == 0 { try work.goOn(before + writer.count, session) }
            if body.dynamics.isEmpty, node.keys.isEmpty,
                writer.attempt({ writeAtOnce(node, index, session, &$0) })
            {
                continue
            }
            var text = TraitsText(
                node.traits, at: index, .plain, dynamics: body.dynamics, keys: node.keys,
                isElement: true)
            while !text.write(
                from: session, budget: writer.count + Self.bytesAtATime, into: &writer)
            {
                try work.goOn(before + writer.count, session)
            }
        }
        writer.endArray()
        try work.goOn(before + writer.count, session)
    }

    /// Returns whether the node is complete.
    private func writeAtOnce(
        _ node: VariantsBody.Node, _ index: NodeIndex, _ session: SessionState,
        _ writer: inout JSONWriter
    ) -> Bool {
        writer.beginObject()
        session.writeElementHead(index, into: &writer)
        let isAll = session.writeTraits(
            node.traits, at: index, .plain, budget: writer.count + Self.bytesAtATime,
            into: &writer)
        writer.endObject()
        return isAll
    }

    private static let nodesAtATime = 32
    private static let shortExceptionsMax = 64
}
