// The one connection to the database file, and its prepared statements: the only Swift code that
// calls SQLite.

import CSQLite
import SessionLog

/// The error of a call of SQLite.
struct StorageError: Error, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    let message: String

    var description: String { "\(message) (SQLite result \(code))" }

    private var primary: Int32 { code & 0xFF }

    var isFull: Bool { primary == SQLITE_FULL }
    /// Whether the system refused memory. It says nothing about the bytes of the file.
    var isOutOfMemory: Bool { primary == SQLITE_NOMEM || code == Self.memoryForPage }
    /// The kind of failure for callers, unless the file is damaged.
    var unavailability: LogFailure.Kind { isOutOfMemory ? .outOfMemory : .unavailable }
    /// Whether the file's bytes differ from those that were written.
    var isDamage: Bool {
        primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code == Self.damagedPage
            || code == SQLITE_IOERR | (2 << 8)
    }

    /// SQLITE_IOERR_DATA, which is a C macro of an expression.
    private static let damagedPage = SQLITE_IOERR | (32 << 8)
    /// SQLITE_IOERR_NOMEM.
    private static let memoryForPage = SQLITE_IOERR | (12 << 8)
}

/// An open database. Confined to the queue of its log.
final class Connection {
    let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// - Parameter vfs: the name of a registered VFS.
    init(path: String, vfs: String) throws(StorageError) {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, vfs)
        guard result == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) }
            sqlite3_close_v2(opened)
            throw StorageError(code: result, message: message ?? "the database cannot be opened")
        }
        handle = opened
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs a statement that is used once.
    func execute(_ sql: String) throws(StorageError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row, as an integer; nil without a row.
    func integer(_ sql: String) throws(StorageError) -> Int64? {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The prepared statement of that text, which is kept. It is reset, and its first parameters are these.
    func statement(_ sql: String, _ values: Int64...) throws(StorageError) -> Statement {
        let statement: Statement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try Statement(sql, on: self)
            statements[sql] = statement
        }
        for (position, value) in values.enumerated() {
            try statement.bind(Int32(position + 1), value)
        }
        return statement
    }

    func check(_ result: Int32) throws(StorageError) {
        if result != SQLITE_OK { throw error(result) }
    }

    fileprivate func error(_ result: Int32) -> StorageError {
        StorageError(code: result, message: String(cString: sqlite3_errmsg(handle)))
    }

    /// Runs `body` as one transaction, on disk when this returns.
    ///
    /// - Throws: what failed. The transaction is then rolled back, though its bytes may have reached
    ///   the disk.
    func transaction(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try body()
            try execute("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// Ends an open transaction without effect. Some failures have rolled back already.
    func rollBack() {
        if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
    }

    /// Copies the write-ahead log into the database, and flushes both.
    func checkpoint(truncates: Bool = false) throws(StorageError) {
        var logFrames: Int32 = 0
        var copiedFrames: Int32 = 0
        let mode = truncates ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        try check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &logFrames, &copiedFrames))
        // Both are -1 for a connection that does not use the write-ahead log.
        guard logFrames >= 0, copiedFrames == logFrames else {
            throw StorageError(
                code: SQLITE_BUSY,
                message: "the checkpoint copied \(copiedFrames) of \(logFrames) pages")
        }
    }

    /// The page whose checksum did not match on a read, if there was one.
    var damagedPage: UInt32? {
        let page = traitd_damaged_page(handle)
        return page == 0 ? nil : page
    }
}

/// A prepared statement. Values are bound by position, from 1; columns are counted from 0.
final class Statement {
    private let handle: OpaquePointer
    // The connection keeps its statements, so this does not keep the connection.
    private unowned let connection: Connection

    init(_ sql: String, on connection: Connection) throws(StorageError) {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK, let prepared else { throw connection.error(result) }
        handle = prepared
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Takes the next row. Returns false at the end; the statement is then reset.
    func step() throws(StorageError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case let result:
            let error = connection.error(result)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs a statement that has no rows.
    func run() throws(StorageError) { while try step() {} }

    /// Runs a statement without rows whose parameter at that position is these bytes.
    func run(_ position: Int32, _ bytes: ArraySlice<UInt8>) throws(StorageError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) -> Void in
                // The bytes have to stay where they are until the statement has run.
                try connection.check(
                    traitd_bind_blob(handle, position, bytes.baseAddress, UInt64(bytes.count)))
                try run()
            }
        }
        try result.get()
    }

    func reset() { sqlite3_reset(handle) }

    func bind(_ position: Int32, _ value: Int64) throws(StorageError) {
        try connection.check(sqlite3_bind_int64(handle, position, value))
    }

    func bind(_ position: Int32, _ text: String) throws(StorageError) {
        var text = text
        let result = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                traitd_bind_text(handle, position, $0.baseAddress, UInt64($0.count))
            }
        }
        try connection.check(result)
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func word(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    /// A text of the database. SQLite would need memory for its form that ends with a zero byte.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a column, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let bytes = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    }
}
