// Requests that no server should make: what the gateway refuses for its form, and what is beyond a limit.

import JSONCodec

extension Generator {
    mutating func edge() -> Request {
        let kind = "edge"
        switch random.below(14) {
        case 0: return Request(kind, path: "/v3/kv/range", body: [])
        case 1: return Request(kind, path: "/v3/kv/range", body: Array(#"{"key":"***"}"#.utf8))
        case 2: return Request(kind, path: "/v3/kv/put", body: Array(#"{"key":"YWJ"}"#.utf8))
        case 3: return Request(kind, path: "/v3/kv/nothing", body: Array("{}".utf8))
        case 4: return Request(kind, path: "/nothing", body: Array("{}".utf8))
        case 5: return Request(kind, method: "GET", path: "/v3/kv/range")
        case 6: return Request(kind, method: "GET", path: "/version")
        case 7: return Request(kind, path: "/v3/kv/txn") { large(&$0, count: 127) }
        case 8: return Request(kind, path: "/v3/kv/txn") { large(&$0, count: 128) }
        case 9: return Request(kind, path: "/v3/kv/txn") { nested(&$0, 126 + random.below(3)) }
        case 10:
            return Request(
                kind, path: "/v3/kv/txn", body: Array(#"{"success":[{}],"unknown":[1]}"#.utf8))
        case 11:
            let target = #"{"compare":[{"target":"SIZE","key":"YQ=="}]}"#
            return Request(kind, path: "/v3/kv/txn", body: Array(target.utf8))
        case 12:
            // Numbers of members instead of their names, and null.
            let text =
                #"{"compare":[{"target":2,"result":"1","key":"L3QvaC9h","mod_revision":null}]}"#
            return Request(kind, path: "/v3/kv/txn", body: Array(text.utf8))
        default: return Request(kind, path: "/v3/kv/put") { tooLarge(&$0) }
        }
    }

    private mutating func large(_ json: inout JSONWriter, count: Int) {
        json.beginArray("success")
        for place in 0..<count + random.below(3) {
            json.beginObject()
            json.beginObject("request_delete_range")
            json.bytes("key", Array("\(Self.prefix)x/\(place)".utf8))
            json.endObject()
            json.endObject()
        }
        json.endArray()
    }

    private mutating func nested(_ json: inout JSONWriter, _ count: Int) {
        json.beginArray("success")
        json.beginObject()
        json.beginObject("request_txn")
        large(&json, count: count)
        json.endObject()
        json.endObject()
        json.endArray()
    }

    private mutating func tooLarge(_ json: inout JSONWriter) {
        json.bytes("key", Array("\(Self.prefix)x".utf8))
        let bytes = random.chance(90) ? 20 : random.chance(50) ? 1_573_000 : 1_572_000
        json.bytes("value", [UInt8](repeating: 1, count: bytes))
    }
}
