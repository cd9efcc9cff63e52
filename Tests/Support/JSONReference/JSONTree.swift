// A copy of a parsed text that outlives it, so that tests can compare whole documents.

import JSONCodec

/// A JSON value by itself. Numbers are kept as they were written, strings as their bytes.
package indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string([UInt8])
    case array([JSONTree])
    case object([Member])

    package struct Member: Equatable {
        package let key: [UInt8]
        package let value: JSONTree

        package init(key: [UInt8], value: JSONTree) {
            self.key = key
            self.value = value
        }
    }

    package init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number: self = .number(String(decoding: value.rawBytes, as: UTF8.self))
        case .string: self = .string(value.string.map { Array($0.bytes) } ?? [])
        case .array: self = .array(value.elements.map { JSONTree($0) })
        case .object:
            self = .object(
                value.members.map { Member(key: Array($0.key.bytes), value: JSONTree($0.value)) })
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.value(value)
        case .number(let text): writer.raw(Array(text.utf8))
        case .string(let bytes): bytes.withUnsafeBytes { writer.value(bytes: $0) }
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                member.key.withUnsafeBytes { writer.key($0) }
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
