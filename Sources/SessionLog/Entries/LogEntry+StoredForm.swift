// The bytes of one entry in a log on disk or behind a network. Every bit is verified when an entry
// is read: constants are compared, and all else is covered by the entry's checksum.
//
// Version 1, all integers little-endian:
//
//      0  3  signature "TLE"
//      3  1  version, 1
//      4  1  kind
//      5  3  zero
//      8  8  revision
//     16  8  time
//     24  8  checksum of the entry before
//     32  8  number of payload bytes, n
//     40  n  payload
//   40+n  8  checksum of this entry
//
// A version never changes once a release has written it; Tests/Support/Fixtures/entries keeps entries of
// each version. Entries beyond `LogProperties.maxEntryBytes` could later be stored as several
// chunks, of which the last has a marker that makes the entry visible. Chunks would be a new
// version of this form, and the readers of logs would see whole entries as now.

extension LogEntry {
    package static let storedVersion: UInt8 = 1
    /// The bytes that the stored form adds to the payload.
    package static let storedOverheadBytes = 48

    /// "TLE".
    private static let signature: UInt64 = 0x45_4C_54
    private static let payloadOffset = 40

    /// The number of bytes that `encode(into:)` appends.
    package var storedBytes: Int { Self.storedOverheadBytes + payload.count }

    /// Appends the stored form. O(payload).
    package func encode(into bytes: inout [UInt8]) {
        // The words of the form above. Six appends take three times the instructions.
        let first =
            Self.signature | UInt64(Self.storedVersion) << 24 | UInt64(kind.rawValue) << 32
        let head = (
            first.littleEndian, revision.littleEndian, time.littleEndian, previous.littleEndian,
            UInt64(payload.count).littleEndian
        )
        withUnsafeBytes(of: head) { bytes.append(contentsOf: $0) }
        payload.withUnsafeBytes { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// How many of the bytes the entry takes that begins with them, by the number of its payload's bytes;
    /// nil when there are fewer. Nothing is verified. O(1).
    package static func storedBytes(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= storedOverheadBytes else { return nil }
        let payloadBytes = word(bytes, 32)
        guard payloadBytes <= UInt64(bytes.count - storedOverheadBytes) else { return nil }
        return storedOverheadBytes + Int(payloadBytes)
    }

    /// Reads the stored form of exactly one entry and verifies it. O(payload).
    ///
    /// - Throws: `damaged` when a bit is not as it was written or the form is not complete;
    ///   `unsupported` when a later release wrote it.
    package convenience init(decoding bytes: UnsafeRawBufferPointer) throws(LogFailure) {
        guard bytes.count >= 4,
            UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16 == Self.signature
        else {
            throw LogFailure(.damaged(), "no entry begins here")
        }
        guard bytes[3] == Self.storedVersion else {
            throw LogFailure(
                .unsupported(version: bytes[3]),
                "the entry has the stored form \(bytes[3]); the newest one that is understood here"
                    + " is \(Self.storedVersion)")
        }
        guard bytes.count >= Self.storedOverheadBytes else {
            throw LogFailure(.damaged(), "the entry ends after \(bytes.count) bytes")
        }
        let revision = Int64(bitPattern: Self.word(bytes, 8))
        let damaged = LogFailure.Kind.damaged(revision: revision)
        let payloadBytes = bytes.count - Self.storedOverheadBytes
        guard Self.word(bytes, 32) == UInt64(payloadBytes) else {
            throw LogFailure(
                damaged,
                "the entry says that its payload has \(Self.word(bytes, 32)) bytes,"
                    + " and there are \(payloadBytes)")
        }
        guard let kind = Kind(rawValue: bytes[4]), bytes[5..<8].allSatisfy({ $0 == 0 }) else {
            throw LogFailure(damaged, "the entry is of no known kind")
        }
        let payload = bytes[Self.payloadOffset..<Self.payloadOffset + payloadBytes]
        self.init(
            revision: revision, time: Int64(bitPattern: Self.word(bytes, 16)), kind: kind,
            payload: [UInt8](payload), after: Self.word(bytes, 24))
        guard checksum == Self.word(bytes, bytes.count - 8) else {
            throw LogFailure(damaged, "the checksum of the entry does not match")
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
