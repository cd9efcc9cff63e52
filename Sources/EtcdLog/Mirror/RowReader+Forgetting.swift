// Removes what a session that has ended had in etcd.

import SessionLog

extension RowReader {
    /// - Throws: `notDeleted` when the session has no tombstone.
    func forget(_ session: LogSession) throws(LogFailure) {
        let uid = session.uid
        let range = EtcdRange(key: keys.head(uid))
        let answer = try client.ask("/v3/kv/range", EtcdRequest.range(range))
        if let value = answer.found(at: 0).values.first {
            guard try Head(value.value).isDeleted else {
                throw LogFailure(
                    .notDeleted, "the session '\(session.name)' has no tombstone")
            }
            try deleteContent(of: uid)
            try delete(keys.snapshotList(uid))
        } else if !mirror.contains(uid) {
            return
        }
        // The head last: with it the rest is found again after a crash.
        mirror.forget(uid, at: try delete(keys.head(uid)))
    }

    /// Deletes what a session has besides its head and its list of snapshots.
    func deleteContent(of uid: String) throws(LogFailure) {
        for prefix in [
            keys.rows(of: uid), keys.pieces(of: uid), keys.snapshots(of: uid), keys.notes(of: uid),
        ] {
            try delete(prefix, end: Keys.end(of: prefix))
        }
        try delete(keys.turn(uid))
    }

    /// Deletes keys, and returns etcd's revision. A plain deletion, as etcd takes nothing else when it is full.
    @discardableResult
    func delete(_ key: String, end: String? = nil) throws(LogFailure) -> Int64 {
        try client.ask("/v3/kv/deleterange", EtcdRequest.delete(key, end: end)).revision
    }
}
