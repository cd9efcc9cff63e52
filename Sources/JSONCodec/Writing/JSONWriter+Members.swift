// Members of objects in one call each: the name, and a value of any type that the writer takes.

extension JSONWriter {
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        self.value(value)
    }

    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        self.value(value)
    }

    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: Int64) {
        key(name)
        self.value(value)
    }

    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: Double) {
        key(name)
        self.value(value)
    }

    @_disfavoredOverload
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        self.value(value)
    }

    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, _ value: StaticString) {
        key(name)
        self.value(value)
    }

    /// A string whose content is `bytes`, which must be valid UTF-8.
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, bytes: UnsafeRawBufferPointer) {
        key(name)
        value(bytes: bytes)
    }

    /// A value that is JSON already.
    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, raw json: UnsafeRawBufferPointer) {
        key(name)
        raw(json)
    }

    @inlinable @inline(__always)
    package mutating func member(_ name: StaticString, raw json: [UInt8]) {
        key(name)
        raw(json)
    }

    // MARK: Members that may be absent

    /// Writes no member for nil.
    @inlinable
    package mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// Writes no member for nil.
    @inlinable
    package mutating func member(_ name: StaticString, ifPresent value: Int64?) {
        if let value { member(name, value) }
    }

    /// Writes `true` when the flag is set, and no member otherwise.
    @inlinable
    package mutating func flag(_ name: StaticString, when isSet: Bool) {
        if isSet { member(name, true) }
    }

    // MARK: Containers

    /// Begins an object that is a member.
    @inlinable @inline(__always)
    package mutating func beginObject(_ name: StaticString) {
        key(name)
        beginObject()
    }

    /// Begins an array that is a member.
    @inlinable @inline(__always)
    package mutating func beginArray(_ name: StaticString) {
        key(name)
        beginArray()
    }
}
