// The answer to a watch: JSON texts in lines that arrive in pieces.

import JSONCodec

/// Confinement: used by the thread of the watch.
final class WatchLines {
    private var rest: [UInt8] = []
    private let lineBytesMax: Int

    init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// Calls `body` with each line that the bytes complete.
    func add(
        _ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) throws(EtcdFailure) -> Void
    ) throws(EtcdFailure) {
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: 0x0A) {
            rest.append(contentsOf: bytes[..<end])
            bytes = bytes[(end + 1)...]
            let line = rest
            rest = []
            if !line.isEmpty { try body(line) }
        }
        guard rest.count + bytes.count <= lineBytesMax else {
            throw EtcdFailure(
                .unanswered, "a line of the watch is longer than \(lineBytesMax) bytes")
        }
        rest.append(contentsOf: bytes)
    }

    /// The revision to which etcd is compacted, in a line that ends a watch which began before it; nil in others.
    static func compacted(_ line: [UInt8]) throws(EtcdFailure) -> Int64? {
        try EtcdAnswer.reading(line) { (root) throws(EtcdFailure) in
            let revision = EtcdAnswer.number(
                root.member("result")?.member("compact_revision"))
            return revision > 0 ? revision : nil
        }
    }

    /// The rows of a line.
    ///
    /// - Parameters:
    ///   - check: is called with the cluster that the line is from.
    ///   - isKnown: whether a row with that key and tag need not be read. Such a row has no value in the result.
    /// - Throws: `compacted` when the revision from which the watch began is compacted, and what else ends a watch.
    static func rows(
        _ line: [UInt8], check: (String) throws(EtcdFailure) -> Void,
        isKnown: (String, UInt64) -> Bool = { _, _ in false }
    ) throws(EtcdFailure) -> [EtcdKeyValue] {
        try EtcdAnswer.reading(line) { (root) throws(EtcdFailure) in
            if let error = root.member("error") { throw EtcdAnswer.failure(status: 500, error) }
            guard let result = root.member("result") else {
                throw EtcdFailure(.unanswered, "a line of the watch is none")
            }
            try check(result.member("header")?.member("cluster_id")?.string?.string ?? "")
            if EtcdAnswer.number(result.member("compact_revision")) > 0 {
                throw EtcdFailure(.compacted, "the watch is behind the compaction")
            }
            if result.member("canceled")?.bool == true {
                let reason = result.member("cancel_reason")?.string?.string ?? ""
                // A watch without a token is cancelled in this way.
                throw EtcdFailure(
                    reason.contains("permission denied") ? .unauthenticated : .unanswered,
                    "the watch was cancelled: \(reason)")
            }
            var rows: [EtcdKeyValue] = []
            guard let events = result.member("events") else { return rows }
            for event in events.elements {
                // Only deletions have a type, as zeros are left out.
                guard
                    event.member("type") == nil
                        || event.member("type")?.string.map({ $0 == "PUT" }) == true,
                    let value = event.member("kv")
                else { continue }
                rows.append(try EtcdAnswer.keyValue(value, isKnown: isKnown))
            }
            return rows
        }
    }
}
