// A row of the log: entries of one session that were appended together. One row takes less time to insert and
// to delete than a row for each entry.
//
// Each entry has the session's number (8 bytes, little-endian) before its stored form, so that raw bytes
// can be searched for entries. Rows of format 1 have one entry each.

import CSQLite
import Glibc
import SessionLog

/// The entries of one row, read one after the other.
struct StoredRow {
    /// The number of the session.
    let session: Int64
    private var rest: UnsafeRawBufferPointer

    private static let numberBytes = 8
    /// Two rows of this size fill a page. No entry is added to a row that would exceed it.
    private static let bytesMax = 2_000

    /// The number of bytes that an entry adds to a row.
    static func bytes(of entry: LogEntry) -> Int { numberBytes + entry.storedBytes }

    /// Whether an entry fits into a row that has `bytes` bytes.
    static func takes(_ entry: LogEntry, behind bytes: Int) -> Bool {
        bytes + Self.bytes(of: entry) <= bytesMax
    }

    /// Appends the bytes of one entry of a row. O(payload).
    static func append(_ entry: LogEntry, of session: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: session.littleEndian) { bytes.append(contentsOf: $0) }
        entry.encode(into: &bytes)
    }

    /// - Throws: damage when no entry can be in so few bytes.
    init(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard bytes.count > Self.numberBytes else { throw Self.corrupt("the row is too short") }
        session = Self.number(bytes)
        rest = bytes
    }

    /// Reads and verifies the next entry; nil behind the last one. O(payload).
    ///
    /// - Throws: damage when a bit is not as it was written; `SQLITE_NOMEM` where the system refuses the memory.
    mutating func next() throws(StorageError) -> LogEntry? {
        if rest.isEmpty { return nil }
        guard rest.count > Self.numberBytes, Self.number(rest) == session else {
            throw Self.corrupt("the row has an entry of another session")
        }
        let behind = UnsafeRawBufferPointer(rebasing: rest[Self.numberBytes...])
        // An entry that is not complete takes all bytes, and its decoding says what is wrong.
        let count = LogEntry.storedBytes(of: behind) ?? behind.count
        guard Self.hasRoom(for: count) else {
            throw StorageError(
                code: SQLITE_NOMEM, message: "there is no memory for an entry of \(count) bytes")
        }
        let decoded = Result { () throws(LogFailure) in
            try LogEntry(decoding: UnsafeRawBufferPointer(rebasing: behind[..<count]))
        }
        switch decoded {
        case .success(let entry):
            guard Schema.revisions.contains(entry.revision), entry.revision > 0 else {
                throw Self.corrupt("there is an entry of revision \(entry.revision)")
            }
            rest = UnsafeRawBufferPointer(rebasing: behind[count...])
            return entry
        case .failure(let error): throw Self.corrupt(error.reason)
        }
    }

    /// Whether the system gives the memory for an entry, and as much again for reading its payload. If it did not,
    /// the language's runtime would end the process. Entries below 1 MiB are not checked.
    static func hasRoom(for bytes: Int) -> Bool {
        guard bytes >= 1_048_576 else { return true }
        // Not malloc: the optimizer removes a block that is freed unused.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let block = mmap(nil, bytes &* 2, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let block, block != MAP_FAILED else { return false }
        munmap(block, bytes &* 2)
        return true
    }

    private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
    }

    private static func corrupt(_ message: String) -> StorageError {
        StorageError(code: SQLITE_CORRUPT, message: message)
    }
}
