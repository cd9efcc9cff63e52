// Requests of the log that tests make or repeat themselves.

import SessionLog

@testable import EtcdLog

extension EtcdLog {
    /// Compacts etcd to its newest revision.
    func compactNow() throws {
        let answer = try client.ask("/v3/kv/range", EtcdRequest.range(EtcdRange(key: keys.list)))
        _ = try client.ask("/v3/kv/compaction", EtcdRequest.compaction(to: answer.revision))
    }

    func put(_ key: String, _ value: [UInt8]) throws {
        _ = try client.ask("/v3/kv/put", EtcdRequest.put(key, value))
    }

    func values(_ prefix: String) throws -> [EtcdKeyValue] {
        try client.ask("/v3/kv/range", EtcdRequest.range(.all(prefix))).found(at: 0).values
    }
}
