// Reads a damaged table key by key and skips unreadable pages.

import CSQLite

/// Keys of a table that cannot be looked up. Some of them may never have had a row.
struct UnreadableKeys {
    /// Ends with `Int64.max` when all later keys are unreadable too.
    var keys: ClosedRange<Int64>
    let message: String

    var text: String {
        keys.upperBound == .max
            ? "\(keys.lowerBound) and later" : "\(keys.lowerBound) to \(keys.upperBound)"
    }
}

struct SalvagedTable {
    let name: String
    /// The integer primary key.
    let key: String
    let connection: Connection

    /// How many keys are tried one by one where a damaged page does not say which keys it has.
    private static let triedKeysMax = 1_000_000

    /// Calls `body` with the keys, in order. Where a page is damaged every possible key is tried.
    ///
    /// - Parameters:
    ///   - known: a key that the table had at some time. Keys up to it are tried.
    ///   - body: throws when the row of the key cannot be read.
    /// - Returns: the keys that cannot be read, in order.
    func forEachKey(
        through known: Int64 = 0, _ body: (Int64) throws(StorageError) -> Void
    ) -> [UnreadableKeys] {
        let end = end()
        let last = max(end.bound, known)
        var unreadable: [UnreadableKeys] = []
        func note(_ keys: ClosedRange<Int64>, _ error: StorageError) {
            if let before = unreadable.last, before.keys.upperBound == keys.lowerBound - 1 {
                unreadable[unreadable.count - 1].keys =
                    before.keys.lowerBound...keys.upperBound
            } else {
                unreadable.append(UnreadableKeys(keys: keys, message: error.message))
            }
        }
        var current: Int64 = 0
        var tried = 0
        while current < last {
            do throws(StorageError) {
                guard let next = try self.next(after: current) else { break }
                current = next
            } catch {
                if tried == Self.triedKeysMax {
                    note(current + 1...last, error)
                    current = last
                    break
                }
                current += 1
                tried += 1
            }
            do throws(StorageError) {
                try body(current)
            } catch {
                note(current...current, error)
            }
        }
        if let error = end.error, current < .max { note(current + 1 ... .max, error) }
        return unreadable
    }

    private func next(after key: Int64) throws(StorageError) -> Int64? {
        let select = try connection.statement(
            "SELECT min(\(self.key)) FROM \(name) WHERE \(self.key) > ?1")
        try select.bind(1, key)
        defer { select.reset() }
        guard try select.step(), select.integer(0) > key else { return nil }
        return select.integer(0)
    }

    /// A bound of the keys that can be read: the largest key; or, when the page of the largest keys is
    /// damaged, a power of two from which on no key can be looked up.
    private func end() -> (bound: Int64, error: StorageError?) {
        var failure: StorageError?
        var bound = Int64.max
        while bound > 0 {
            do throws(StorageError) {
                let select = try connection.statement(
                    "SELECT max(\(key)) FROM \(name) WHERE \(key) <= ?1")
                try select.bind(1, bound)
                defer { select.reset() }
                let largest = try select.step() ? select.integer(0) : 0
                return failure == nil ? (largest, nil) : (bound << 1 | 1, failure)
            } catch {
                if failure == nil { failure = error }
                bound >>= 1
            }
        }
        return (0, failure)
    }
}
