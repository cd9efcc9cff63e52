// SQLite's write-ahead log as it lies on disk, read before SQLite reads it. SQLite stops at the first
// frame that is not whole and says nothing. That is right for the last transaction, which a power cut
// may have torn. It is wrong for damage before that, which would silently lose acknowledged commits.
//
// The format is SQLite's (sqlite.org/fileformat2.html#walformat): 32 bytes of header, then frames of
// 24 bytes and a page. All integers are big-endian; the checksum is over words of the order that the
// signature says, and each frame's goes on from that of the frame before.

import CSQLite
import Glibc
import SessionLog

/// The condition of a write-ahead log, and the entries that SQLite will not read from it.
struct WriteAheadLog {
    enum Condition: Equatable {
        /// Everything up to the last whole transaction is as it was written.
        case whole
        /// The last transaction is not complete: its flush did not return.
        case torn
        /// Something before the last transaction is not as it was written.
        case damaged(String)
    }

    private(set) var condition = Condition.whole
    /// Entries in the frames that SQLite will not read, oldest first.
    private(set) var lost: [StoredPlace] = []

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    private static let pageBytes = Int(TRAITD_PAGE_BYTES)
    private static let frameBytes = frameHeaderBytes + pageBytes
    private static let signature: UInt32 = 0x377F_0682

    private struct Frame {
        let page: UInt32
        /// Pages of the database after the transaction that this frame ends; 0 inside one.
        let databasePages: UInt32
        let salts: UInt64
        /// Both halves, as stored.
        let checksum: UInt64
        let offset: Int
        /// Whether the checksum goes on from that of the frame before.
        var isConsistent = false
    }

    /// Reads the file, which need not be there, and stores what was read: SQLite takes it for stored, copies it into
    /// the database, and goes on behind it. O(bytes).
    ///
    /// - Throws: `unavailable` when the file cannot be read or written.
    init(path: String, databasePath: String) throws(LogFailure) {
        let bytes = try RawFile.read(path) ?? []
        guard bytes.count > Self.headerBytes else { return }
        // As SQLite writes it: nothing lies behind a header that is not on the disk.
        try RawFile.store(bytes, again: path, headerBytes: Self.headerBytes)
        // A database that cannot be opened is an error: it may have all pages of the log.
        let database =
            SystemFiles.size(databasePath) == nil ? nil : try RawFile(databasePath)
        bytes.withUnsafeBytes { scan($0, database) }
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer, _ database: RawFile?) {
        let isBigEndian = Self.word(bytes, 0) & 1 == 1
        let sum = Self.checksum(bytes, 0..<24, isBigEndian, from: 0)
        let stored = Self.pair(bytes, 24)
        let isHeaderWhole =
            Self.word(bytes, 0) & ~1 == Self.signature && sum == stored
            && Self.word(bytes, 8) == UInt32(Self.pageBytes)
        let salts = Self.pair(bytes, 16)
        var frames: [Frame] = []
        var before = stored
        var offset = Self.headerBytes
        while offset + Self.frameBytes <= bytes.count {
            var frame = Frame(
                page: Self.word(bytes, offset), databasePages: Self.word(bytes, offset + 4),
                salts: Self.pair(bytes, offset + 8), checksum: Self.pair(bytes, offset + 16),
                offset: offset)
            let head = Self.checksum(bytes, offset..<offset + 8, isBigEndian, from: before)
            let page = offset + Self.frameHeaderBytes..<offset + Self.frameBytes
            frame.isConsistent =
                frame.page != 0
                && Self.checksum(bytes, page, isBigEndian, from: head) == frame.checksum
            before = frame.checksum
            frames.append(frame)
            offset += Self.frameBytes
        }
        if !isHeaderWhole { return judgeWithoutHeader(frames, bytes, database) }
        judge(frames, salts, bytes)
    }

