// The rows of a session, kept while clients ask for them: making them takes a copy of the session and a walk through
// it. Overrides leave them valid; another order of the nodes does not.

import Ledger
import Synchronization
import TraitEngine
import TraitJSON
import TraitSessions

/// The conditions of a search, and the versions of the labels and values that it compares.
package struct RowFind: Hashable, Sendable {
    package var text: [UInt8]?
    package var overriding: TraitIndex?
    package var kind: NodeKind?
    private let labels: UInt64
    private let values: UInt64

    package init(
        text: [UInt8]?, overriding: TraitIndex?, kind: NodeKind?, _ versions: HierarchyVersions
    ) {
        self.text = text
        self.overriding = overriding
        self.kind = kind
        labels = text == nil ? 0 : versions.labels
        values = overriding == nil ? 0 : versions.values
    }

    /// Whether its hits are those of a hierarchy at these versions, if the order is the same.
    package func isCurrent(_ versions: HierarchyVersions) -> Bool {
        self == RowFind(text: text, overriding: overriding, kind: kind, versions)
    }
}

/// The newest table of a session, and the hits of the last searches in it.
package final class RowCache: Attachment {
    private static let searchesMax = 4

    private struct Search {
        let find: RowFind
        let hits: RowHits
        let reservation: MemoryReservation
    }

    private struct Kept {
        let table: RowTable
        /// The newest last.
        var searches: [Search] = []
        /// Milliseconds of the monotonic clock.
        var usedAt: Int64
    }

    private let kept = Mutex<Kept?>(nil)

    init() {}

    /// The table, if its order is still that of the session, and the hits if they are there. O(1).
    package func find(
        order: UInt64, _ find: RowFind?, now: Int64
    ) -> (table: RowTable, hits: RowHits?)? {
        kept.withLock { kept in
            guard let table = kept?.table, table.order == order else { return nil }
            kept?.usedAt = now
            guard let find, let place = kept?.searches.firstIndex(where: { $0.find == find }) else {
                return (table, nil)
            }
            // The search that was used last goes last.
            guard let search = kept?.searches.remove(at: place) else { return (table, nil) }
            kept?.searches.append(search)
            return (table, search.hits)
        }
    }

    /// Keeps a table in place of an older one.
    fileprivate func keep(_ table: RowTable, now: Int64) {
        kept.withLock { kept in
            if let known = kept?.table, known === table || known.order > table.order { return }
            kept = Kept(table: table, usedAt: now)
        }
    }

    /// Keeps the hits of a search, if the table is still kept.
    ///
    /// - Throws: `outOfMemory`.
    package func keep(
        _ hits: RowHits, of find: RowFind, in table: RowTable, _ memory: MemoryLedger
    ) throws(SessionError) {
        let reservation = try memory.reserving(hits.bytes)
        reservation.settle()
        kept.withLock { kept in
            guard kept?.table === table else { return }
            kept?.searches.removeAll { $0.find == find }
            if kept?.searches.count == Self.searchesMax { kept?.searches.removeFirst() }
            kept?.searches.append(Search(find: find, hits: hits, reservation: reservation))
        }
    }

    package var heldBytes: Int {
        kept.withLock { kept in
            kept.map { $0.table.bytes + $0.searches.reduce(0) { $0 + $1.hits.bytes } } ?? 0
        }
    }

    /// Lets everything go that was not used since a time. Returns whether nothing is left.
    fileprivate func release(unusedSince time: Int64) -> Bool {
        let (isEmpty, rest) = kept.withLock { kept -> (Bool, Kept?) in
            guard let all = kept else { return (true, nil) }
            if all.usedAt > time { return (false, nil) }
            kept = nil
            return (true, all)
        }
        // Freed without the mutex.
        _ = rest
        return isEmpty
    }
}

extension Session {
    /// The nodes in tree order, while clients ask for windows of them.
    package var rows: RowCache { attachment.value(RowCache.init) }
}

extension SessionStore {
    /// Keeps the rows of a session.
    package func keepRows(_ table: RowTable, of session: Session) {
        session.rows.keep(table, now: environment.uptime())
        upkeep.rows.note(session)
    }

    /// Lets go of rows for which no request has come for a minute. To be called once a second. O(sessions that keep
    /// rows).
    package func releaseIdleRows() {
        releaseRows(unusedSince: environment.uptime() - limits.rowLingerMilliseconds)
    }

    /// Lets go of all rows that no request uses, as memory is short.
    package func releaseRows() { releaseRows(unusedSince: .max) }

    private func releaseRows(unusedSince time: Int64) {
        upkeep.rows.keep { !$0.rows.release(unusedSince: time) }
    }
}
