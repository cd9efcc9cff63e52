// The tables and the numbers that a database of this log has. Checksums show damage and no intent, and a data
// directory may come from a stranger, so both are compared before anything is read.

import CSQLite
import SessionLog

enum Schema {
    /// The statements that make the tables. SQLite keeps them as they are.
    static let tables = [
        "CREATE TABLE sessions(number INTEGER PRIMARY KEY, name TEXT NOT NULL, uid TEXT NOT NULL,"
            + " base INTEGER NOT NULL, baseChecksum INTEGER NOT NULL)",
        "CREATE TABLE entries(sequence INTEGER PRIMARY KEY, entry BLOB NOT NULL)",
        "CREATE TABLE snapshots(number INTEGER PRIMARY KEY, session INTEGER NOT NULL,"
            + " revision INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes INTEGER NOT NULL,"
            + " payloadChecksum INTEGER NOT NULL, isComplete INTEGER NOT NULL)",
        "CREATE TABLE parts(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
        "CREATE TABLE marks(sequence INTEGER NOT NULL)",
    ]

    /// The numbers of sessions and snapshots. The ids of parts have 20 bits more.
    static let numbers: ClosedRange<Int64> = 1...(1 << 42)
    static let sequences: ClosedRange<Int64> = 0...(1 << 60)
    static let revisions: ClosedRange<Int64> = 0...(1 << 53)
    static let snapshotBytes: ClosedRange<Int64> = 0...(1 << 34)
    /// Bytes of a name or a uid.
    static let textBytesMax = 256
}

extension Connection {
    /// Compares the tables with those that this log makes.
    ///
    /// - Parameter allowsOthers: whether there may be more. Reading a table carries out no trigger, and no view or
    ///   virtual table has the text of ours.
    /// - Throws: damage.
    func checkTables(allowsOthers: Bool) throws(StorageError) {
        let rows = try statement("SELECT name, sql FROM sqlite_schema")
        defer { rows.reset() }
        var missing = Set(Schema.tables)
        while try rows.step() {
            if missing.remove(rows.text(1)) != nil || allowsOthers { continue }
            let name = rows.text(0).unicodeScalars.prefix(64).map { $0.escaped(asASCII: true) }
            throw Schema.corrupt("the database has '\(name.joined())', which traitd did not make")
        }
        if !missing.isEmpty { throw Schema.corrupt("the database has not the tables of traitd") }
    }
}

extension Statement {
    /// - Throws: damage, for a number outside the range.
    func integer(_ column: Int32, in range: ClosedRange<Int64>) throws(StorageError) -> Int64 {
        let number = integer(column)
        guard range.contains(number) else {
            throw Schema.corrupt(
                "the number \(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The session whose name and uid stand in these columns. Messages have both.
    ///
    /// - Throws: damage, for texts that no session has.
    func session(_ name: Int32, _ uid: Int32) throws(StorageError) -> LogSession {
        for column in [name, uid] {
            let bytes = bytes(column)
            guard (1...Schema.textBytesMax).contains(bytes.count),
                bytes.allSatisfy({ (0x21...0x7e).contains($0) })
            else {
                throw Schema.corrupt("a session has a name or a uid that traitd does not write")
            }
        }
        return LogSession(name: text(name), uid: text(uid))
    }
}

extension Schema {
    static func corrupt(_ message: String) -> StorageError {
        StorageError(code: SQLITE_CORRUPT, message: message)
    }
}
