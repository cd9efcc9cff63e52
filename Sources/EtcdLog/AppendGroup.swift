// Parts of a batch that one transaction decides, and what its answer says of each.

import Background
import SessionLog

/// A part with what etcd gets of it.
struct OutgoingPart {
    let index: Int
    let session: LogSession
    let entries: [LogEntry]
    let expecting: Int64
    let leases: LeaseGuard?
    let tag = MachineRandom.next()
    let row: [UInt8]
    let pieces: [ArraySlice<UInt8>]
    /// The head that the part expects, and the one that it makes; nil without one.
    let before: Head?
    let after: Head?

    init(_ part: LogAppend, at index: Int) {
        self.index = index
        session = part.session
        entries = part.entries
        expecting = part.expecting
        leases = part.leases
        (row, pieces) =
            entries.isEmpty ? ([], []) : Row.encode(entries, tag: tag, name: session.name)
        let name = session.name
        before =
            entries.first.flatMap { first in
                part.expecting == 0
                    ? nil
                    : Head(
                        revision: part.expecting, checksum: first.previous, isDeleted: false,
                        name: name)
            }
        after = entries.last.map { Head(after: $0, name: name) }
    }

    var last: Int64 { after?.revision ?? expecting }
    var isCreation: Bool { expecting == 0 }
    var isEnd: Bool { after?.isDeleted ?? false }
}

struct AppendGroup {
    private(set) var parts: [OutgoingPart] = []
    private var bytes = 0
    private var uids: Set<String> = []
    private var names: Set<String> = []

    /// etcd takes 128 operations and 1.5 MiB in one transaction; a session needs up to 4.
    private static let partsMax = 32
    private static let bytesMax = 1_048_576
    /// Rows that come with a conflict: of one session, and of each of several.
    private static let rowsWithConflict: Int64 = 16
    private static let rowsWithConflicts: Int64 = 1
    /// The operations of a part that is looked at: its head, rows and name.
    private static let readsOfPart = 3

    /// Whether a part can be decided together with the others. Parts that depend on each other cannot, and a
    /// part without entries is only read.
    func takes(_ part: OutgoingPart) -> Bool {
        guard let first = parts.first else { return true }
        return parts.count < Self.partsMax && bytes + part.row.count <= Self.bytesMax
            && !part.entries.isEmpty && !first.entries.isEmpty
            // The comparisons of a guard may fill a transaction.
            && part.leases == nil && first.leases == nil
            && !uids.contains(part.session.uid) && !names.contains(part.session.name)
    }

    mutating func add(_ part: OutgoingPart) {
        parts.append(part)
        bytes += part.row.count
        uids.insert(part.session.uid)
        names.insert(part.session.name)
    }

    // MARK: - The transaction

    /// - Parameter writer: the mark of a writer that loses the race for one session.
    static func request(
        _ parts: [OutgoingPart], _ keys: Keys, writer: [UInt8]
    ) -> [UInt8] {
        if parts.allSatisfy(\.entries.isEmpty) { return look(parts, keys) }
        var comparisons: [EtcdComparison] = []
        var writes: [EtcdOperation] = []
        for part in parts { add(part, keys, &comparisons, &writes) }
        if parts.contains(where: { $0.isCreation || $0.isEnd }) {
            writes.append(.put(keys.list, []))
        }
        // What fails is rare, and is looked at by a request of its own: etcd would read, store and send the reads with
        // each transaction.
        var otherwise: [EtcdOperation] = []
        if parts.count == 1, let turn = parts.first.map({ keys.turn($0.session.uid) }) {
            writes.append(.range(EtcdRange(key: turn)))
            otherwise.append(.put(turn, writer))
        }
        return EtcdRequest.transaction(if: comparisons, then: writes, else: otherwise)
    }

    /// A transaction that only shows where the sessions are, after one that has failed or had no answer.
    static func look(_ parts: [OutgoingPart], _ keys: Keys) -> [UInt8] {
        EtcdRequest.transaction(then: reads(parts, keys))
    }

    private static func reads(_ parts: [OutgoingPart], _ keys: Keys) -> [EtcdOperation] {
        let rowLimit = parts.count == 1 ? rowsWithConflict : rowsWithConflicts
        return parts.flatMap { part -> [EtcdOperation] in
            [
                .range(EtcdRange(key: keys.head(part.session.uid))),
                .range(keys.rows(of: part.session.uid, after: part.expecting, limit: rowLimit)),
                .range(EtcdRange(key: keys.name(part.session.name))),
            ]
        }
    }

