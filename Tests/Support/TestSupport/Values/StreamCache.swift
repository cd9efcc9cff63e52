// The cache that a client keeps of a stream, by the six rules of docs/streams.md, and its digest. The code is
// independent of the server's.

/// A cache that is fed with records.
package struct StreamCache {
    package struct Pair: Hashable {
        package let node: String
        package let trait: String

        package init(node: String, trait: String) {
            self.node = node
            self.trait = trait
        }
    }

    package private(set) var values: [Pair: JSON] = [:]
    package private(set) var isSynced = false
    /// Records with a digest so far.
    package private(set) var digests = 0

    package init() {}

    /// The digest of a record differs from that of the cache.
    package struct Wrong: Error {
        let record: String
        let digest: String
    }

    package mutating func take(_ record: StreamRecord, isResumed: Bool = false) throws {
        let node = record.json["node"]?.string ?? ""
        switch record.type {
        case "reset", "gap": clear()
        case "begin": if !isResumed { clear() }
        case "state":
            for (trait, value) in record.json["traits"]?.object ?? [:] {
                values[Pair(node: node, trait: trait)] = value
            }
        case "change":
            for change in record.json["changes"]?.array ?? [] {
                guard let trait = change["trait"]?.string else { continue }
                values[Pair(node: node, trait: trait)] = change["current"]
            }
        case "sync": isSynced = true
        default: break
        }
        guard let digest = record.json["digest"]?.string else { return }
        digests += 1
        if digest != self.digest { throw Wrong(record: record.text, digest: self.digest) }
    }

    private mutating func clear() {
        values = [:]
        isSynced = false
    }

    package var digest: String {
        let sum = values.reduce(UInt64(0)) { $0 &+ Self.hash($1.key, $1.value) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func hash(_ pair: Pair, _ value: JSON) -> UInt64 {
        var h: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(pair.node)\n\(pair.trait)\n\(canonical(value))".utf8 {
            h = (h ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        h = (h ^ h >> 33) &* 0xff51_afd7_ed55_8ccd
        h = (h ^ h >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return h ^ h >> 33
    }

    private static func canonical(_ value: JSON) -> String {
        switch value {
        case .object(let members):
            let list = members.sorted {
                Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8))
            }
            return "{"
                + list.map { "\(quoted($0.key)):\(canonical($0.value))" }.joined(separator: ",")
                + "}"
        case .array(let elements):
            return "[" + elements.map(canonical).joined(separator: ",") + "]"
        case .int(let number): return digits(Double(number))
        case .double(let number): return digits(number)
        case .string(let text): return quoted(text)
        default: return value.text
        }
    }

    private static func digits(_ number: Double) -> String {
        let digits = String((number + 0).bitPattern, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let short: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\u{c}": "\\f", "\n": "\\n", "\r": "\\r",
        "\t": "\\t",
    ]

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if let escape = short[scalar] {
                quoted += escape
            } else if scalar.value < 0x20 {
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
