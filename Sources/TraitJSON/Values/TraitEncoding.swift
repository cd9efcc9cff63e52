// How the values of one trait are written: everything that can be prepared once per definition
// (the member name, the case names) is, so that an answer is mostly copying.

import Glibc
import JSONCodec
import TraitEngine

/// Immutable, made once for each definition of a session. All sessions share those of the system's traits.
@usableFromInline
package final class TraitEncoding {
    package let definition: TraitDefinition
    /// Whether clients may send values of the trait.
    private let isReadable: Bool
    /// `"key":`, ready to copy.
    package let member: [UInt8]
    /// `"key"`.
    package let key: [UInt8]
    /// See `TraitDefinition.styleNames`.
    package let styleNames: [[UInt8]]
    /// Enumerations: `"caseName"` by raw value. Few, so a linear search is the fastest.
    private let cases: [(raw: Int64, json: [UInt8])]
    /// String enumerations: `"caseName"` by raw text.
    private let textCases: [(raw: [UInt8], json: [UInt8], style: [UInt8])]
    /// Owns the bytes that `prepared` points to.
    private let store: UnsafeMutableRawBufferPointer
    private let members: UnsafeMutableBufferPointer<PreparedTrait.Member>

    /// - Parameter isConverted: whether the engine's words of the trait are positions in its pool; see
    ///   `TraitDefinitions.converted`.
    package init(_ definition: TraitDefinition, isConverted: Bool = false) {
        self.definition = definition
        isReadable = definition.origin != .systemPrivate
        key = Self.json(definition.key)
        let member = key + [UInt8(ascii: ":")]
        self.member = member
        styleNames = definition.styleNames
        switch definition.type {
        case .enumeration(let declared):
            cases = declared.map { ($0.raw, Self.json($0.name)) }
            textCases = []
        case .stringEnumeration(let declared):
            cases = []
            textCases = declared.map {
                (
                    Array($0.raw.utf8), Self.json($0.name),
                    definition.styleText(.string($0.raw))
                )
            }
        default:
            cases = []
            textCases = []
        }
        let known = isConverted ? [] : Self.knownWords(of: definition, cases)
        let lines = known.map { definition.styleLine($0.value) }
        let store = UnsafeMutableRawBufferPointer.allocate(
            byteCount: zip(known, lines).reduce(0) {
                $0 + member.count + $1.0.json.count + $1.1.count
            }, alignment: 1)
        self.store = store
        members = .allocate(capacity: known.count)
        var start = 0
        func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let place = UnsafeMutableRawBufferPointer(
                rebasing: store[start..<start + bytes.count])
            place.copyBytes(from: bytes)
            start += bytes.count
            return UnsafeRawBufferPointer(place)
        }
        for (position, next) in known.enumerated() {
            members.initializeElement(
                at: position,
                to: PreparedTrait.Member(
                    word: next.word, json: keep(member + next.json), style: keep(lines[position])))
        }
    }

    deinit {
        members.deallocate()
        store.deallocate()
    }

    /// Valid as long as this object is.
    var prepared: PreparedTrait { PreparedTrait(members: UnsafeBufferPointer(members)) }

    /// The words of the engine (`Hierarchy.words`) that stand for few and fixed values.
    private static func knownWords(
        of definition: TraitDefinition, _ cases: [(raw: Int64, json: [UInt8])]
    ) -> [(word: UInt64, json: [UInt8], value: TraitValue)] {
        switch definition.type {
        case .bool:
            let values: [(StaticString, TraitValue)] = [
                ("false", .bool(false)), ("true", .bool(true)), ("null", .null),
            ]
            return values.prefix(definition.isNullable ? 3 : 2).enumerated().map {
                (UInt64($0), Array($1.0.description.utf8), $1.1)
            }
        case .enumeration where !definition.isNullable:
            return cases.map { (UInt64(bitPattern: $0.raw), $0.json, .int($0.raw)) }
        // Most nodes have this value of the system's numeric traits.
        case .double where definition.isSystem: return [(0, Array("0".utf8), .double(0))]
        default: return []
        }
    }

    /// The text of a raw value of a string enumeration in style sheets; nil for other values.
    package func styleText(of value: TraitValue) -> [UInt8]? {
        guard !textCases.isEmpty, case .string(var text) = value else { return nil }
        return text.withUTF8 { bytes in
            for known in textCases where known.raw.count == bytes.count {
                guard let base = bytes.baseAddress, memcmp(known.raw, base, bytes.count) == 0
                else { continue }
                return known.style
            }
            return nil
        }
    }

    private static func json(_ text: String) -> [UInt8] {
        JSONWriter.text { $0.value(text) }
    }

    /// The value of an enumeration's case, by comparing bytes. Nil for other types, and where the
    /// name needs `ValueReader`. O(cases).
    package func value(ofCase name: JSONString) -> TraitValue? {
        guard isReadable else { return nil }
        let bytes = name.bytes
        guard let base = bytes.baseAddress else { return nil }
        for known in cases where known.json.count == bytes.count + 2 {
            let isSame = known.json.withUnsafeBytes { json in
                json.baseAddress.map { memcmp($0 + 1, base, bytes.count) == 0 } ?? false
            }
            guard isSame else { continue }
            // A backslash begins an escape in the case's JSON but not in the name.
            return bytes.contains(UInt8(ascii: "\\")) ? nil : .int(known.raw)
        }
        return nil
    }

    /// Writes a value as it travels: enumerations by case name, a raw value outside the cases as
    /// the number. O(cases) or O(size of the value).
    package func write(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.value(value)
        case .int(let raw): writeInteger(raw, into: &writer)
        case .double(let value): writer.value(value)
        case .string(let text): writeText(text, into: &writer)
        case .structure(let values):
            guard case .structure(let fields) = definition.type else { return writer.null() }
            writer.beginObject()
            for (field, value) in zip(fields, values) {
                writer.key(field.name)
                Self.writeScalar(value, into: &writer)
            }
            writer.endObject()
        case .json(let text): Self.writeJSON(text, into: &writer)
        // No client's definition has such a type.
        case .opaque: writer.null()
        }
    }

    @inline(__always)
    private func writeInteger(_ raw: Int64, into writer: inout JSONWriter) {
        for known in cases where known.raw == raw {
            known.json.withUnsafeBytes { writer.raw($0) }
            return
        }
        writer.value(raw)
    }

    private func writeText(_ text: String, into writer: inout JSONWriter) {
        var text = text
        text.withUTF8 { bytes in
            for known in textCases where known.raw.count == bytes.count {
                guard let base = bytes.baseAddress, memcmp(known.raw, base, bytes.count) == 0
                else { continue }
                return known.json.withUnsafeBytes { writer.raw($0) }
            }
            writer.value(bytes: UnsafeRawBufferPointer(bytes))
        }
    }

    /// The text is JSON already.
    private static func writeJSON(_ text: String, into writer: inout JSONWriter) {
        var text = text
        text.withUTF8 { writer.raw(UnsafeRawBufferPointer($0)) }
    }

    package static func writeScalar(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .bool(let value): writer.value(value)
        case .int(let value): writer.value(value)
        case .double(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .json(let text): writeJSON(text, into: &writer)
        case .null, .structure, .opaque: writer.null()
        }
    }
}