    private static func add(
        _ part: OutgoingPart, _ keys: Keys, _ comparisons: inout [EtcdComparison],
        _ writes: inout [EtcdOperation]
    ) {
        guard let after = part.after else { return }
        let uid = part.session.uid
        let name = keys.name(part.session.name)
        writes.append(.put(keys.row(uid, part.last), part.row))
        writes.append(.put(keys.head(uid), after.bytes))
        if let before = part.before {
            comparisons.append(.equals(keys.head(uid), before.bytes))
        } else {
            comparisons += [.isAbsent(keys.head(uid)), .isAbsent(name)]
            if !part.isEnd { writes.append(.put(name, Array(uid.utf8))) }
        }
        if let leases = part.leases {
            comparisons += leases.leases.map {
                .areUnchanged(keys.notes(of: $0), since: leases.mark)
            }
        }
        if part.isEnd, !part.isCreation {
            comparisons.append(.equals(name, Array(uid.utf8)))
            writes.append(.delete(name))
        }
    }

    // MARK: - Its answer

    /// The result of each part; nil for one that was not appended only because another one could not be.
    ///
    /// - Parameter isLook: whether the answer is to `look`. Else the transaction has succeeded.
    static func outcomes(
        _ parts: [OutgoingPart], _ answer: EtcdAnswer, isLook: Bool
    ) -> [AppendResult?] {
        if !isLook { return parts.map { _ in .appended } }
        let shown = parts.indices.map { Shown(answer, readsOfPart * $0) }
        // All parts have one transaction, so where one was appended by an earlier try, all were.
        if zip(parts, shown).contains(where: { $1.has($0.tag) }) {
            return parts.map { _ in .appended }
        }
        return zip(parts, shown).map { $1.outcome(of: $0) }
    }

    /// Whether a session's head is before the one that this process knew when it sent the transaction.
    static func isBehind(
        _ known: [Int64], _ parts: [OutgoingPart], _ look: EtcdAnswer
    ) -> Bool {
        zip(parts.indices, known).contains { index, known in
            Shown(look, readsOfPart * index).revision.map { $0 < known } ?? false
        }
    }

    /// The head of one part's session, as the answer shows it.
    private struct Shown {
        let head: EtcdKeyValue?
        let rows: [EtcdKeyValue]
        let holder: EtcdKeyValue?

        init(_ answer: EtcdAnswer, _ index: Int) {
            head = answer.found(at: index).values.first
            rows = answer.found(at: index + 1).values
            holder = answer.found(at: index + 2).values.first
        }

        var revision: Int64? {
            head.flatMap { head in
                Self.read { () throws(LogFailure) in try Head(head.value).revision }
            }
        }

        /// Whether the row that has the part's first revision is the part's own.
        func has(_ tag: UInt64) -> Bool {
            rows.first.flatMap { row in
                Self.read { () throws(LogFailure) in try Row(row.value).tag }
            } == tag
        }

        func outcome(of part: OutgoingPart) -> AppendResult? {
            let holder = part.isCreation ? self.holder : nil
            let session = holder.map {
                LogSession(
                    name: part.session.name, uid: String(decoding: $0.value, as: UTF8.self))
            }
            guard let value = head else {
                if part.isCreation, session == nil { return part.entries.isEmpty ? .appended : nil }
                return .conflict(LogConflict(head: 0, holder: session))
            }
            guard let head = Self.read({ () throws(LogFailure) in try Head(value.value) }) else {
                return .refused(
                    reason: "the head of '\(part.session.name)' in etcd is not readable")
            }
            guard head.revision == part.expecting, !head.isDeleted else {
                return .conflict(
                    LogConflict(
                        head: head.revision, holder: session, isDeleted: head.isDeleted,
                        entries: entries(after: part.expecting)))
            }
            guard let first = part.entries.first else { return .appended }
            if head.checksum != first.previous {
                return .refused(reason: LogAppend.brokenChain(first))
            }
            if head.name != part.session.name {
                return .refused(reason: "the session '\(head.name)' in etcd has another name")
            }
            let isHolder = self.holder.map { $0.value == Array(part.session.uid.utf8) } ?? false
            if part.isEnd, !isHolder {
                return .refused(reason: "another session has the name '\(head.name)' in etcd")
            }
            // Nothing else can have the transaction of such a part fail.
            return part.leases == nil ? nil : .leaseRenewed
        }

        /// Entries behind a revision, as far as the answer has them without pieces.
        private func entries(after revision: Int64) -> [LogEntry] {
            var entries: [LogEntry] = []
            for row in rows {
                guard let row = Self.read({ () throws(LogFailure) in try Row(row.value) }),
                    case .entries(let list) = row.content
                else { break }
                entries += list.drop { $0.revision <= revision }
            }
            return entries
        }

        /// Nil for a value that is damaged; the session tells it where it is read.
        private static func read<Result>(_ body: () throws(LogFailure) -> Result) -> Result? {
            do throws(LogFailure) { return try body() } catch { return nil }
        }
    }
}
