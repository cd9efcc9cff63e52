// How a parsed text is looked at: a pointer to the tape's storage and an index. Values are plain
// words, free to copy, and say what they are without allocating.

/// The six kinds of value of RFC 8259.
@usableFromInline
package enum JSONKind: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
}

/// A value of the text a ``JSONTape`` has read, valid as long as that document is.
@usableFromInline
package struct JSONValue {
    @usableFromInline let storage: UnsafeMutablePointer<TapeStorage>
    @usableFromInline let index: UInt32
    @usableFromInline let generation: UInt32

    @inlinable
    init(storage: UnsafeMutablePointer<TapeStorage>, index: Int) {
        self.storage = storage
        self.index = UInt32(truncatingIfNeeded: index)
        generation = storage.pointee.generation
    }

    @inlinable
    var entry: TapeEntry {
        assert(generation == storage.pointee.generation, "a value outlived its document")
        return storage.pointee.entries.base[Int(index)]
    }

    @inlinable
    package var kind: JSONKind {
        switch entry.kind {
        case TapeKind.null: .null
        case TapeKind.false, TapeKind.true: .bool
        case TapeKind.number: .number
        case TapeKind.string, TapeKind.escapedString: .string
        case TapeKind.array: .array
        default: .object
        }
    }

    /// Where the value begins in the text, in bytes.
    @inlinable
    package var offset: Int { Int(entry.start) }

    /// The value exactly as the text has it, without surrounding whitespace.
    @inlinable
    package var rawBytes: UnsafeRawBufferPointer {
        let entry = entry
        return UnsafeRawBufferPointer(
            start: storage.pointee.text + Int(entry.start), count: Int(entry.length))
    }

    @inlinable
    package var isNull: Bool { entry.kind == TapeKind.null }

    /// Nil when the value is no boolean.
    @inlinable
    package var bool: Bool? {
        switch entry.kind {
        case TapeKind.true: true
        case TapeKind.false: false
        default: nil
        }
    }

    /// Nil when the value is no string.
    @inlinable
    package var string: JSONString? {
        let kind = entry.kind
        guard kind == TapeKind.string || kind == TapeKind.escapedString else { return nil }
        return JSONString(storage: storage, index: Int(index))
    }

    /// The exact integer the number stands for, however it is written: `1.0` and `1e2` are
    /// integers. Nil when the value is no number, has a fraction or does not fit in 64 bits.
    package var int64: Int64? {
        let entry = entry
        guard entry.kind == TapeKind.number else { return nil }
        let digits = UnsafeBufferPointer(
            start: storage.pointee.text + Int(entry.start), count: Int(entry.length))
        if entry.payload == 0, let exact = Int64(shortDigits: digits) { return exact }
        return JSONDecimal(digits).int64
    }

    /// The nearest double, ties to even. Nil when the value is no number or too large for any.
    package var double: Double? {
        let entry = entry
        guard entry.kind == TapeKind.number else { return nil }
        let digits = UnsafeBufferPointer(
            start: storage.pointee.text + Int(entry.start), count: Int(entry.length))
        return JSONDecimal(digits).double(of: digits)
    }
}
