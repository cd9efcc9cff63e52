// Reads JSON into TraitValue, strictly as RFC 8259 says. JSONDecoder has no exact integers next to doubles, and
// JSONSerialization differs between Linux and Darwin.

/// Bytes that are no JSON.
public struct MalformedJSON: Error, Sendable, Hashable, CustomStringConvertible {
    /// The byte at which the fault is, from 0.
    public let offset: Int
    /// What is wrong, as a sentence without its end.
    public let reason: String
    /// The reason and the place.
    public var description: String { "\(reason) at byte \(offset)" }
}

extension TraitValue {
    /// Reads one JSON value. Complexity: O(n).
    /// - Throws: ``MalformedJSON`` for bytes that are no JSON or nested deeper than 128 levels, and for text
    ///   that is no Unicode (malformed UTF-8, half of a surrogate pair).
    public init(json: some Collection<UInt8>) throws(MalformedJSON) {
        var reader = JSONReader(Array(json))
        self = try reader.document()
    }

    /// Reads one JSON value of a text. Complexity: O(n).
    /// - Throws: ``MalformedJSON``.
    public init(json: String) throws(MalformedJSON) {
        try self.init(json: json.utf8)
    }
}

struct JSONReader {
    private static let depthMax = 128

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(MalformedJSON) -> TraitValue {
        let value = try value()
        skipSpace()
        guard place == bytes.count else { throw fault("Something follows the value") }
        return value
    }

    private func fault(_ reason: String) -> MalformedJSON {
        MalformedJSON(offset: place, reason: reason)
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(MalformedJSON) -> TraitValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return try number()
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case nil: throw fault("The value is missing")
        default: throw fault("No value begins like this")
        }
    }

    private mutating func word(
        _ word: StaticString, _ value: TraitValue
    ) throws(MalformedJSON) -> TraitValue {
        let text = word.description.utf8
        guard bytes[place...].starts(with: text) else { throw fault("No value begins like this") }
        place += text.count
        return value
    }

    private mutating func enter() throws(MalformedJSON) {
        place += 1
        depth += 1
        guard depth <= Self.depthMax else { throw fault("More than \(Self.depthMax) levels") }
    }

    private mutating func array() throws(MalformedJSON) -> [TraitValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [TraitValue] = []
        skipSpace()
        if take("]") { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw fault("A list goes on with a comma") }
        }
    }

    private mutating func object() throws(MalformedJSON) -> TraitObject {
        try enter()
        defer { depth -= 1 }
        var members: [(String, TraitValue)] = []
        skipSpace()
        if take("}") { return TraitObject() }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("A member begins with its name") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw fault("A colon follows the name") }
            members.append((name, try value()))
            skipSpace()
            if take("}") { return TraitObject(members) }
            guard take(",") else { throw fault("An object goes on with a comma") }
        }
    }

    private mutating func digits() throws(MalformedJSON) {
        let first = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > first else { throw fault("A digit is missing") }
    }

    private mutating func number() throws(MalformedJSON) -> TraitValue {
        let first = place
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[first..<place], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let double = Double(text) else { throw fault("No number is written like this") }
        return .number(double)
    }

    private mutating func string() throws(MalformedJSON) -> String {
        place += 1
        let first = place
        // Most strings have no escape, and are taken as they are.
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        {
            place += 1
        }
        if next == UInt8(ascii: "\"") {
            defer { place += 1 }
            return try text(bytes[first..<place])
        }
        var unescaped = Array(bytes[first..<place])
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                defer { place += 1 }
                return try text(unescaped[...])
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case ..<0x20: throw fault("A string has no control characters")
            default:
                unescaped.append(byte)
                place += 1
            }
        }
        throw fault("The string does not end")
    }

    private func text(_ slice: ArraySlice<UInt8>) throws(MalformedJSON) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw fault("The string before is no UTF-8")
        }
        return text
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(MalformedJSON) {
        place += 1
        let escaped = next
        place += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escaped ?? 0)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var code = UInt32(try unit())
            if (0xD800..<0xDC00).contains(code) {
                guard take("\\"), take("u") else { throw fault("Half of a surrogate pair") }
                let low = UInt32(try unit())
                guard (0xDC00..<0xE000).contains(low) else {
                    throw fault("Half of a surrogate pair")
                }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault("Half of a surrogate pair") }
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: throw fault("No character is escaped like this")
        }
    }

    private mutating func unit() throws(MalformedJSON) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { throw fault("Four hexadecimal digits follow \\u") }
            unit = unit << 4 | UInt16(digit)
            place += 1
        }
        return unit
    }
}
