// A JSON value for building requests and asserting on answers. It reads with Foundation on
// purpose: a test that parsed answers with the codec under test would share its mistakes.

import Foundation

/// A JSON value; objects compare without regard to the order of their members.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    package init(parsing bytes: [UInt8]) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    package init(parsing text: String) throws {
        try self.init(parsing: Array(text.utf8))
    }

    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var int: Int64? { if case .int(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }

    /// The same object without a member.
    package func without(_ key: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = nil
        return .object(members)
    }

    /// The same object with one member set.
    package func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = value
        return .object(members)
    }
}

extension JSON {
    /// - Parameter value: a value that `JSONSerialization` gives.
    private init(_ value: Any) {
        switch value {
        case let members as [String: Any]: self = .object(members.mapValues(JSON.init))
        case let elements as [Any]: self = .array(elements.map(JSON.init))
        case let text as String: self = .string(text)
        case let number as NSNumber: self.init(number)
        default: self = .null
        }
    }

    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // No number has the type of a character.
        case UInt8(ascii: "c"): self = .bool(number.boolValue)
        case UInt8(ascii: "i"), UInt8(ascii: "q"): self = .int(number.int64Value)
        default:
            // Foundation keeps many digits as a decimal number, whose double is not the nearest one.
            let decimal = (number as? NSDecimalNumber)?.stringValue
            let double = decimal.flatMap(Double.init) ?? number.doubleValue
            self = Int64(exactly: double).map(JSON.int) ?? .double(double)
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
