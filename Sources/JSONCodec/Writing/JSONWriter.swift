// The writer: bytes straight into memory it owns, no strings in between, commas where they belong.
// One flag is all the state that takes: whether the next key or value needs a comma before it.

import Background
import Glibc
import Limits

/// Writes compact JSON. Structure is the caller's duty: brackets must match and every member needs
/// its key; the writer only places commas and escapes.
///
/// Kept and reset for one answer after the other, it stops allocating once it is large enough.
@usableFromInline
package struct JSONWriter: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var written = 0
    @usableFromInline var capacity: Int
    @usableFromInline var needsComma = false

    /// - Parameter capacity: Room in bytes to begin with; it grows by doubling.
    package init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        base = Self.storage(self.capacity)
    }

    deinit {
        LargeBlock.freeHere(base, bytes: capacity)
    }

    /// The text that `write` writes.
    package static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.array()
    }

    // MARK: Structure

    @inlinable
    package mutating func beginObject() { begin(Byte.openBrace) }

    @inlinable
    package mutating func endObject() { end(Byte.closeBrace) }

    @inlinable
    package mutating func beginArray() { begin(Byte.openBracket) }

    @inlinable
    package mutating func endArray() { end(Byte.closeBracket) }

    @inlinable @inline(__always)
    mutating func begin(_ bracket: UInt8) {
        reserve(2)
        comma()
        put(bracket)
        needsComma = false
    }

    @inlinable @inline(__always)
    mutating func end(_ bracket: UInt8) {
        reserve(1)
        put(bracket)
        needsComma = true
    }

    // MARK: Keys

    /// Writes a member's name. A literal must need no escape; debug builds trap on one that does.
    @inlinable
    package mutating func key(_ name: StaticString) {
        assert(JSONWriter.isPlain(name), "a literal name needs escapes")
        let length = name.utf8CodeUnitCount
        reserve(length &+ 4)
        var end = base + written
        if needsComma {
            end.pointee = Byte.comma
            end += 1
        }
        end[0] = Byte.quote
        name.withUTF8Buffer { name in
            if let start = name.baseAddress { memcpy(end + 1, start, length) }
        }
        end[length &+ 1] = Byte.quote
        end[length &+ 2] = Byte.colon
        written = (end - base) &+ length &+ 3
        needsComma = false
    }

    /// Writes a member's name; `name` is UTF-8 and gets escaped as needed.
    package mutating func key(_ name: UnsafeRawBufferPointer) {
        string(name)
        reserve(1)
        put(Byte.colon)
        needsComma = false
    }

    /// Writes a member's name, escaped as needed. Literals are left to the overload above, which
    /// has less to do.
    @_disfavoredOverload
    package mutating func key(_ name: String) {
        value(name)
        reserve(1)
        put(Byte.colon)
        needsComma = false
    }

    // MARK: Memory

    /// How many bytes have been written.
    @inlinable
    package var count: Int { written }

    /// The bytes that have been written. Valid until the writer writes again or ends.
    @inlinable
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: written)
    }

    /// A copy of what has been written.
    package func array() -> [UInt8] { Array(bytes) }

    /// Forgets what has been written and keeps the memory.
    @inlinable
    package mutating func reset() {
        written = 0
        needsComma = false
    }

    /// Drops the bytes that were written, which the caller has passed on. The open text goes on.
    @inlinable
    package mutating func drain() { written = 0 }

    /// Forgets what has been written, and gives memory back beyond `bytes`.
    package mutating func reset(keeping bytes: Int) {
        reset()
        guard capacity > max(256, bytes) else { return }
        LargeBlock.freeHere(base, bytes: capacity)
        capacity = max(256, bytes)
        base = Self.storage(capacity)
    }

    /// Storage of `malloc` that the caller has to free, with the text at its start.
    package struct Storage: ~Copyable {
        package let base: UnsafeMutableRawPointer
        package let count: Int
        package let capacity: Int
    }

    /// Gives the text away with its storage, so that a long text need not be copied. The writer is
    /// empty then. O(1).
    package mutating func giveStorage() -> Storage {
        let storage = Storage(base: base, count: written, capacity: capacity)
        capacity = 16
        base = Self.storage(capacity)
        reset()
        return storage
    }

    /// Removes the bytes that `write` wrote if it returns false. Returns the result of `write`.
    package mutating func attempt(_ write: (inout JSONWriter) -> Bool) -> Bool {
        let before = (written, needsComma)
        if write(&self) { return true }
        (written, needsComma) = before
        return false
    }

    /// Takes back everything after the first `count` bytes. `count` must be a value that ``count``
    /// had between two calls; whether a comma comes next follows from the byte before it.
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= written, "a writer was truncated to what it lacks")
        written = count
        guard count > 0 else {
            needsComma = false
            return
        }
        switch base[count &- 1] {
        case Byte.openBrace, Byte.openBracket, Byte.colon, Byte.comma, Byte.lineFeed, Byte.space:
            needsComma = false
        default:
            needsComma = true
        }
    }

    /// Makes room for `more` bytes.
    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- written < more { grow(more) }
    }

    @usableFromInline
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, written + more)
        base = Self.storage(capacity, from: base)
    }

    /// Storage of `capacity` bytes, with what is in `old`, which is freed. `realloc` moves the pages
    /// of a long text instead of its bytes.
    private static func storage(
        _ capacity: Int, from old: UnsafeMutablePointer<UInt8>? = nil
    ) -> UnsafeMutablePointer<UInt8> {
        guard let storage = realloc(old, capacity) else { MemoryRefusal.end(capacity) }
        return storage.assumingMemoryBound(to: UInt8.self)
    }

    // MARK: Bytes, for which there must be room

    @inlinable @inline(__always)
    mutating func put(_ byte: UInt8) {
        base[written] = byte
        written &+= 1
    }

    @inlinable @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        memcpy(base + written, start, bytes.count)
        written &+= bytes.count
    }

    @inlinable @inline(__always)
    mutating func comma() {
        guard needsComma else { return }
        put(Byte.comma)
    }
}
