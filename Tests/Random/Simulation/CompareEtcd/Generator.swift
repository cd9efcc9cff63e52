// Random requests: those that `EtcdLog` makes, and what lies at their edges.

import JSONCodec
import SeededRandom
import Simulated

struct Generator {
    var random: SeededRandom
    /// Whether history is compacted, which a watch that catches up must not meet.
    var compacts = true
    /// How many leases there are, and the newest and the oldest readable revision.
    var leaseCount = 0
    var revision: Int64 = 1
    var compacted: Int64 = -1

    static let prefix = "/t/"
    private static let folders = ["h", "l", "n", "s"]

    init(seed: UInt64) { random = SeededRandom(seed: seed, for: "requests") }

    mutating func next() -> Request {
        switch random.below(1_000) {
        case ..<230: Request("range", path: "/v3/kv/range") { range(&$0) }
        case ..<380: Request("put", path: "/v3/kv/put") { put(&$0) }
        case ..<440: Request("delete", path: "/v3/kv/deleterange") { deletion(&$0) }
        case ..<620: Request("append", path: "/v3/kv/txn") { append(&$0) }
        case ..<880: Request("transaction", path: "/v3/kv/txn") { transaction(&$0, depth: 0) }
        case ..<890: compaction()
        case ..<905: grant()
        case ..<930: Request("keep alive", path: "/v3/lease/keepalive") { lease("ID", &$0) }
        case ..<940: Request("revoke", path: "/v3/lease/revoke") { lease("ID", &$0) }
        case ..<960:
            Request("time to live", path: "/v3/lease/timetolive") {
                lease("ID", &$0)
                $0.member("keys", random.chance(70))
            }
        case ..<965: Request("status", path: "/v3/maintenance/status") { _ in }
        case ..<970: alarm()
        default: edge()
        }
    }

    // MARK: - Parts

    mutating func key() -> [UInt8] {
        switch random.below(40) {
        case 0: []
        case 1: [0]
        case 2: [0xFF, 0xFE]
        case 3: Array("k".utf8)
        default:
            Array(
                (Self.prefix + (random.pick(Self.folders) ?? "h") + "/"
                    + String(UnicodeScalar(UInt8(0x61 + random.below(6))))).utf8)
        }
    }

    private mutating func folder() -> [UInt8] {
        Array((Self.prefix + (random.pick(Self.folders) ?? "h") + "/").utf8)
    }

    /// One key, a folder, or any range. Returns whether it is small.
    @discardableResult
    mutating func keys(_ json: inout JSONWriter) -> Bool {
        let (start, end, isSmall) = keys()
        json.bytes("key", start)
        if let end { json.bytes("range_end", end) }
        return isSmall
    }

    mutating func keys() -> (start: [UInt8], end: [UInt8]?, isSmall: Bool) {
        switch random.below(10) {
        case ..<4: return (key(), nil, true)
        case ..<8:
            let folder = folder()
            return (folder, folder.dropLast() + [0x30], true)
        case 8: return (key(), key(), false)
        default: return (random.chance(50) ? [0] : key(), [0], false)
        }
    }

