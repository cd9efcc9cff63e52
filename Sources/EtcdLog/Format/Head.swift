// Where a session is. An append compares the head's bytes, which proves position, chain and life at once.

import SessionLog

/// The value of a head: `revision checksum live name`, or with `deleted` behind a tombstone.
struct Head: Equatable, Sendable {
    let revision: Int64
    let checksum: UInt64
    let isDeleted: Bool
    let name: String

    init(revision: Int64, checksum: UInt64, isDeleted: Bool, name: String) {
        self.revision = revision
        self.checksum = checksum
        self.isDeleted = isDeleted
        self.name = name
    }

    init(after entry: LogEntry, name: String) {
        self.init(
            revision: entry.revision, checksum: entry.checksum,
            isDeleted: entry.kind == .tombstone, name: name)
    }

    var bytes: [UInt8] {
        Array("\(revision) \(Keys.hex(checksum)) \(isDeleted ? "deleted" : "live") \(name)".utf8)
    }

    /// - Throws: `damaged` for bytes that are no head.
    init(_ bytes: [UInt8]) throws(LogFailure) {
        let parts = bytes.split(
            separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        let words = parts.map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, let revision = Int64(words[0]), revision > 0, revision < .max,
            let checksum = UInt64(words[1], radix: 16), ["live", "deleted"].contains(words[2])
        else {
            throw LogFailure(.damaged(), "a session's head in etcd is not readable")
        }
        self.init(
            revision: revision, checksum: checksum, isDeleted: words[2] == "deleted",
            name: words[3])
    }
}
