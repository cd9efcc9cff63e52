// Requests of the commands that ask a server about one session, and what they print of a refusal.

import ArgumentParser
import Glibc
import JSONCodec
import SessionViews
import TraitSessions

struct SessionAnswer {
    let status: Int
    let text: [UInt8]

    /// Sends a request, and takes its whole answer.
    init(_ server: ServerOptions, _ method: String, _ target: String, body: String = "") throws {
        var status = 0
        var text: [UInt8] = []
        let fields = body.isEmpty ? "" : "Content-Type: application/json\r\n"
        try server.send(method, target, fields: fields, body: Array(body.utf8)) { code, bytes in
            status = code
            text += bytes
        }
        (self.status, self.text) = (status, text)
        guard (200..<300).contains(status) else {
            let lines = try? reading { json in
                let places = json.member("places")?.elements.map { "    " + Self.raw($0) } ?? []
                return FaultText(json).map { [$0.line(of: "")] + places }
            }
            throw Fault((lines ?? nil) ?? ["the server answered \(status)"], code: 1)
        }
    }

    /// - Throws: `Fault` for an answer that is no JSON, which comes from no traitd.
    func reading<Value>(_ read: (JSONValue) throws -> Value) throws -> Value {
        let limits = JSONLimits(
            documentBytesMax: JSONLimits.documentBytesCeiling,
            valuesMax: JSONLimits.documentBytesCeiling)
        return try text.withUnsafeBytes { bytes in
            var result: Result<Value, any Error>?
            do throws(JSONError) {
                try JSONTape(limits: limits).withDocument(bytes) { json in
                    result = Result { try read(json) }
                }
            } catch {}
            guard let result else { throw Fault(["the answer is no JSON"], code: 76) }
            return try result.get()
        }
    }

    /// The text of a member, as it stands in the answer; strings without their quotes.
    static func text(_ json: JSONValue, _ member: StaticString) -> String? {
        json.member(member).map {
            $0.string?.string ?? String(decoding: $0.rawBytes, as: UTF8.self)
        }
    }

    static func raw(_ json: JSONValue) -> String { String(decoding: json.rawBytes, as: UTF8.self) }

    /// A value of a query. `+` would be a blank to some servers in between.
    static func query(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f, 0x7e:
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
