// A request by its path, read from its body.

import JSONCodec

enum EtcdCall {
    case range(EtcdRangeRequest)
    case put(EtcdPutRequest)
    case delete(EtcdDeletionRequest)
    case transact(EtcdTransactionRequest)
    case compact(Int64)
    case grant(Int64, seconds: Int64)
    case keepAlive(Int64)
    case revoke(Int64)
    case timeToLive(Int64, listsKeys: Bool)
    case status
    case alarm(EtcdAlarmRequest)
    case defragment
    case members
    case authenticate(name: String, password: String)

    /// - Parameter path: one of `EtcdModel.paths`.
    init(_ path: String, _ json: JSONValue) throws(EtcdRefusal) {
        self =
            switch path {
            case "/v3/kv/range": .range(try EtcdRangeRequest(json))
            case "/v3/kv/put": .put(try EtcdPutRequest(json))
            case "/v3/kv/deleterange": .delete(try EtcdDeletionRequest(json))
            case "/v3/kv/txn": .transact(try EtcdTransactionRequest(json))
            case "/v3/kv/compaction": .compact(try json.etcdNumber("revision"))
            case "/v3/lease/grant":
                .grant(try json.etcdNumber("ID"), seconds: try json.etcdNumber("TTL"))
            case "/v3/lease/keepalive": .keepAlive(try json.etcdNumber("ID"))
            case "/v3/lease/revoke", "/v3/kv/lease/revoke": .revoke(try json.etcdNumber("ID"))
            case "/v3/lease/timetolive", "/v3/kv/lease/timetolive":
                .timeToLive(try json.etcdNumber("ID"), listsKeys: json.etcdFlag("keys"))
            case "/v3/maintenance/status": .status
            case "/v3/maintenance/alarm": .alarm(try EtcdAlarmRequest(json))
            case "/v3/maintenance/defragment": .defragment
            case "/v3/cluster/member/list": .members
            case "/v3/auth/authenticate":
                .authenticate(name: json.etcdText("name"), password: json.etcdText("password"))
            default: throw EtcdRefusal(12, "the model does not know \(path)")
            }
    }
}

extension EtcdModel {
    /// What the model answers to, beside watches and pages.
    static let paths: Set = [
        "/v3/kv/range", "/v3/kv/put", "/v3/kv/deleterange", "/v3/kv/txn", "/v3/kv/compaction",
        "/v3/lease/grant", "/v3/lease/keepalive", "/v3/lease/revoke", "/v3/kv/lease/revoke",
        "/v3/lease/timetolive", "/v3/kv/lease/timetolive", "/v3/maintenance/status",
        "/v3/maintenance/alarm", "/v3/maintenance/defragment", "/v3/auth/authenticate",
        "/v3/cluster/member/list",
    ]
}