extension TraitValue {
    /// Bytes of the value's texts. O(fields).
    package var textBytes: Int {
        switch self {
        case .string(let text), .json(let text): text.utf8.count
        case .structure(let fields): fields.reduce(0) { $0 + $1.textBytes }
        case .null, .bool, .int, .double, .opaque: 0
        }
    }
}

/// A trait's members with the values that are written most, as they stand in an answer. Trivial, so
/// that using one retains nothing; its `TraitEncoding` has to stay.
@usableFromInline
package struct PreparedTrait {
    @usableFromInline
    package struct Member {
        @usableFromInline package let word: UInt64
        /// `"key":value`
        @usableFromInline package let json: UnsafeRawBufferPointer
        /// The declaration in style sheets without a prefix.
        @usableFromInline package let style: UnsafeRawBufferPointer
    }

    @usableFromInline package let members: UnsafeBufferPointer<Member>

    /// The member for this word, if it is prepared. O(cases), which are few.
    @inlinable @inline(__always)
    package func member(for word: UInt64) -> UnsafeRawBufferPointer? {
        for known in members where known.word == word { return known.json }
        return nil
    }

    /// The declaration for this word, if it is prepared. O(cases).
    @inlinable @inline(__always)
    package func styleLine(for word: UInt64) -> UnsafeRawBufferPointer? {
        for known in members where known.word == word { return known.style }
        return nil
    }
}

