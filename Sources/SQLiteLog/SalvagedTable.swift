// Reads a table with unreadable pages: from its beginning up to the first of them, and from its end back to the last.

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
    /// Calls `body` with the rows that can be read. Column 0 is the key, and `columns` follow.
    ///
    /// - Parameter key: the integer primary key of the table.
    /// - Returns: the keys that cannot be read; nil when all were read.
    /// - Throws: that memory is refused.
    func salvage(
        _ table: String, key: String, columns: String,
        _ body: (Statement) throws(StorageError) -> Void
    ) throws(StorageError) -> UnreadableKeys? {
        var last: Int64 = 0
        do throws(StorageError) {
            let rows = try statement("SELECT \(key), \(columns) FROM \(table) ORDER BY \(key)")
            while try rows.step() {
                last = rows.integer(0)
                try body(rows)
            }
            return nil
        } catch {
            if error.isOutOfMemory { throw error }
            let first = last == .max ? last : last + 1
            var end = Int64.max
            do throws(StorageError) {
                let rows = try statement(
                    "SELECT \(key), \(columns) FROM \(table) WHERE \(key) > ?1 ORDER BY \(key) DESC",
                    last)
                while try rows.step() {
                    end = rows.integer(0) - 1
                    try body(rows)
                }
            } catch {
                if error.isOutOfMemory { throw error }
                // The rows behind the last unreadable page were read, and what stops here is in the range.
            }
            return UnreadableKeys(keys: first...max(first, end), message: error.message)
        }
    }

    /// The integer that a query answers with; nil when it cannot be read.
    ///
    /// - Throws: that memory is refused.
    func salvagedInteger(_ sql: String) throws(StorageError) -> Int64? {
        do throws(StorageError) {
            return try integer(sql)
        } catch {
            if error.isOutOfMemory { throw error }
            return nil
        }
    }
}
