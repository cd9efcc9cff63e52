// Requests for both sides. Leases have different numbers on each side, so a body names them by their place: `@3`.

import JSONCodec
import Simulated

struct Request {
    /// What it is counted as.
    let kind: String
    var method: String
    let path: String
    var headers: [String] = []
    let body: [UInt8]

    init(_ kind: String, method: String = "POST", path: String, body: [UInt8] = []) {
        self.kind = kind
        self.method = method
        self.path = path
        self.body = body
    }

    init(_ kind: String, path: String, _ members: (inout JSONWriter) -> Void) {
        self.init(
            kind, path: path,
            body: JSONWriter.text { json in
                json.beginObject()
                members(&json)
                json.endObject()
            })
    }

    /// The request with the numbers of one side for `@0`, `@1`, ….
    func with(_ leases: [Int64]) -> Request {
        guard body.contains(UInt8(ascii: "@")) else { return self }
        var text: [UInt8] = []
        var rest = body[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "@")) {
            text += rest[..<mark]
            rest = rest[(mark + 1)...]
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest = rest.dropFirst(digits.count)
            let place = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            text += Array(String(place < leases.count ? leases[place] : 7).utf8)
        }
        var request = Request(kind, method: method, path: path, body: text + rest)
        request.headers = headers
        return request
    }
}

extension JSONWriter {
    mutating func bytes(_ name: StaticString, _ bytes: [UInt8]) {
        EtcdModelBase64.encode(bytes).withUnsafeBytes { member(name, bytes: $0) }
    }
}
