// Reads a database of which pages are damaged.

/// Keys of a table that cannot be read. Some of them may never have had a row.
struct UnreadableKeys {
    /// Ends with `Int64.max` when no later key can be read.
    let keys: ClosedRange<Int64>
    let message: String

    var text: String {
        keys.upperBound == .max
            ? "\(keys.lowerBound) and later" : "\(keys.lowerBound) to \(keys.upperBound)"
    }
}

extension Connection {
    /// Calls `body` with the rows that can be read: from the first up to the first unreadable page, and
    /// from the last back to the last unreadable page. O(rows).
    ///
    /// - Parameters:
    ///   - key: the integer primary key of the table, which is column 0.
    ///   - columns: those that follow it.
    /// - Returns: the keys that cannot be read; nil when all were read.
    /// - Throws: that memory is refused.
    func salvage(
        _ table: String, key: String, _ columns: String,
        _ body: (Statement) throws(StorageError) -> Void
    ) throws(StorageError) -> UnreadableKeys? {
        var last: Int64 = 0
        var end = Int64.max
        let select = "SELECT \(key), \(columns) FROM \(table)"
        let failure = try damage { () throws(StorageError) in
            let rows = try statement("\(select) ORDER BY \(key)")
            while try rows.step() {
                last = rows.integer(0)
                try body(rows)
            }
        }
        guard let failure else { return nil }
        // The range has what stops this.
        _ = try damage { () throws(StorageError) in
            let rows = try statement("\(select) WHERE \(key) > ?1 ORDER BY \(key) DESC", last)
            while try rows.step() {
                end = rows.integer(0) - 1
                try body(rows)
            }
        }
        let first = last == .max ? last : last + 1
        return UnreadableKeys(keys: first...max(first, end), message: failure.message)
    }

    /// The integer that a query answers with; nil when it cannot be read.
    ///
    /// - Throws: that memory is refused.
    func salvagedInteger(_ sql: String) throws(StorageError) -> Int64? {
        var found: Int64?
        _ = try damage { () throws(StorageError) in found = try integer(sql) }
        return found
    }

    /// The bytes of a snapshot; nil when they are not as they were written. O(bytes).
    ///
    /// - Throws: that memory is refused.
    func salvagedPayload(of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8]? {
        var found: [UInt8]?
        _ = try damage { () throws(StorageError) in found = try payload(of: snapshot) }
        return found
    }

    /// The error of `body`, if there was one.
    ///
    /// - Throws: that memory is refused.
    private func damage(
        _ body: () throws(StorageError) -> Void
    ) throws(StorageError) -> StorageError? {
        do throws(StorageError) {
            try body()
            return nil
        } catch {
            if error.isOutOfMemory { throw error }
            return error
        }
    }
}
