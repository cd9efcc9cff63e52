// The values that the operations of commits replaced. The log does not have them: a replay looks before each operation.

import Ledger
import TraitJSON
import TraitSessions

/// The operations of some commits with `previous`, as JSON arrays by revision. Immutable.
package struct PreviousValues: Sendable {
    package let operations: [Int64: [UInt8]]
}

/// Used by one thread at a time.
final class PreviousValuesWork: PastWork {
    let origin: Session
    /// Ascending.
    private var revisions: ArraySlice<Int64>
    private let wanted: Set<Int64>
    private let replaced: ReplacedValues
    private(set) var replay: PastReplay?
    private var operations: [Int64: [UInt8]] = [:]
    private(set) var bytes = 0

    init(_ origin: Session, _ revisions: [Int64]) {
        self.origin = origin
        self.revisions = revisions[...]
        wanted = Set(revisions)
        replaced = ReplacedValues(bytesMax: origin.limits.pastBytesMax)
    }

    func step(_ memory: MemoryReservation) throws(SessionError) -> PastResult? {
        guard let first = revisions.first, let last = revisions.last else {
            return PastResult(value: PreviousValues(operations: [:]), byteCount: 0)
        }
        guard let replay else {
            let begun: PastReplay
            do throws(SessionError) {
                begun = try PastReplay(of: origin, from: first - 1, taking: memory)
            } catch  where error.code == .historyGone && revisions.count > 1 {
                // The log may have no state before the oldest commit.
                revisions.removeFirst()
                return nil
            }
            // A document that began the session has no operations.
            if begun.state.head == first { operations[first] = Array("[]".utf8) }
            replay = begun
            return nil
        }
        let isOver = try replay.step(
            to: last,
            before: { entry in
                let isWanted = self.wanted.contains(entry.revision)
                replay.replayer.witness = isWanted ? self.replaced.add : nil
            },
            after: { entry throws(SessionError) in
                guard self.wanted.contains(entry.revision) else { return }
                let list = try self.replaced.takeList()
                self.bytes += list.count + 64
                self.operations[entry.revision] = list
            })
        guard isOver else { return nil }
        self.replay = nil
        return PastResult(
            value: PreviousValues(operations: operations), byteCount: bytes + 1_024)
    }
}

extension PastStates {
    /// The values that the operations of retained commits replaced.
    ///
    /// - Parameters:
    ///   - revisions: ascending; the state before the first one can be rebuilt.
    ///   - caller: pays for the memory.
    /// - Throws: `tooManyReads` when too many wait.
    package func previousValues(
        of revisions: [Int64], in session: Session, for caller: MemoryAccount?
    ) throws(SessionError) -> PastFinding<PreviousValues> {
        let key = PastKey(
            uid: session.uid, revision: revisions.last ?? 0, what: .previous(revisions))
        return try find(key, for: caller) { PreviousValuesWork(session, revisions) }
    }
}
