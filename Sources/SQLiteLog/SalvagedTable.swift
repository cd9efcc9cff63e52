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
    func salvage(
        _ table: String, key: String, columns: String, _ body: (Statement) -> Void
    ) -> UnreadableKeys? {
        var last: Int64 = 0
        do throws(StorageError) {
            let rows = try statement("SELECT \(key), \(columns) FROM \(table) ORDER BY \(key)")
            while try rows.step() {
                last = rows.integer(0)
                body(rows)
            }
            return nil
        } catch {
            let first = last == .max ? last : last + 1
            var end = Int64.max
            do throws(StorageError) {
                let rows = try statement(
                    "SELECT \(key), \(columns) FROM \(table) WHERE \(key) > ?1 ORDER BY \(key) DESC"
                )
                try rows.bind(1, last)
                while try rows.step() {
                    end = rows.integer(0) - 1
                    body(rows)
                }
            } catch {
                // The rows behind the last unreadable page were read, and what stops here is in the range.
            }
            return UnreadableKeys(keys: first...max(first, end), message: error.message)
        }
    }
}
