// Requests as the gateway reads them from JSON: 64-bit numbers as numbers or text, bytes as base64, members that it does
// not know ignored.

import JSONCodec

/// One key, or those from `key` to the one before `end`; an end of one zero byte stands for no end.
struct EtcdKeys {
    var key: [UInt8]
    var end: [UInt8] = []

    var isPoint: Bool { end.isEmpty }
    var isOpen: Bool { end == [0] }

    func contains(_ other: [UInt8]) -> Bool {
        if isPoint { return other == key }
        return !other.precedes(key) && (isOpen || other.precedes(end))
    }
}

struct EtcdRangeRequest {
    enum Order: Int { case none, ascending, descending }
    enum Target: Int { case key, version, create, mod, value }

    var keys: EtcdKeys
    var limit: Int64 = 0
    var revision: Int64 = 0
    var order = Order.none
    var target = Target.key
    var keysOnly = false
    var countOnly = false
    var minMod: Int64 = 0
    var maxMod: Int64 = 0
    var minCreate: Int64 = 0
    var maxCreate: Int64 = 0
}

struct EtcdPutRequest {
    var key: [UInt8]
    var value: [UInt8]
    var lease: Int64
    var prevKV: Bool
    var ignoreValue: Bool
    var ignoreLease: Bool
}

struct EtcdDeletionRequest {
    var keys: EtcdKeys
    var prevKV: Bool
}

struct EtcdComparisonRequest {
    enum Outcome: Int { case equal, greater, less, notEqual }
    enum Target: Int { case version, create, mod, value, lease }

    var keys: EtcdKeys
    var outcome: Outcome
    var target: Target
    /// What a number of the key is compared with.
    var number: Int64
    var value: [UInt8]
}

enum EtcdOperationRequest {
    case range(EtcdRangeRequest)
    case put(EtcdPutRequest)
    case deletion(EtcdDeletionRequest)
    case transaction(EtcdTransactionRequest)
    case none
}

struct EtcdTransactionRequest {
    var comparisons: [EtcdComparisonRequest] = []
    var success: [EtcdOperationRequest] = []
    var failure: [EtcdOperationRequest] = []
}

struct EtcdWatchRequest {
    var keys: EtcdKeys
    var start: Int64
    var id: Int64
    var sendsPuts: Bool
    var sendsDeletions: Bool
    var prevKV: Bool
    var fragments: Bool
    var progress: Bool
}

// MARK: - Reading

extension JSONValue {
    func etcdNumber(_ name: StaticString) throws(EtcdRefusal) -> Int64 {
        guard let json = member(name), !json.isNull else { return 0 }
        if let number = json.int64 ?? json.string.flatMap({ Int64($0.string) }) { return number }
        throw EtcdRefusal(3, "no number")
    }

    func etcdBytes(_ name: StaticString) throws(EtcdRefusal) -> [UInt8] {
        guard let json = member(name), !json.isNull else { return [] }
        guard let text = json.string else {
            throw EtcdRefusal(3, "json: cannot unmarshal number into Go value of type []uint8")
        }
        switch EtcdModelBase64.decode(text.bytes) {
        case .success(let bytes): return bytes
        case .failure(let fault):
            throw EtcdRefusal(3, "illegal base64 data at input byte \(fault.at)")
        }
    }

    func etcdFlag(_ name: StaticString) -> Bool { member(name)?.bool ?? false }

    func etcdText(_ name: StaticString) -> String { member(name)?.string?.string ?? "" }

    /// The number of a name, or the number itself.
    func etcdCase(
        _ name: StaticString, _ type: String, _ names: [String]
    ) throws(EtcdRefusal) -> Int {
        guard let json = member(name), !json.isNull else { return 0 }
        if let number = json.int64 { return Int(number) }
        let text = json.string?.string ?? ""
        if let index = names.firstIndex(of: text) { return index }
        throw EtcdRefusal(3, "unknown value \"\(text)\" for enum \(type)")
    }

    var etcdKeys: EtcdKeys {
        get throws(EtcdRefusal) {
            EtcdKeys(key: try etcdBytes("key"), end: try etcdBytes("range_end"))
        }
    }
}

