// The memory of a parsed text. Values point at this record, which stays where it is for
// the life of its tape; so a value is two words, and copying one touches no reference count.

/// The buffers of one ``JSONTape``, all owned by it.
@usableFromInline
struct TapeStorage {
    /// The caller's bytes, borrowed for as long as the document lives. Never nil.
    @usableFromInline var text: UnsafePointer<UInt8>
    @usableFromInline var textCount = 0

    @usableFromInline var entries = ScratchBuffer<TapeEntry>()

    /// Contents of the strings that had escapes, one after the other.
    @usableFromInline var unescaped = ScratchBuffer<UInt8>()

    /// Scratch of the search for duplicate names.
    var slots = ScratchBuffer<UInt64>()

    /// Counts documents. Debug builds detect by it a value of an earlier document.
    @usableFromInline var generation: UInt32 = 0

    /// Whether a scope is using the document; nothing else may be read until it ends.
    var isLent = false

    init() {
        text = UnsafePointer(unescaped.base)
    }

    /// Gives back what exceeds `bytes` in each buffer. No document is alive then.
    @inline(__always)
    mutating func trim(to bytes: Int) {
        entries.trim(to: bytes)
        unescaped.trim(to: bytes)
        slots.trim(to: bytes)
    }

    mutating func deallocate() {
        entries.deallocate()
        unescaped.deallocate()
        slots.deallocate()
    }
}
