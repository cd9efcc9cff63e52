// Bytes that are no JSON value of their own: the framing of streams, and records that were
// written before.

extension JSONWriter {
    /// Appends bytes as they are; what comes next stands alone, without a comma before it.
    @inlinable
    package mutating func verbatim(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        put(bytes)
        needsComma = false
    }

    /// Appends text as it is; what comes next stands alone, without a comma before it.
    package mutating func verbatim(_ text: String) {
        var text = text
        text.withUTF8 { verbatim(UnsafeRawBufferPointer($0)) }
    }
}

extension JSONWriter {
    /// Writes a member's name that is prepared already: quoted, escaped and with its colon.
    @inlinable
    package mutating func member(_ prepared: [UInt8]) {
        reserve(prepared.count &+ 1)
        comma()
        prepared.withUnsafeBytes { put($0) }
        needsComma = false
    }

    /// Writes a value without white space; numbers and strings as they were given. Recursion is bounded by the depth
    /// that the reader accepts.
    package mutating func copy(_ json: JSONValue) {
        switch json.kind {
        case .null, .bool, .number: raw(json.rawBytes)
        case .string: value(bytes: json.string?.bytes ?? json.rawBytes)
        case .array:
            beginArray()
            for element in json.elements { copy(element) }
            endArray()
        case .object:
            beginObject()
            for (name, member) in json.members {
                key(name.bytes)
                copy(member)
            }
            endObject()
        }
    }
}
