// The mark of a log in etcd: `format tag cluster`. The tag is random; the cluster is the id of the one in which the log
// was made, so that one that was restored or replaced is noticed.

import Background
import SessionLog

struct Epoch {
    /// The version of all formats.
    static let format = "1"
    /// In the place of the cluster's id while sessions are being adopted. Releases that do not know the word take it
    /// for another cluster, and refuse the log as well.
    private static let adopting = "adopting"
    static let unfinished =
        "'traitd log adopt' did not come to its end. Run it again; nothing is lost"

    let tag: String
    let clusterID: String

    init(in clusterID: String) {
        tag = Keys.hex(MachineRandom.next())
        self.clusterID = clusterID
    }

    /// The mark of a log whose sessions are being adopted.
    static var beingAdopted: Epoch { Epoch(in: adopting) }

    var isUnfinished: Bool { clusterID == Self.adopting }

    var bytes: [UInt8] { Array("\(Self.format) \(tag) \(clusterID)".utf8) }

    /// Why etcd seems to be restored or replaced, as the answers come from this cluster; nil when it does not.
    func suspicion(in clusterID: String) -> String? {
        isUnfinished ? Self.unfinished : clusterID == self.clusterID ? nil : EtcdClient.replaced
    }

    /// The mark of the log, nil without one, the names of registered replicas, and the answer that has both.
    static func read(
        _ client: EtcdClient, _ keys: Keys
    ) throws(LogFailure) -> (epoch: Epoch?, replicas: [String], answer: EtcdAnswer) {
        let answer = try client.ask(
            "/v3/kv/txn",
            EtcdRequest.transaction(then: [
                .range(EtcdRange(key: keys.epoch)), .range(.all(keys.replicas)),
            ]))
        let epoch = try answer.found(at: 0).values.first.map { (value) throws(LogFailure) in
            try Epoch(value.value, keys)
        }
        return (epoch, ReplicaName.all(in: answer.found(at: 1).values, keys), answer)
    }

    /// - Throws: `damaged` for bytes that are no mark, `unsupported` for one of a later release.
    init(_ bytes: [UInt8], _ keys: Keys) throws(LogFailure) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count == 3 else {
            throw LogFailure(.damaged(), "the key \(keys.epoch) in etcd is not readable")
        }
        guard words[0] == Self.format else {
            throw LogFailure(
                .unsupported(version: UInt8(words[0]) ?? .max),
                "the log in etcd has the format \(words[0]), which this release does not understand"
            )
        }
        tag = String(words[1])
        clusterID = String(words[2])
    }
}

/// What a log has in etcd.
package struct LogUsage: Equatable, Sendable {
    /// Sessions that live, and those that have ended and are not removed yet.
    package var live = 0
    package var ended = 0
    /// Bytes of the rows with their pieces, and of the snapshots, as they are stored.
    package var rowBytes: Int64 = 0
    package var snapshotBytes: Int64 = 0
}
