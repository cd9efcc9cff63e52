// Which session a damaged page is about, read from its raw bytes. Used for the words of a refusal and
// for nothing else.

import CSQLite
import SessionLog

struct DamagedPlaces {
    private let directory: DataDirectory

    init(_ directory: DataDirectory) { self.directory = directory }

    /// Entries that begin in a page of the database.
    func entries(inPage page: UInt32) -> [StoredPlace] {
        let bytes = try? RawFile(directory.databasePath).bytes(
            at: (Int64(page) - 1) * Int64(TRAITD_PAGE_BYTES), count: Int(TRAITD_PAGE_BYTES))
        return bytes?.withUnsafeBytes { StoredPlace.all(in: $0) } ?? []
    }

    /// The first session whose header is found in the database or in its write-ahead log.
    func firstSession() -> (session: LogSession, revision: Int64)? {
        for path in [directory.databasePath, directory.walPath] {
            if let found = Self.header(inFile: path) { return (found, 1) }
        }
        return AcknowledgedMark(path: directory.acknowledgedPath).map { ($0.session, $0.revision) }
    }

    /// Bytes of a file that are read at once.
    private static let windowBytes: Int64 = 1 << 20
    /// Bytes in which a header is looked for. Windows overlap by as many, as a header may lie
    /// across the end of a window.
    private static let headerBytesMax: Int64 = 512

    private static func header(inFile path: String) -> LogSession? {
        guard let size = SystemFiles.size(path), let file = try? RawFile(path) else { return nil }
        var offset: Int64 = 0
        while offset < size {
            let count = min(windowBytes, Int64(size) - offset)
            guard let bytes = file.bytes(at: offset, count: Int(count)) else { return nil }
            if let found = bytes.withUnsafeBytes(header) { return found }
            offset += max(1, count - headerBytesMax)
            if offset + headerBytesMax >= size { break }
        }
        return nil
    }

    /// The name and uid in the header that the payload of a first entry or of a snapshot begins with.
    static func header(in payload: [UInt8]) -> LogSession? {
        Array(payload.prefix(Int(headerBytesMax))).withUnsafeBytes(header)
    }

    /// The name and uid of a header (`SessionHeader.write`). Neither has characters that JSON
    /// escapes.
    private static func header(_ bytes: UnsafeRawBufferPointer) -> LogSession? {
        let opening = Array(#"{"header":{"format":"#.utf8)
        var offset = 0
        while offset + opening.count <= bytes.count {
            defer { offset += 1 }
            guard bytes[offset] == opening[0],
                bytes[offset..<offset + opening.count].elementsEqual(opening)
            else { continue }
            let end = min(offset + Int(headerBytesMax), bytes.count)
            let text = String(decoding: bytes[offset..<end], as: UTF8.self)
            if let name = member("name", of: text), let uid = member("uid", of: text) {
                return LogSession(name: name, uid: uid)
            }
        }
        return nil
    }

    private static func member(_ name: String, of text: String) -> String? {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { return nil }
        let rest = text[start.upperBound...]
        return rest.firstIndex(of: "\"").map { String(rest[..<$0]) }
    }
}
