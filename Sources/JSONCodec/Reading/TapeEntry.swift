// The tape: one entry of 16 bytes for every value and member name, in the order of the text.
//
//      {"a": [1, "x\n"]}
//
//      index   kind      start  length  link                payload
//      0       object    0      17      5  (after it)       1 member
//      1       string    1      3       2  (in the text)    1 byte
//      2       array     6      10      5  (after it)       2 elements
//      3       number    7      1       -                   0 (digits only)
//      4       escaped   10     5       0  (unescaped)      2 bytes
//
// A member is its name followed by its value. While a container is open its link is its parent, so
// that nesting needs no stack and its depth costs no memory.

/// One value or member name.
@usableFromInline
struct TapeEntry: BitwiseCopyable {
    /// Where the value begins in the text, in bytes.
    @usableFromInline var start: UInt32
    /// How many bytes of the text the value takes, quotes and brackets included.
    @usableFromInline var length: UInt32
    /// Containers: the index after the last descendant (while open: the parent, or ``noParent``).
    /// Strings: where the content begins, in the text or among the unescaped bytes.
    @usableFromInline var link: UInt32
    /// The kind in the low three bits; above it elements, members, bytes of content, or, for a
    /// number, whether it has a fraction or an exponent.
    @usableFromInline var tag: UInt32

    @usableFromInline
    init(start: UInt32, length: UInt32, link: UInt32, tag: UInt32) {
        self.start = start
        self.length = length
        self.link = link
        self.tag = tag
    }

    @usableFromInline static let noParent = UInt32.max

    @inlinable var kind: UInt32 { tag & 7 }
    @inlinable var payload: UInt32 { tag &>> 3 }
    @inlinable var isContainer: Bool { kind >= TapeKind.array }
}

/// The kinds of entry. Plain numbers and no enum, since they are cut out of a word.
@usableFromInline
enum TapeKind {
    @usableFromInline static let null: UInt32 = 0
    @usableFromInline static let `false`: UInt32 = 1
    @usableFromInline static let `true`: UInt32 = 2
    @usableFromInline static let number: UInt32 = 3
    @usableFromInline static let string: UInt32 = 4
    @usableFromInline static let escapedString: UInt32 = 5
    @usableFromInline static let array: UInt32 = 6
    @usableFromInline static let object: UInt32 = 7
}
