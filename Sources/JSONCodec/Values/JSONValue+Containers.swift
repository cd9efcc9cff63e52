// Elements and members. A container's entry knows how many it has, and every contained container
// where it ends, so that stepping over a value costs the same whatever is in it.

extension JSONValue {
    /// Elements of an array or members of an object; 0 for scalars. Constant time.
    @inlinable
    package var count: Int {
        let entry = entry
        return entry.isContainer ? Int(entry.payload) : 0
    }

    /// The elements of an array in their order; nothing for other kinds.
    @inlinable
    package var elements: JSONElements { JSONElements(self) }

    /// The members of an object in their order; nothing for other kinds.
    @inlinable
    package var members: JSONMembers { JSONMembers(self) }

    /// The value of a member, found by its unescaped name; nil without such a member, or when the
    /// value is no object. Linear in the number of members.
    @inlinable
    package func member(_ name: StaticString) -> JSONValue? {
        for (key, value) in members where key == name { return value }
        return nil
    }

    /// The value of a member whose name is known only at run time. Linear in the number of members.
    package func member(_ name: UnsafeRawBufferPointer) -> JSONValue? {
        for (key, value) in members where key.equals(name) { return value }
        return nil
    }

    /// The index of the value that follows this one and all it contains.
    @inlinable
    static func index(after index: Int, in storage: UnsafeMutablePointer<TapeStorage>) -> Int {
        let entry = storage.pointee.entries.base[index]
        return entry.isContainer ? Int(entry.link) : index &+ 1
    }
}

/// The elements of an array.
@usableFromInline
package struct JSONElements: Sequence, IteratorProtocol {
    @usableFromInline let storage: UnsafeMutablePointer<TapeStorage>
    @usableFromInline var index: Int
    @usableFromInline var remaining: Int

    @inlinable
    init(_ array: JSONValue) {
        let entry = array.entry
        storage = array.storage
        index = Int(array.index) &+ 1
        remaining = entry.kind == TapeKind.array ? Int(entry.payload) : 0
    }

    @inlinable
    package mutating func next() -> JSONValue? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        let value = JSONValue(storage: storage, index: index)
        index = JSONValue.index(after: index, in: storage)
        return value
    }

    @inlinable
    package var underestimatedCount: Int { remaining }
}

/// The members of an object.
@usableFromInline
package struct JSONMembers: Sequence, IteratorProtocol {
    @usableFromInline let storage: UnsafeMutablePointer<TapeStorage>
    @usableFromInline var index: Int
    @usableFromInline var remaining: Int

    @inlinable
    init(_ object: JSONValue) {
        let entry = object.entry
        storage = object.storage
        index = Int(object.index) &+ 1
        remaining = entry.kind == TapeKind.object ? Int(entry.payload) : 0
    }

    @inlinable
    package mutating func next() -> (key: JSONString, value: JSONValue)? {
        guard remaining > 0 else { return nil }
        remaining &-= 1
        let key = JSONString(storage: storage, index: index)
        let value = JSONValue(storage: storage, index: index &+ 1)
        index = JSONValue.index(after: index &+ 1, in: storage)
        return (key, value)
    }

    @inlinable
    package var underestimatedCount: Int { remaining }
}
