// A log is a sequence of entries, chained by their checksums. An entry is immutable and shared by reference between
// the log and the retained commits, so that both keep one copy.

/// One commit, or the end of a session, as it is persisted.
///
/// Each entry carries a checksum over its own fields and over the checksum of the entry before.
/// The entries of a session therefore form a chain: an altered, lost or swapped entry breaks it.
@usableFromInline
package final class LogEntry: Sendable {
    @usableFromInline
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// A commit. Its payload is what replay applies.
        case commit = 0
        /// The end of the session. No entry follows it, and the name is free.
        case tombstone = 1
    }

    /// The revision that this entry makes. Revision 1 makes the session.
    package let revision: Int64
    /// Milliseconds since 1970, by the clock of the process that made the commit.
    package let time: Int64
    package let kind: Kind
    /// Bytes that the log does not interpret.
    package let payload: [UInt8]
    /// The checksum of the entry before, 0 for the first entry.
    package let previous: UInt64
    /// `EntryChecksum` over `previous`, revision, time, kind and payload.
    package let checksum: UInt64

    /// Makes an entry and its checksum. O(payload).
    ///
    /// - Parameter previous: the checksum of the entry before, 0 for the first entry.
    package init(
        revision: Int64, time: Int64, kind: Kind = .commit, payload: [UInt8],
        after previous: UInt64
    ) {
        self.revision = revision
        self.time = time
        self.kind = kind
        self.payload = payload
        self.previous = previous
        checksum = payload.withUnsafeBytes {
            EntryChecksum.of(
                revision: revision, time: time, kind: kind, payload: $0, after: previous)
        }
    }

    /// Whether this entry may come after the entry whose checksum is `previous`.
    ///
    /// Computes the checksum again. O(payload).
    package func follows(_ previous: UInt64) -> Bool {
        let recomputed = payload.withUnsafeBytes {
            EntryChecksum.of(
                revision: revision, time: time, kind: kind, payload: $0, after: previous)
        }
        return self.previous == previous && recomputed == checksum
    }
}

/// XXH64 over one entry, with the checksum of the entry before as its seed.
///
/// The checksum is part of the stored format: a log written by one release is verified by the next one, so neither
/// the algorithm nor its constants may ever change. Another algorithm needs another format version
/// (LogEntry+StoredForm.swift).
///
/// The message is four little-endian words of 64 bits (revision, time, kind, number of payload
/// bytes) and then the payload. The algorithm is the public one (the xxHash specification, 0.2.0),
/// so other tools can verify a log. XXH64 detects damage; it does not resist forgery.
package enum EntryChecksum {
    /// The checksum of an entry. O(payload): about 40 ns for 200 bytes.
    package static func of(
        revision: Int64, time: Int64, kind: LogEntry.Kind, payload: UnsafeRawBufferPointer,
        after previous: UInt64
    ) -> UInt64 {
        // The four words of the head are exactly one stripe.
        var lanes = Lanes(seed: previous)
        lanes.add(
            UInt64(bitPattern: revision), UInt64(bitPattern: time), UInt64(kind.rawValue),
            UInt64(payload.count))
        var offset = 0
        while payload.count - offset >= 32 {
            lanes.add(
                word(payload, offset), word(payload, offset + 8), word(payload, offset + 16),
                word(payload, offset + 24))
            offset += 32
        }
        let merged = lanes.merged &+ 32 &+ UInt64(payload.count)
        return avalanche(addingRest(of: payload, from: offset, to: merged))
    }

    /// Adds the bytes behind the last whole stripe: words, then one half word, then single bytes.
    private static func addingRest(
        of payload: UnsafeRawBufferPointer, from start: Int, to merged: UInt64
    ) -> UInt64 {
        var hash = merged
        var offset = start
        while payload.count - offset >= 8 {
            hash ^= round(0, word(payload, offset))
            hash = rotated(hash, 27) &* prime1 &+ prime4
            offset += 8
        }
        if payload.count - offset >= 4 {
            let half = payload.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            hash ^= UInt64(UInt32(littleEndian: half)) &* prime1
            hash = rotated(hash, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < payload.count {
            hash ^= UInt64(payload[offset]) &* prime5
            hash = rotated(hash, 11) &* prime1
            offset += 1
        }
        return hash
    }

    private static func avalanche(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash &>> 33)) &* prime2
        hash = (hash ^ (hash &>> 29)) &* prime3
        return hash ^ (hash &>> 32)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    fileprivate static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    fileprivate static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value &<< bits) | (value &>> (64 &- bits))
    }

    fileprivate static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    fileprivate static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    fileprivate static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    fileprivate static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    fileprivate static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
}

/// The four accumulators of XXH64, each of which takes every fourth word.
private struct Lanes {
    private var first, second, third, fourth: UInt64

    @inline(__always)
    init(seed: UInt64) {
        first = seed &+ EntryChecksum.prime1 &+ EntryChecksum.prime2
        second = seed &+ EntryChecksum.prime2
        third = seed
        fourth = seed &- EntryChecksum.prime1
    }

    @inline(__always)
    mutating func add(_ one: UInt64, _ two: UInt64, _ three: UInt64, _ four: UInt64) {
        first = EntryChecksum.round(first, one)
        second = EntryChecksum.round(second, two)
        third = EntryChecksum.round(third, three)
        fourth = EntryChecksum.round(fourth, four)
    }

    @inline(__always)
    var merged: UInt64 {
        var hash = EntryChecksum.rotated(first, 1) &+ EntryChecksum.rotated(second, 7)
        hash = hash &+ EntryChecksum.rotated(third, 12) &+ EntryChecksum.rotated(fourth, 18)
        hash = merge(hash, first)
        hash = merge(hash, second)
        hash = merge(hash, third)
        return merge(hash, fourth)
    }

    @inline(__always)
    private func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ EntryChecksum.round(0, lane)) &* EntryChecksum.prime1 &+ EntryChecksum.prime4
    }
}