/// The encodings of a session's traits, by index; rebuilt when its definitions change.
@usableFromInline
package struct TraitEncodings {
    @usableFromInline var encodings: [TraitEncoding?]
    /// As many as `encodings`.
    @usableFromInline var prepared: [PreparedTrait]
    @usableFromInline var made: TraitSet
    /// Those from before the open transaction, of the traits that it has redefined.
    package private(set) var former: [TraitIndex: TraitEncoding] = [:]

    /// Those of the system's traits, which every session begins with. Never written to: a session
    /// that gets a custom trait copies the arrays.
    nonisolated(unsafe) private static let system = {
        var all = TraitEncodings(encodings: [], prepared: [], made: TraitSet())
        for position in 0..<UInt16(TraitDefinitions.customStart) {
            _ = all.encoding(of: TraitIndex(rawValue: position), in: .system)
        }
        return all
    }()

    private init(encodings: [TraitEncoding?], prepared: [PreparedTrait], made: TraitSet) {
        self.encodings = encodings
        self.prepared = prepared
        self.made = made
    }

    package init() { self = Self.system }

    /// The encoding of a defined trait. O(1) after the first use.
    @inlinable
    package mutating func encoding(
        of trait: TraitIndex, in definitions: TraitDefinitions
    ) -> TraitEncoding {
        known(trait) ?? makeEncoding(of: trait, in: definitions)
    }

    @usableFromInline
    mutating func makeEncoding(
        of trait: TraitIndex, in definitions: TraitDefinitions
    ) -> TraitEncoding {
        let position = Int(trait.rawValue)
        let encoding = TraitEncoding(
            definitions[trait], isConverted: definitions.converted.contains(trait))
        while encodings.count <= position {
            encodings.append(nil)
            prepared.append(PreparedTrait(members: UnsafeBufferPointer(start: nil, count: 0)))
        }
        encodings[position] = encoding
        prepared[position] = encoding.prepared
        made.insert(trait)
        return encoding
    }

    /// The encoding of a trait, if it was made.
    @inlinable
    package func known(_ trait: TraitIndex) -> TraitEncoding? {
        let position = Int(trait.rawValue)
        return position < encodings.count ? encodings[position] : nil
    }

    @inlinable @inline(__always)
    package func have(_ traits: TraitSet) -> Bool { traits.isSubset(of: made) }

    /// Makes all of these encodings, for `subscript` and `prepared(_:)`. O(1) after the first use.
    @inlinable
    package mutating func make(_ traits: TraitSet, in definitions: TraitDefinitions) {
        for trait in traits { _ = encoding(of: trait, in: definitions) }
    }

    /// One that was made.
    @inlinable
    package subscript(trait: TraitIndex) -> TraitEncoding {
        guard let encoding = encodings[Int(trait.rawValue)] else {
            preconditionFailure("the encoding was not made")
        }
        return encoding
    }

    /// Of one that was made; valid as long as these encodings are.
    @inlinable @inline(__always)
    package func prepared(_ trait: TraitIndex) -> PreparedTrait { prepared[Int(trait.rawValue)] }

    /// To be called before the open transaction redefines a trait.
    package mutating func keepFormer(of trait: TraitIndex, in definitions: TraitDefinitions) {
        if former[trait] == nil { former[trait] = encoding(of: trait, in: definitions) }
    }

    /// To be called when the transaction has ended.
    package mutating func forgetFormer() {
        if !former.isEmpty { former = [:] }
    }

    /// To be called whenever a definition was added, deleted or rolled back.
    package mutating func reset() {
        let former = former
        self = Self.system
        self.former = former
    }
}
