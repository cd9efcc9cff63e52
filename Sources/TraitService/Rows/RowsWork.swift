// The work of a request for rows that finds no rows kept, or no hits of its search: on a snapshot, beside the shard.

import HTTPServer
import JSONCodec
import Ledger
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// Makes the rows, searches, and writes the window, a step at a time.
final class RowsWork {
    private let snapshot: SessionSnapshot
    private let question: RowsQuestion
    private let memory: MemoryLedger
    private let bytesMax: Int
    private var table: RowTable?
    private var builder: RowTableBuilder?
    private var search: RowBits?
    private var searched = 0
    private var hits: RowHits?
    private var view: RowView?
    private var hasSession = false

    /// - Parameter table: the rows, if they are kept.
    init(
        _ snapshot: SessionSnapshot, _ question: RowsQuestion, table: RowTable?,
        _ memory: MemoryLedger, bytesMax: Int
    ) {
        self.snapshot = snapshot
        self.question = question
        self.table = table
        self.memory = memory
        self.bytesMax = bytesMax
    }

    private static let visitsPerStep = 65_536

    /// Returns the answer when it is complete.
    ///
    /// - Parameters:
    ///   - keepRows: called with rows that were made.
    ///   - keepHits: called with the hits of a search.
    func step(
        keepRows: (RowTable) -> Void,
        keepHits: (RowHits, RowFind, RowTable) throws(SessionError) -> Void
    ) throws(SessionError) -> LongBody? {
        let session = try snapshot.session()
        if !hasSession {
            // Copying the session was the work of this step.
            hasSession = true
            return nil
        }
        guard let known = table else {
            if let made = try build(session) {
                table = made
                builder = nil
                keepRows(made)
            }
            return nil
        }
        if let find = question.find, hits == nil {
            guard let found = look(in: known, session) else { return nil }
            hits = found
            try keepHits(found, find, known)
            return nil
        }
        if view == nil { view = question.view(of: known, hits) }
        guard let window = view?.advance() else { return nil }
        var writer = JSONWriter(capacity: 65_536)
        session.withState { window.write(from: $0, bytesMax: bytesMax, into: &writer) }
        return LongBody(writer.bytes, next: nil)
    }

    private func build(_ session: Session) throws(SessionError) -> RowTable? {
        try session.withState { state throws(SessionError) in
            if builder == nil { builder = try RowTableBuilder(state.hierarchy, memory) }
            return builder?.advance(in: state.hierarchy, visitsMax: Self.visitsPerStep)
        }
    }

    /// Searches in some rows more. Returns the hits after the last one.
    private func look(in table: RowTable, _ session: Session) -> RowHits? {
        var bits = search ?? RowBits(rowCount: table.count)
        search = nil
        let end = min(table.count, searched + NodeWalk.visitsPerSlice)
        session.withState { state in
            for row in searched..<end {
                let node = NodeIndex(rawValue: table.nodes[row])
                if question.filter.wants(node, in: state.hierarchy) { bits.insert(row) }
            }
        }
        searched = end
        if end == table.count { return RowHits(bits, in: table) }
        search = bits
        return nil
    }
}
