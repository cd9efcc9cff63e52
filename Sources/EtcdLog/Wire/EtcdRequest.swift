// The bodies of requests, in the JSON form of etcd's gRPC messages (rpc.proto of etcd 3.4).

import JSONCodec

/// A comparison that a transaction begins with.
enum EtcdComparison {
    /// The key is there and has this value.
    case equals(String, [UInt8])
    case isAbsent(String)
    /// The newest change of the key has this revision; 0 for a key that is not there.
    case isUnchanged(String, since: Int64)
    /// No key below the prefix was made or changed after this revision.
    case areUnchanged(String, since: Int64)
}

enum EtcdOperation {
    /// With a lease of etcd the key goes when the lease runs out; 0 for none.
    case put(String, [UInt8], lease: Int64 = 0)
    case range(EtcdRange)
    /// Deletes the key, or those from it to the one before `end`.
    case delete(String, end: String? = nil)
    /// Operations that count as one: a transaction takes 128, those of its largest part included.
    case part([EtcdOperation])
}

enum EtcdRequest {
    static func range(_ range: EtcdRange) -> [UInt8] { text { write(range, &$0) } }

    static func put(_ key: String, _ value: [UInt8], lease: Int64 = 0) -> [UInt8] {
        text(capacity: value.count * 4 / 3 + 256) { write(key, value, lease, &$0) }
    }

    /// Deletes the keys from `key` to the one before `end`.
    static func delete(_ key: String, end: String? = nil) -> [UInt8] {
        range(EtcdRange(key: key, end: end))
    }

    static func transaction(
        if comparisons: [EtcdComparison] = [], then: [EtcdOperation],
        else otherwise: [EtcdOperation] = []
    ) -> [UInt8] {
        text(capacity: 1_024) { json in
            json.beginArray("compare")
            for comparison in comparisons { write(comparison, &json) }
            json.endArray()
            write("success", then, &json)
            write("failure", otherwise, &json)
        }
    }

    /// Follows all rows that are put from a revision on, and no deletions.
    static func watch(_ prefix: String, from revision: Int64) -> [UInt8] {
        text { json in
            json.beginObject("create_request")
            write(.all(prefix), &json)
            json.member("start_revision", revision)
            json.beginArray("filters")
            json.value("NODELETE")
            json.endArray()
            json.member("fragment", true)
            json.endObject()
        }
    }

    static func compaction(to revision: Int64) -> [UInt8] {
        text { $0.member("revision", revision) }
    }

    static func grant(seconds: Int64) -> [UInt8] { text { $0.member("TTL", seconds) } }

    static func keepAlive(_ lease: Int64) -> [UInt8] { text { $0.member("ID", lease) } }

    static func authentication(user: String, password: String) -> [UInt8] {
        text { json in
            json.member("name", user)
            json.member("password", password)
        }
    }

    // MARK: - Parts

    private static func text(
        capacity: Int = 256, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        json.beginObject()
        members(&json)
        json.endObject()
        return json.array()
    }

    private static func write(_ comparison: EtcdComparison, _ json: inout JSONWriter) {
        json.beginObject()
        if case .areUnchanged = comparison {
            json.member("result", "LESS")
        } else {
            json.member("result", "EQUAL")
        }
        switch comparison {
        case .equals(let key, let value):
            json.member("target", "VALUE")
            write(key, value, 0, &json)
        case .isAbsent(let key):
            json.member("target", "CREATE")
            write(EtcdRange(key: key), &json)
            json.member("create_revision", 0)
        case .isUnchanged(let key, let revision):
            json.member("target", "MOD")
            write(EtcdRange(key: key), &json)
            json.member("mod_revision", revision)
        case .areUnchanged(let prefix, let revision):
            json.member("target", "MOD")
            write(.all(prefix), &json)
            json.member("mod_revision", revision &+ 1)
        }
        json.endObject()
    }

    private static func write(
        _ name: StaticString, _ operations: [EtcdOperation], _ json: inout JSONWriter
    ) {
        json.beginArray(name)
        for operation in operations {
            json.beginObject()
            switch operation {
            case .put(let key, let value, let lease):
                json.beginObject("request_put")
                write(key, value, lease, &json)
            case .range(let range):
                json.beginObject("request_range")
                write(range, &json)
            case .delete(let key, let end):
                json.beginObject("request_delete_range")
                write(EtcdRange(key: key, end: end), &json)
            case .part(let operations):
                json.beginObject("request_txn")
                write("success", operations, &json)
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    private static func write(
        _ key: String, _ value: [UInt8], _ lease: Int64, _ json: inout JSONWriter
    ) {
        base64("key", Array(key.utf8), &json)
        base64("value", value, &json)
        if lease != 0 { json.member("lease", lease) }
    }

    private static func write(_ range: EtcdRange, _ json: inout JSONWriter) {
        base64("key", Array(range.key.utf8), &json)
        if let end = range.end { base64("range_end", Array(end.utf8), &json) }
        if range.limit > 0 { json.member("limit", range.limit) }
        if range.revision > 0 { json.member("revision", range.revision) }
        if range.changedSince > 0 { json.member("min_mod_revision", range.changedSince) }
    }

    private static func base64(
        _ name: StaticString, _ bytes: [UInt8], _ json: inout JSONWriter
    ) {
        Base64.encode(bytes).withUnsafeBytes { json.member(name, bytes: $0) }
    }
}
