// Traits as feature flags, in the form of OFREP (https://github.com/open-feature/protocol).

import JSONCodec
import TraitEngine
import TraitJSON

extension SessionState {
    /// A trait as a flag: `{"key","value"?,"reason","variant","metadata"}`. An unset value has no `value`, so that
    /// the client takes the default of its code.
    ///
    /// - Parameters:
    ///   - key: the name by which the client asked.
    ///   - state: the state of the target's node.
    package func writeFlag(
        _ trait: TraitIndex, _ key: UnsafeRawBufferPointer, for target: FlagTarget,
        _ state: NodeState, into writer: inout JSONWriter
    ) {
        let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
        let resolution = resolution(of: trait, for: target)
        writer.beginObject()
        writer.member("key", bytes: key)
        let isUnset = encoding.definition.isUnset(resolution.value)
        if !isUnset {
            writer.key("value")
            encoding.writeFlagValue(resolution.value, into: &writer)
        }
        let kind = resolution.source.kind
        writer.member(
            "reason", kind == .default ? "STATIC" as StaticString : "TARGETING_MATCH")
        writer.key("variant")
        if isUnset {
            writer.value("unspecified" as StaticString)
        } else if !encoding.writeVariant(resolution.value, into: &writer) {
            writer.value(kind.name)
        }
        writeMetadata(
            of: trait, encoding.definition, resolution.source, state, into: &writer)
        writer.endObject()
    }

    /// `"metadata"` of the open object. All its members are scalars.
    private func writeMetadata(
        of trait: TraitIndex, _ definition: TraitDefinition, _ source: Source, _ state: NodeState,
        into writer: inout JSONWriter
    ) {
        writer.beginObject("metadata")
        writer.member("type", definition.type.name)
        writer.member("unit", ifPresent: definition.notes.unit)
        writer.member("source", source.kind.name)
        if let node = source.node {
            writer.member("node", node, of: hierarchy)
        } else if let node = source.deletedNode {
            writer.member("node", hierarchy.identifier(of: node))
        }
        writer.member("revision", ifPresent: source.revision)
        if state != .current { write(state, into: &writer) }
        if !annotations.managers.isEmpty, let node = source.node,
            let manager = manager(of: trait, at: node, source.kind)
        {
            writer.member("setBy", manager)
        }
        writer.endObject()
    }
}

extension TraitEncoding {
    /// Writes the value of a flag. A double always has a fraction or an exponent, since typed clients read `30` as
    /// an integer; a raw value outside of the cases of an enumeration is a string.
    fileprivate func writeFlagValue(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .double(let number): writer.fractional(number)
        case .int: if !writeVariant(value, into: &writer) { write(value, into: &writer) }
        case .structure(let values):
            guard case .structure(let fields) = definition.type else { return writer.null() }
            writer.beginObject()
            for (field, value) in zip(fields, values) {
                writer.key(field.name)
                if case .double(let number) = value {
                    writer.fractional(number)
                } else {
                    Self.writeScalar(value, into: &writer)
                }
            }
            writer.endObject()
        default: write(value, into: &writer)
        }
    }

    /// Writes the name of a boolean or of a case as a string. Returns false for values of other types, for which
    /// nothing is written.
    package func writeVariant(_ value: TraitValue, into writer: inout JSONWriter) -> Bool {
        switch (definition.type, value) {
        case (.bool, .bool(let value)):
            writer.value(value ? "true" as StaticString : "false")
        case (.enumeration(let cases), .int(let raw)):
            if cases.contains(where: { $0.raw == raw }) {
                write(value, into: &writer)
            } else {
                writer.value(String(raw))
            }
        case (.stringEnumeration, .string): write(value, into: &writer)
        default: return false
        }
        return true
    }
}

extension JSONWriter {
    /// Writes a number with a fraction or an exponent: `30.0`, `1e+21`.
    mutating func fractional(_ number: Double) {
        let start = count
        value(number)
        let isInteger = bytes[start...].allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ",")
        }
        guard isInteger else { return }
        rawByte(UInt8(ascii: "."))
        rawByte(UInt8(ascii: "0"))
    }
}
