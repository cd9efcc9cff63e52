// The snapshots that etcd has in place of the oldest entries of a session. Each change of the list compares the
// revision of etcd that changed it last, so two replicas never undo each other's.
//
//     base checksum
//     revision checksum bytes pieces tag check     one line for each snapshot, oldest first

import SessionLog

struct StoredSnapshot: Equatable, Sendable {
    let revision: Int64
    /// The checksum of the entry of that revision.
    let checksum: UInt64
    /// The number of bytes in the pieces, and of pieces.
    let bytes: Int
    let pieces: Int
    let tag: UInt64
    /// `EntryChecksum` over the payload.
    let check: UInt64
}

extension StoredSnapshot {
    /// `EntryChecksum` over the payload.
    static func check(_ snapshot: LogSnapshot) -> UInt64 {
        snapshot.payload.withUnsafeBytes {
            EntryChecksum.of(
                revision: snapshot.revision, time: 0, kind: .commit, payload: $0,
                after: snapshot.checksum)
        }
    }
}

struct SnapshotList: Equatable, Sendable {
    /// Entries up to this revision are truncated.
    var base: Int64 = 0
    var baseChecksum: UInt64 = 0
    var snapshots: [StoredSnapshot] = []

    init() {}

    var bytes: [UInt8] {
        let lines = snapshots.map {
            "\n\($0.revision) \(Keys.hex($0.checksum)) \($0.bytes) \($0.pieces) "
                + "\(Keys.hex($0.tag)) \(Keys.hex($0.check))"
        }
        return Array("\(base) \(Keys.hex(baseChecksum))\(lines.joined())".utf8)
    }

    /// Bytes of one snapshot's pieces at most, packed.
    private static let bytesMax = 1 << 30

    /// - Throws: `damaged` for bytes that are no list.
    init(_ bytes: [UInt8]) throws(LogFailure) {
        let damaged = LogFailure(.damaged(), "a list of snapshots in etcd is not readable")
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let first = lines.first?.split(separator: " "), first.count == 2,
            let base = Int64(first[0]), base >= 0, base < .max,
            let checksum = UInt64(first[1], radix: 16)
        else { throw damaged }
        self.base = base
        baseChecksum = checksum
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard words.count == 6, let revision = Int64(words[0]), revision > 0,
                let checksum = UInt64(words[1], radix: 16), let bytes = Int(words[2]),
                (0...Self.bytesMax).contains(bytes),
                let pieces = Int(words[3]), (0...Self.bytesMax).contains(pieces),
                let tag = UInt64(words[4], radix: 16),
                let check = UInt64(words[5], radix: 16)
            else { throw damaged }
            snapshots.append(
                StoredSnapshot(
                    revision: revision, checksum: checksum, bytes: bytes, pieces: pieces, tag: tag,
                    check: check))
        }
    }
}
