// From JSON to a dynamic colour or image, and back. What the values stand for is the client's to
// know: they are kept as compact JSON, and two are the same when that JSON means the same.

import JSONCodec
import TraitEngine
import TraitJSON

package enum DynamicReader {
    /// `{"variants":[{"when":{trait: value…}?,"value": …}]}`.
    package static func read(
        _ json: JSONValue, _ kind: DynamicKind, named name: String, in session: SessionState
    ) throws(SessionError) -> DynamicValue {
        try read(json, kind, named: name, with: CollectionReader(of: session))
    }

    static func read(
        _ json: JSONValue, _ kind: DynamicKind, named name: String, with reader: CollectionReader
    ) throws(SessionError) -> DynamicValue {
        let object = try ObjectReader(
            json, kind == .color ? "a dynamic color" : "a dynamic image", members: ["variants"])
        let list = try object.required("variants")
        guard list.kind == .array else {
            throw object.wrongType("variants", "an array of conditions and values", list)
        }
        var variants: [DynamicVariant] = []
        variants.reserveCapacity(list.count)
        for element in list.elements {
            variants.append(try within("/variants/\(variants.count)", try variant(element, reader)))
        }
        do throws(OperationError) {
            return try DynamicValue(kind: kind, name: name, variants: variants)
        } catch {
            throw SessionError(error).at("/variants")
        }
    }

    private static func variant(
        _ json: JSONValue, _ reader: CollectionReader
    ) throws(SessionError) -> DynamicVariant {
        let object = try ObjectReader(json, "a variant", members: ["when", "value"])
        let value = try object.required("value")
        var when = TraitCollection(definitions: reader.definitions)
        if let json = object["when"] {
            when = try within("/when", try reader.apply(json, to: when))
        }
        let own = String(decoding: JSONWriter.text { $0.copy(value) }, as: UTF8.self)
        let common = String(decoding: JSONWriter.text { $0.meaning(of: value) }, as: UTF8.self)
        return DynamicVariant(when: when, value: own, meaning: own == common ? nil : common)
    }
}

/// A value can have many conditions on the same few traits, whose encodings are therefore made once.
package enum DynamicWriter {
    /// `"variants"` as an object of its own.
    package static func writeDefinition(
        _ value: DynamicValue, with encodings: inout TraitEncodings, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.beginArray("variants")
        for variant in value.variants { write(variant, with: &encodings, into: &writer) }
        writer.endArray()
        writer.endObject()
    }

    /// `{"color" or "image","variants"}`.
    package static func write(
        _ value: DynamicValue, with encodings: inout TraitEncodings, into writer: inout JSONWriter
    ) {
        begin(value, into: &writer)
        for variant in value.variants { write(variant, with: &encodings, into: &writer) }
        end(into: &writer)
    }

    /// `{"color" or "image","variants":[`.
    package static func begin(_ value: DynamicValue, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(value.kind.member, value.name)
        writer.beginArray("variants")
    }

    package static func end(into writer: inout JSONWriter) {
        writer.endArray()
        writer.endObject()
    }

    /// `"value","variant","dependsOn"` of the open object.
    ///
    /// - Parameter index: the position of the chosen variant.
    package static func writeChoice(
        _ index: Int, of value: DynamicValue, with encodings: inout TraitEncodings,
        into writer: inout JSONWriter
    ) {
        let variant = value.variants[index]
        writer.member("value", raw: Array(variant.value.utf8))
        writer.beginObject("variant")
        writer.member("index", index)
        writer.key("when")
        variant.when.write(with: &encodings, into: &writer)
        writer.endObject()
        let keys = value.dependsOn.map { variant.when.definitions[$0].key }
        writer.beginArray("dependsOn")
        for key in keys.sorted() { writer.value(key) }
        writer.endArray()
    }

    package static func write(
        _ variant: DynamicVariant, with encodings: inout TraitEncodings,
        into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("when")
        variant.when.write(with: &encodings, into: &writer)
        writer.member("value", raw: Array(variant.value.utf8))
        writer.endObject()
    }
}
