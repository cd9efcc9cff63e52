// RFC 8259 once more, written for clarity alone: one function a rule of the grammar, one byte at a
// time. The reader under test must agree with it on what is accepted and on where an error is.

/// Decides whether a text is acceptable.
package struct ReferenceReader {
    package enum Verdict: Equatable {
        case accepted
        /// Acceptable texts begin like this.
        case incomplete
        case wrong(at: Int)
    }

    private enum Stop: Error {
        case end
        case wrong(Int)
    }

    private let bytes: [UInt8]
    private var at = 0

    package static func judge(_ bytes: [UInt8]) -> Verdict {
        var reader = ReferenceReader(bytes: bytes)
        do {
            try reader.document()
            return .accepted
        } catch Stop.wrong(let offset) {
            return .wrong(at: offset)
        } catch {
            return .incomplete
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func peek() throws -> UInt8 {
        guard at < bytes.count else { throw Stop.end }
        return bytes[at]
    }

    private mutating func take(_ isWanted: (UInt8) -> Bool) throws -> UInt8 {
        let byte = try peek()
        guard isWanted(byte) else { throw Stop.wrong(at) }
        at += 1
        return byte
    }

    private mutating func take(_ character: Character) throws {
        _ = try take { $0 == character.asciiValue }
    }

    private func next(is character: Character) -> Bool {
        at < bytes.count && bytes[at] == character.asciiValue
    }

    private mutating func space() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    private mutating func document() throws {
        space()
        try value()
        space()
        if at < bytes.count { throw Stop.wrong(at) }
    }

    private mutating func value() throws {
        switch Character(Unicode.Scalar(try peek())) {
        case "{": try object()
        case "[": try array()
        case "\"": _ = try string()
        case "t": for character in "true" { try take(character) }
        case "f": for character in "false" { try take(character) }
        case "n": for character in "null" { try take(character) }
        default: try number()
        }
    }

    private mutating func object() throws {
        try take("{")
        space()
        if next(is: "}") { return try take("}") }
        var names: Set<[UInt8]> = []
        while true {
            let start = at
            guard names.insert(try string()).inserted else { throw Stop.wrong(start) }
            space()
            try take(":")
            space()
            try value()
            space()
            if next(is: "}") { return try take("}") }
            try take(",")
            space()
        }
    }

    private mutating func array() throws {
        try take("[")
        space()
        if next(is: "]") { return try take("]") }
        while true {
            try value()
            space()
            if next(is: "]") { return try take("]") }
            try take(",")
            space()
        }
    }

    private mutating func number() throws {
        if next(is: "-") {
            at += 1
        } else if !(0x30...0x39).contains(try peek()) {
            throw Stop.wrong(at)
        }
        if next(is: "0") {
            at += 1
            if at < bytes.count, (0x30...0x39).contains(bytes[at]) { throw Stop.wrong(at) }
        } else {
            try digits()
        }
        if next(is: ".") {
            at += 1
            try digits()
        }
        if next(is: "e") || next(is: "E") {
            at += 1
            if next(is: "+") || next(is: "-") { at += 1 }
            try digits()
        }
    }

    private mutating func digits() throws {
        repeat {
            _ = try take { (0x30...0x39).contains($0) }
        } while at < bytes.count
            && (0x30...0x39).contains(bytes[at])
    }

    private mutating func string() throws -> [UInt8] {
        try take("\"")
        var content: [UInt8] = []
        while true {
            let byte = try peek()
            if byte == 0x22 {
                at += 1
                return content
            }
            if byte == 0x5C {
                content += try escape()
            } else if byte < 0x80 {
                content.append(try take { $0 >= 0x20 })
            } else {
                content += try sequence()
            }
        }
    }

    private mutating func escape() throws -> [UInt8] {
        let start = at
        try take("\\")
        let plain: [Character: UInt8] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        let letter = Character(Unicode.Scalar(try take { "\"\\/bfnrtu".utf8.contains($0) }))
        if let byte = plain[letter] { return [byte] }
        var scalar = try hex()
        if (0xDC00...0xDFFF).contains(scalar) { throw Stop.wrong(start) }
        if (0xD800...0xDBFF).contains(scalar) {
            for expected in "\\u" where try peek() == expected.asciiValue { at += 1 }
            guard bytes[at - 2...at - 1].elementsEqual("\\u".utf8) else { throw Stop.wrong(start) }
            let low = try hex()
            guard (0xDC00...0xDFFF).contains(low) else { throw Stop.wrong(start) }
            scalar = 0x10000 + (scalar - 0xD800) * 0x400 + (low - 0xDC00)
        }
        guard let character = Unicode.Scalar(scalar) else { throw Stop.wrong(start) }
        return Array(String(character).utf8)
    }

    private mutating func hex() throws -> UInt32 {
        var result: UInt32 = 0
        for _ in 0..<4 {
            let digit = Character(Unicode.Scalar(try peek())).hexDigitValue
            guard let digit, bytes[at] < 0x80 else { throw Stop.wrong(at) }
            result = result * 16 + UInt32(digit)
            at += 1
        }
        return result
    }

    /// One character outside ASCII. What could still become one at the end is incomplete.
    private mutating func sequence() throws -> [UInt8] {
        for length in 2...4 where at + length <= bytes.count {
            let candidate = Array(bytes[at..<at + length])
            if String(validating: candidate, as: UTF8.self) != nil {
                at += length
                return candidate
            }
        }
        let rest = Array(bytes[at...].prefix(4))
        for ending in [
            [0x80], [0xBF], [0x80, 0x80], [0xBF, 0x80], [0x80, 0x80, 0x80], [0xBF, 0x80, 0x80],
        ] as [[UInt8]]
        where rest.count < 4 && String(validating: rest + ending, as: UTF8.self) != nil {
            throw Stop.end
        }
        throw Stop.wrong(at)
    }
}