    private mutating func judge(
        _ frames: [Frame], _ salts: UInt64, _ bytes: UnsafeRawBufferPointer
    ) {
        var readable = 0
        var lastCommit = 0
        while readable < frames.count, frames[readable].isConsistent,
            frames[readable].salts == salts
        {
            readable += 1
            if frames[readable - 1].databasePages != 0 { lastCommit = readable }
        }
        let rest = frames[readable...]
        // Frames of an earlier round of the log follow; their salts are others.
        let written = rest.filter { $0.salts == salts }
        if !written.isEmpty || lastCommit < readable {
            condition = .torn
            for frame in frames[lastCommit...] where frame.salts == salts || frame.isConsistent {
                lost += Self.entries(in: frame, bytes)
            }
        }
        // A frame that goes on from the end of a transaction was written after that transaction's
        // flush. Frames of abandoned transactions, which may lie here too, go on from nothing.
        for (before, next) in zip(rest, rest.dropFirst())
        where before.databasePages != 0 && next.isConsistent && next.salts == salts {
            condition = .damaged(
                "frame \(readable + 1) of \(frames.count) in \(DataDirectory.walName)")
            return
        }
    }

    /// Nothing behind such a header is read. That loses nothing when the database has all that the
    /// frames of the present round have. These are the first ones: frames of earlier rounds may follow,
    /// and their salts are others.
    private mutating func judgeWithoutHeader(
        _ frames: [Frame], _ bytes: UnsafeRawBufferPointer, _ database: RawFile?
    ) {
        let round = frames.prefix { $0.salts == frames[0].salts }
        guard let last = round.lastIndex(where: { $0.databasePages != 0 }) else { return }
        var newest: [UInt32: Frame] = [:]
        for frame in round[...last] { newest[frame.page] = frame }
        for frame in newest.values.sorted(by: { $0.offset < $1.offset }) {
            let start = frame.offset + Self.frameHeaderBytes
            let covered = Self.pageBytes - Int(TRAITD_PAGE_CHECKSUM_BYTES)
            let page = database?.bytes(
                at: (Int64(frame.page) - 1) * Int64(Self.pageBytes), count: covered)
            if page.map({ $0.elementsEqual(bytes[start..<start + covered]) }) == true { continue }
            condition = .damaged("the header of \(DataDirectory.walName)")
            lost += Self.entries(in: frame, bytes)
        }
    }

    private static func entries(
        in frame: Frame, _ bytes: UnsafeRawBufferPointer
    ) -> [StoredPlace] {
        let start = frame.offset + frameHeaderBytes
        return StoredPlace.all(
            in: UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageBytes]))
    }

    // MARK: - Numbers

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Two words, of which the first is the upper half.
    private static func pair(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(word(bytes, offset)) << 32 | UInt64(word(bytes, offset + 4))
    }

    private static func checksum(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ isBigEndian: Bool,
        from start: UInt64
    ) -> UInt64 {
        var first = UInt32(truncatingIfNeeded: start >> 32)
        var second = UInt32(truncatingIfNeeded: start)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first = first &+ (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one))
            first = first &+ second
            second = second &+ (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two))
            second = second &+ first
            offset += 8
        }
        return UInt64(first) << 32 | UInt64(second)
    }
}

/// Where an entry was seen in raw bytes.
struct StoredPlace: Hashable {
    /// The number that the database has given the session.
    let session: Int64
    let revision: Int64
    /// The session's name, if this is a first entry, which has it.
    var name: String?

    /// Entries that begin in these bytes: a session's number, then the stored form.
    static func all(in bytes: UnsafeRawBufferPointer) -> [StoredPlace] {
        let signature: [UInt8] = [0x54, 0x4C, 0x45, LogEntry.storedVersion]
        var found: [StoredPlace] = []
        var offset = 8
        while offset + 16 <= bytes.count {
            defer { offset += 1 }
            guard bytes[offset] == signature[0], bytes[offset + 1] == signature[1],
                bytes[offset + 2] == signature[2], bytes[offset + 3] == signature[3]
            else { continue }
            let session = bytes.loadUnaligned(fromByteOffset: offset - 8, as: Int64.self)
            let revision = bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)
            var place = StoredPlace(
                session: Int64(littleEndian: session), revision: Int64(littleEndian: revision))
            guard place.session > 0, place.revision > 0 else { continue }
            if place.revision == 1 { place.name = name(in: bytes[(offset + 16)...]) }
            found.append(place)
        }
        return found
    }

    /// The name in the header that a first entry begins with (`SessionHeader`).
    private static func name(in bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        let near = bytes.prefix(nameDistanceMax)
        guard let start = near.firstRange(of: Array(#""name":""#.utf8))?.upperBound,
            let end = near[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return String(decoding: near[start..<end], as: UTF8.self)
    }

    /// How far behind its entry's beginning a name ends at most.
    private static let nameDistanceMax = 512
}
