// The keys of the log in etcd, below its prefix P:
//
//     P/epoch                              Epoch.swift
//     P/name/{name}                        uid of the live session
//     P/list                               changed by each creation and each end
//     P/head/{uid}                         Head.swift
//     P/log/{uid}/{revision}               Row.swift; the revision is that of the row's last entry
//     P/piece/{uid}/{revision}/{tag}/{i}   a row that is too large for one value
//     P/room                               written while the log is full (LogSpace.swift)
//     P/turn/{uid}                         the writer that lost the last race for the session
//     P/snapmeta/{uid}                     SnapshotList.swift
//     P/snap/{uid}/{revision}/{tag}/{i}    a snapshot
//     P/replica/{tag}                      a process that shares the log, with the versions that it reads, and its name
//     P/note/{uid}/{registration}/{revision}/renewed
//                                          written when a process renews a registration with a `ttl`
//     P/note/{uid}/{registration}/{revision}/{process}
//                                          a stream of the process keeps the registration
//     P/garbage/{tag}/{uid}                what this uid has belongs to no session (any more); Installer.swift
//
// Revisions, tags and indices are hexadecimal with leading zeros, so keys are in the order of numbers.

import JSONCodec
import SessionLog

struct Keys: Sendable {
    let prefix: String

    var epoch: String { "\(prefix)/epoch" }
    var list: String { "\(prefix)/list" }
    var names: String { "\(prefix)/name/" }
    var heads: String { "\(prefix)/head/" }
    var rows: String { "\(prefix)/log/" }
    var room: String { "\(prefix)/room" }
    var garbage: String { "\(prefix)/garbage/" }
    func garbage(_ tag: String, _ uid: String = "") -> String { "\(garbage)\(tag)/\(uid)" }
    /// The prefix of the keys of replicas that run.
    var replicas: String { "\(prefix)/replica/" }
    var snapshotLists: String { "\(prefix)/snapmeta/" }
    var notes: String { "\(prefix)/note/" }

    /// The words that follow the prefix of a log in its keys.
    private static let words: Set<Substring> = [
        "epoch", "name", "list", "head", "log", "piece", "room", "turn", "snapmeta", "snap",
        "replica", "note", "garbage",
    ]

    /// The marks of logs among whose keys this log would be.
    var outerEpochs: [String] {
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        return parts.indices.dropFirst().filter { Self.words.contains(parts[$0]) }.map {
            Keys(prefix: parts[..<$0].joined(separator: "/")).epoch
        }
    }

    func name(_ name: String) -> String { "\(names)\(name)" }
    func head(_ uid: String) -> String { "\(heads)\(uid)" }
    func rows(of uid: String) -> String { "\(rows)\(uid)/" }
    func row(_ uid: String, _ last: Int64) -> String { "\(rows(of: uid))\(Self.hex(last))" }
    func turn(_ uid: String) -> String { "\(prefix)/turn/\(uid)" }
    func snapshotList(_ uid: String) -> String { "\(snapshotLists)\(uid)" }
    func replica(_ process: String) -> String { "\(replicas)\(process)" }
    func notes(of uid: String) -> String { "\(notes)\(uid)/" }

    /// The prefix of the keys of all notes of a lease.
    func notes(of lease: LogLease) -> String {
        "\(notes(of: lease.uid))\(lease.registration)/\(Self.hex(lease.revision))/"
    }

    func note(of lease: LogLease, by process: String) -> String { notes(of: lease) + process }
    /// The key of the note of renewals. No process has the name `renewed`, as names have twelve characters.
    func renewal(of lease: LogLease) -> String { notes(of: lease) + "renewed" }

    /// The lease in the key of a note.
    func lease(ofNote key: String) -> LogLease? {
        let parts = Self.rest(of: key, after: notes)?.split(
            separator: "/", omittingEmptySubsequences: false)
        guard let parts, parts.count == 4, let revision = Int64(parts[2], radix: 16) else {
            return nil
        }
        return LogLease(
            uid: String(parts[0]), registration: String(parts[1]), revision: revision)
    }

    func pieces(of uid: String) -> String { "\(prefix)/piece/\(uid)/" }
    func snapshots(of uid: String) -> String { "\(prefix)/snap/\(uid)/" }

    /// The prefix of the keys of a large row's pieces.
    func pieces(_ uid: String, _ last: Int64, _ tag: UInt64) -> String {
        "\(pieces(of: uid))\(Self.hex(last))/\(Self.hex(tag))/"
    }

    /// The prefix of the keys of a snapshot's pieces.
    func snapshot(_ uid: String, _ revision: Int64, _ tag: UInt64) -> String {
        "\(snapshots(of: uid))\(Self.hex(revision))/\(Self.hex(tag))/"
    }

    /// The rows that may have an entry after a revision.
    func rows(of uid: String, after revision: Int64, limit: Int64) -> EtcdRange {
        let next = max(0, revision) == .max ? .max : max(0, revision) + 1
        return EtcdRange(
            key: row(uid, next), end: Self.end(of: rows(of: uid)), limit: limit)
    }

    /// The uid in the key of a row, and the revision of its last entry.
    func place(ofRow key: String) -> (uid: String, last: Int64)? {
        guard key.hasPrefix(rows), let slash = key.lastIndex(of: "/") else { return nil }
        let start = key.index(key.startIndex, offsetBy: rows.count)
        guard start < slash, let last = Int64(key[key.index(after: slash)...], radix: 16) else {
            return nil
        }
        return (String(key[start..<slash]), last)
    }

    /// The part of a key behind a prefix.
    static func rest(of key: String, after prefix: String) -> String? {
        key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// The key behind all that begin with a prefix, which ends with a slash: 0 follows it in ASCII.
    static func end(of prefix: String) -> String { prefix.dropLast() + "0" }

    static func hex(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
}

/// The keys of a read.
struct EtcdRange {
    let key: String
    /// The key behind the last one; nil for one key alone.
    var end: String?
    /// The most keys in the answer; 0 for all.
    var limit: Int64 = 0
    /// The revision that is read; 0 for the newest one.
    var revision: Int64 = 0
    /// Only keys that were changed at this revision or later.
    var changedSince: Int64 = 0

    static func all(_ prefix: String, limit: Int64 = 0, changedSince: Int64 = 0) -> EtcdRange {
        EtcdRange(
            key: prefix, end: Keys.end(of: prefix), limit: limit, changedSince: changedSince)
    }
}