extension EtcdRangeRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        keys = try json.etcdKeys
        limit = try json.etcdNumber("limit")
        revision = try json.etcdNumber("revision")
        order =
            Order(
                rawValue: try json.etcdCase(
                    "sort_order", "etcdserverpb.RangeRequest_SortOrder",
                    ["NONE", "ASCEND", "DESCEND"])) ?? .none
        target =
            Target(
                rawValue: try json.etcdCase(
                    "sort_target", "etcdserverpb.RangeRequest_SortTarget",
                    ["KEY", "VERSION", "CREATE", "MOD", "VALUE"])) ?? .key
        keysOnly = json.etcdFlag("keys_only")
        countOnly = json.etcdFlag("count_only")
        minMod = try json.etcdNumber("min_mod_revision")
        maxMod = try json.etcdNumber("max_mod_revision")
        minCreate = try json.etcdNumber("min_create_revision")
        maxCreate = try json.etcdNumber("max_create_revision")
    }
}

extension EtcdPutRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        key = try json.etcdBytes("key")
        value = try json.etcdBytes("value")
        lease = try json.etcdNumber("lease")
        prevKV = json.etcdFlag("prev_kv")
        ignoreValue = json.etcdFlag("ignore_value")
        ignoreLease = json.etcdFlag("ignore_lease")
    }
}

extension EtcdDeletionRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        keys = try json.etcdKeys
        prevKV = json.etcdFlag("prev_kv")
    }
}

extension EtcdComparisonRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        keys = try json.etcdKeys
        outcome =
            Outcome(
                rawValue: try json.etcdCase(
                    "result", "etcdserverpb.Compare_CompareResult",
                    ["EQUAL", "GREATER", "LESS", "NOT_EQUAL"])) ?? .equal
        target =
            Target(
                rawValue: try json.etcdCase(
                    "target", "etcdserverpb.Compare_CompareTarget",
                    ["VERSION", "CREATE", "MOD", "VALUE", "LEASE"])) ?? .version
        value = try json.etcdBytes("value")
        number =
            switch target {
            case .version: try json.etcdNumber("version")
            case .create: try json.etcdNumber("create_revision")
            case .mod: try json.etcdNumber("mod_revision")
            case .lease: try json.etcdNumber("lease")
            case .value: 0
            }
    }
}

extension EtcdTransactionRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        if let list = json.member("compare") {
            for element in list.elements {
                comparisons.append(try EtcdComparisonRequest(element))
            }
        }
        success = try Self.operations(json.member("success"))
        failure = try Self.operations(json.member("failure"))
    }

    private static func operations(
        _ json: JSONValue?
    ) throws(EtcdRefusal) -> [EtcdOperationRequest] {
        var operations: [EtcdOperationRequest] = []
        guard let json else { return operations }
        for element in json.elements {
            if let range = element.member("request_range") {
                operations.append(.range(try EtcdRangeRequest(range)))
            } else if let put = element.member("request_put") {
                operations.append(.put(try EtcdPutRequest(put)))
            } else if let deletion = element.member("request_delete_range") {
                operations.append(.deletion(try EtcdDeletionRequest(deletion)))
            } else if let part = element.member("request_txn") {
                operations.append(.transaction(try EtcdTransactionRequest(part)))
            } else {
                operations.append(.none)
            }
        }
        return operations
    }
}

extension EtcdWatchRequest {
    init(_ json: JSONValue) throws(EtcdRefusal) {
        keys = try json.etcdKeys
        start = try json.etcdNumber("start_revision")
        id = try json.etcdNumber("watch_id")
        prevKV = json.etcdFlag("prev_kv")
        fragments = json.etcdFlag("fragment")
        progress = json.etcdFlag("progress_notify")
        sendsPuts = true
        sendsDeletions = true
        guard let filters = json.member("filters") else { return }
        for filter in filters.elements {
            switch filter.string?.string {
            case "NOPUT": sendsPuts = false
            case "NODELETE": sendsDeletions = false
            default: throw EtcdRefusal(3, "unknown filter")
            }
        }
    }
}