    mutating func value() -> [UInt8] {
        switch random.below(20) {
        case ..<3: []
        case ..<10: Array((random.pick(["a", "b", "held"]) ?? "").utf8)
        case 19: (0..<random.below(6_000)).map { _ in UInt8(random.below(256)) }
        default: (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
        }
    }

    /// A revision of the past as a rule.
    private mutating func someRevision() -> Int64 {
        switch random.below(12) {
        case 0: revision + Int64(random.below(3))
        case 1: compacted + Int64(random.below(3)) - 1
        case 2: Int64(random.below(3)) - 1
        default: max(0, revision - Int64(random.below(40)))
        }
    }

    private mutating func lease(_ name: StaticString, _ json: inout JSONWriter) {
        json.member(name, random.chance(5) ? "123456" : "@\(random.below(max(1, leaseCount)))")
    }

    // MARK: - Keys

    mutating func range(_ json: inout JSONWriter) {
        let isSmall = keys(&json)
        if random.chance(30) { json.member("limit", random.below(4)) }
        if random.chance(25) { json.member("revision", String(someRevision())) }
        if random.chance(20) { json.member("min_mod_revision", String(someRevision())) }
        if random.chance(5) { json.member("max_mod_revision", String(someRevision())) }
        if random.chance(5) { json.member("min_create_revision", String(someRevision())) }
        if random.chance(5) { json.member("max_create_revision", String(someRevision())) }
        if random.chance(10) { json.member("keys_only", true) }
        if random.chance(5) { json.member("count_only", true) }
        // etcd's order of equal values is that of an unstable sort where there are many.
        guard isSmall, random.chance(10) else { return }
        json.member("sort_order", random.pick(["NONE", "ASCEND", "DESCEND"]) ?? "")
        json.member(
            "sort_target", random.pick(["KEY", "VERSION", "CREATE", "MOD", "VALUE"]) ?? "")
    }

    mutating func put(_ json: inout JSONWriter) {
        json.bytes("key", key())
        let ignoresValue = random.chance(4)
        if !ignoresValue || random.chance(10) { json.bytes("value", value()) }
        let ignoresLease = random.chance(4)
        if random.chance(ignoresLease ? 10 : 20) { lease("lease", &json) }
        if random.chance(10) { json.member("prev_kv", true) }
        json.flag("ignore_value", when: ignoresValue)
        json.flag("ignore_lease", when: ignoresLease)
    }

    /// - Parameter isPart: within a transaction etcd does not see that an open range has a key that is put without a value
    ///   later, and then ends with a panic.
    mutating func deletion(_ json: inout JSONWriter, isPart: Bool = false) {
        let (start, end, _) = keys()
        json.bytes("key", start)
        if let end, !isPart || end != [0] { json.bytes("range_end", end) }
        if random.chance(20) { json.member("prev_kv", true) }
    }

    // MARK: - Transactions

    private mutating func comparison(_ json: inout JSONWriter) {
        json.beginObject()
        let target = random.pick(["VALUE", "CREATE", "MOD", "VERSION", "LEASE"]) ?? ""
        // The numbers of leases have another order on each side.
        let results = ["EQUAL", "NOT_EQUAL", "GREATER", "LESS"].prefix(target == "LEASE" ? 2 : 4)
        json.member("result", random.pick(Array(results)) ?? "")
        json.member("target", target)
        if random.chance(60) { json.bytes("key", key()) } else { keys(&json) }
        if random.chance(95) {
            switch target {
            case "VALUE": json.bytes("value", value())
            case "CREATE": json.member("create_revision", someRevision())
            case "MOD": json.member("mod_revision", someRevision())
            case "LEASE": lease("lease", &json)
            default: json.member("version", random.below(4))
            }
        }
        json.endObject()
    }

    private mutating func operations(
        _ name: StaticString, _ json: inout JSONWriter, depth: Int
    ) {
        json.beginArray(name)
        for _ in 0..<random.below(4) {
            json.beginObject()
            switch random.below(depth < 2 ? 11 : 9) {
            case ..<4:
                json.beginObject("request_put")
                put(&json)
            case ..<7:
                json.beginObject("request_range")
                range(&json)
            case ..<9:
                json.beginObject("request_delete_range")
                deletion(&json, isPart: true)
            default:
                json.beginObject("request_txn")
                transaction(&json, depth: depth + 1)
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    mutating func transaction(_ json: inout JSONWriter, depth: Int) {
        json.beginArray("compare")
        for _ in 0..<random.below(3) { comparison(&json) }
        json.endArray()
        operations("success", &json, depth: depth)
        if random.chance(60) { operations("failure", &json, depth: depth) }
    }

    /// As the log appends: a head and a row if the head is as expected, and else what the head and the rows are.
    private mutating func append(_ json: inout JSONWriter) {
        let name = String(UnicodeScalar(UInt8(0x61 + random.below(3))))
        let (head, row) = (Array("/t/h/\(name)".utf8), Array("/t/l/\(name)".utf8))
        json.beginArray("compare")
        json.beginObject()
        json.member("result", "EQUAL")
        switch random.below(3) {
        case 0:
            json.member("target", "VALUE")
            json.bytes("key", head)
            json.bytes("value", Array((random.pick(["a", "b"]) ?? "").utf8))
        case 1:
            json.member("target", "CREATE")
            json.bytes("key", head)
            json.member("create_revision", 0)
        default:
            json.member("target", "MOD")
            json.bytes("key", head)
            json.member("mod_revision", someRevision())
        }
        json.endObject()
        if random.chance(20) { areUnchanged(&json) }
        json.endArray()
        json.beginArray("success")
        for (key, value) in [(head, Array((random.pick(["a", "b"]) ?? "").utf8)), (row, value())] {
            json.beginObject()
            json.beginObject("request_put")
            json.bytes("key", key)
            json.bytes("value", value)
            json.endObject()
            json.endObject()
        }
        json.endArray()
        json.beginArray("failure")
        for (key, end) in [(head, nil), (Array("/t/l/".utf8), Array("/t/l0".utf8))] {
            json.beginObject()
            json.beginObject("request_range")
            json.bytes("key", key)
            if let end { json.bytes("range_end", end) }
            if end != nil, random.chance(50) {
                json.member("min_mod_revision", max(1, someRevision()))
            }
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    private mutating func areUnchanged(_ json: inout JSONWriter) {
        json.beginObject()
        json.member("result", "LESS")
        json.member("target", "MOD")
        json.bytes("key", Array("/t/n/".utf8))
        json.bytes("range_end", Array("/t/n0".utf8))
        json.member("mod_revision", someRevision() &+ 1)
        json.endObject()
    }

    // MARK: - Others

    private mutating func compaction() -> Request {
        let revision = compacts ? someRevision() - Int64(random.below(20)) : 0
        return Request("compaction", path: "/v3/kv/compaction") {
            $0.member("revision", max(0, revision))
            // Otherwise etcd removes deletions some time later.
            $0.member("physical", true)
        }
    }

    /// Of a time that does not end during the comparison.
    private mutating func grant() -> Request {
        let seconds = random.chance(5) ? 9_000_000_001 : 5_000 + Int64(random.below(100))
        let id = random.chance(20) ? Int64(1_000_000 + random.below(50)) : 0
        return Request("grant", path: "/v3/lease/grant") {
            $0.member("TTL", seconds)
            if id != 0 { $0.member("ID", id) }
        }
    }

    private mutating func alarm() -> Request {
        let action = random.pick(["GET", "DEACTIVATE"]) ?? ""
        return Request("alarm", path: "/v3/maintenance/alarm") {
            $0.member("action", action)
            if action == "DEACTIVATE" { $0.member("alarm", "NOSPACE") }
        }
    }
}
