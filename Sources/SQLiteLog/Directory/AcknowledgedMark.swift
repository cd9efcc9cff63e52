// A lower bound of what was acknowledged, beside the log. SQLite cannot distinguish a write-ahead log that
// lost its end after the flush from one that was never written so far. This file can: it names the
// newest acknowledged entry. It is written after each flush, and flushed only at a start, so after a
// power cut it may be older than the log, and never newer.
//
//      0  8  signature "TLACKED1"
//      8  8  sequence number of its row
//     16  8  revision
//     24  8  number of name bytes, n, at most 256
//     32  8  XXH64 of the name, with the three numbers as entry fields
//     40  n  name and uid of the session, with a line feed between
//
// The file has 512 bytes, one sector, so that a power cut leaves one mark or the other.

import Glibc
import SessionLog

struct AcknowledgedMark: Equatable {
    let sequence: Int64
    let revision: Int64
    let session: LogSession

    /// Nothing is acknowledged.
    static let none = AcknowledgedMark(
        sequence: 0, revision: 0, session: LogSession(name: "", uid: ""))

    private static let signature = Array("TLACKED1".utf8)
    private static let headBytes = 40
    private static let fileBytes = 512

    private static func checksum(
        _ sequence: Int64, _ revision: Int64, _ name: UnsafeRawBufferPointer
    ) -> UInt64 {
        EntryChecksum.of(
            revision: revision, time: sequence, kind: .commit, payload: name, after: 0)
    }

    init(sequence: Int64, revision: Int64, session: LogSession) {
        self.sequence = sequence
        self.revision = revision
        self.session = session
    }

    /// Reads the file; nil when it is not there or not whole.
    init?(path: String) {
        let descriptor = SystemFiles.open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { SystemFiles.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.fileBytes)
        let count = bytes.withUnsafeMutableBytes { SystemFiles.read(descriptor, $0, at: 0) }
        guard count >= Self.headBytes, bytes.starts(with: Self.signature) else { return nil }
        func word(_ offset: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
        }
        let nameBytes = word(24)
        guard nameBytes <= UInt64(count - Self.headBytes) else { return nil }
        sequence = Int64(bitPattern: word(8))
        revision = Int64(bitPattern: word(16))
        let name = Array(bytes[Self.headBytes..<Self.headBytes + Int(nameBytes)])
        let (sequence, revision) = (sequence, revision)
        let expected = name.withUnsafeBytes { Self.checksum(sequence, revision, $0) }
        guard expected == word(32) else { return nil }
        let parts = name.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
        session = LogSession(
            name: String(decoding: parts[0], as: UTF8.self),
            uid: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
        // Messages have the name, and strangers may have written it.
        guard name.allSatisfy({ (0x21...0x7e).contains($0) || $0 == 10 }) else { return nil }
    }

    /// Overwrites the file. A failure leaves an older mark, which is true as well.
    ///
    /// - Returns: whether it is written.
    func write(to descriptor: Int32) -> Bool {
        let name = Array("\(session.name)\n\(session.uid)".utf8.prefix(256))
        var bytes = Self.signature
        bytes.reserveCapacity(Self.fileBytes)
        func append(_ word: UInt64) {
            for shift in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift * 8)))
            }
        }
        append(UInt64(bitPattern: sequence))
        append(UInt64(bitPattern: revision))
        append(UInt64(name.count))
        append(name.withUnsafeBytes { Self.checksum(sequence, revision, $0) })
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: repeatElement(0, count: Self.fileBytes - bytes.count))
        return bytes.withUnsafeBytes { SystemFiles.write(descriptor, $0, at: 0) == $0.count }
    }
}
