// Requests of the log that tests make or repeat themselves.

import SessionLog

@testable import EtcdLog

extension EtcdLog {
    /// Compacts etcd to its newest revision.
    func compactNow() throws {
        let answer = try client.ask("/v3/kv/range", EtcdRequest.range(EtcdRange(key: keys.list)))
        _ = try client.ask("/v3/kv/compaction", EtcdRequest.compaction(to: answer.revision))
    }

    /// Has etcd drop the keys that are bound to the lease of this process.
    func revokeLease() throws {
        let lease = try membership.lease()
        _ = try client.ask("/v3/lease/revoke", EtcdRequest.keepAlive(lease))
    }

    func put(_ key: String, _ value: [UInt8]) throws {
        _ = try client.ask("/v3/kv/put", EtcdRequest.put(key, value))
    }

    func values(_ prefix: String) throws -> [EtcdKeyValue] {
        try client.ask("/v3/kv/range", EtcdRequest.range(.all(prefix))).found(at: 0).values
    }
}
