// Writing JSON: compact with sorted members for requests and failure messages, and a re-indenter
// for golden files that keeps the order in which the server wrote its members.

extension JSON: CustomStringConvertible {
    package var description: String { text }

    /// Compact JSON text, members sorted by key.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }
                .map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case let control where control.value < 0x20:
                let hex = String(control.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Spreads JSON text over lines, two spaces a level; tokens and their order stay as they are.
    ///
    /// Objects and arrays that fit on one line stay on it, which keeps golden files readable.
    package static func reindented(_ text: String, width: Int = 100) -> String {
        var tokens = Tokens(text)
        var output = ""
        tokens.writeValue(level: 0, width: width, into: &output)
        return output
    }
}

/// Walks JSON text that is known to be valid.
private struct Tokens {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func writeValue(level: Int, width: Int, into output: inout String) {
        skipSpace()
        guard position < scalars.count, scalars[position] == "{" || scalars[position] == "[" else {
            output += scalarText()
            return
        }
        let start = position
        let compact = compactText()
        let end = position
        guard compact.count + level * 2 > width else {
            output += compact
            return
        }
        position = start
        writeSpread(level: level, width: width, into: &output)
        position = end
    }

    private mutating func writeSpread(level: Int, width: Int, into output: inout String) {
        let closing: Unicode.Scalar = scalars[position] == "{" ? "}" : "]"
        output.unicodeScalars.append(scalars[position])
        position += 1
        let indent = "\n" + String(repeating: "  ", count: level + 1)
        while true {
            skipSpace()
            guard position < scalars.count, scalars[position] != closing else { break }
            if scalars[position] == "," {
                output += ","
                position += 1
                skipSpace()
            }
            output += indent
            if closing == "}" {
                output += scalarText() + ": "
                skipSpace()
                position += 1
            }
            writeValue(level: level + 1, width: width, into: &output)
        }
        position += 1
        output += "\n" + String(repeating: "  ", count: level)
        output.unicodeScalars.append(closing)
    }

    /// The value at the position on one line, with a space after `:` and `,`.
    private mutating func compactText() -> String {
        var text = ""
        var depth = 0
        repeat {
            skipSpace()
            guard position < scalars.count else { break }
            let scalar = scalars[position]
            switch scalar {
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            default: break
            }
            if "{}[]".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
                position += 1
            } else if scalar == ":" || scalar == "," {
                text.unicodeScalars.append(scalar)
                text += " "
                position += 1
            } else {
                text += scalarText()
            }
        } while depth > 0
        return text
    }

    /// A string, number or word.
    private mutating func scalarText() -> String {
        var text = String.UnicodeScalarView()
        let isString = position < scalars.count && scalars[position] == "\""
        while position < scalars.count {
            let scalar = scalars[position]
            if !isString, " \n\r\t,:{}[]".unicodeScalars.contains(scalar) { break }
            text.append(scalar)
            position += 1
            guard isString else { continue }
            if scalar == "\\", position < scalars.count {
                text.append(scalars[position])
                position += 1
            } else if scalar == "\"", text.count > 1 {
                break
            }
        }
        return String(text)
    }

    private mutating func skipSpace() {
        while position < scalars.count, " \n\r\t".unicodeScalars.contains(scalars[position]) {
            position += 1
        }
    }
}
