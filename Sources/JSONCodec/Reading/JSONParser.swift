// From bytes to tape in one pass. There is no recursion: the container that is open is known by its
// entry, and that entry links to its parent, so the depth of the input cannot exhaust the stack.

/// One run over one text. RFC 8259 without extensions; see ``JSONTape`` for what it adds.
struct JSONParser: ~Copyable {
    let text: UnsafePointer<UInt8>
    let end: Int
    let limits: JSONLimits
    let hashSeed: NameHash
    let storage: UnsafeMutablePointer<TapeStorage>

    var cursor = 0
    var entries: UnsafeMutablePointer<TapeEntry>
    var count = 0
    private var capacity: Int
    var unescapedCount = 0

    /// The entry of the innermost open container; -1 outside of all.
    var open = -1
    private var openIsObject = false
    /// Elements or members of the open container so far.
    private var members: UInt32 = 0
    private var depth = 0

    init(_ storage: UnsafeMutablePointer<TapeStorage>, _ limits: JSONLimits, _ seed: NameHash) {
        text = storage.pointee.text
        end = storage.pointee.textCount
        self.limits = limits
        hashSeed = seed
        self.storage = storage
        entries = storage.pointee.entries.base
        capacity = min(storage.pointee.entries.capacity, limits.valuesMax)
    }

    /// Reads the whole text.
    mutating func run() throws(Fault) {
        if end >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
            throw Fault(.byteOrderMark, at: 0)
        }
        skipWhitespace()
        guard cursor < end else { throw Fault(.emptyText, at: end) }
        while true {
            if try value() { continue }
            guard try separator() else { break }
        }
        skipWhitespace()
        guard cursor == end else { throw Fault(.trailingBytes, at: cursor) }
    }

    /// Reads what follows a value: closing brackets, then a comma. False when the root is complete.
    @inline(__always)
    private mutating func separator() throws(Fault) -> Bool {
        while open >= 0 {
            skipWhitespace()
            guard cursor < end else { throw Fault(.unexpectedEnd, at: end) }
            let byte = text[cursor]
            if byte == Byte.comma {
                cursor &+= 1
                skipWhitespace()
                if openIsObject { try key(isFirst: false) }
                return true
            }
            guard byte == (openIsObject ? Byte.closeBrace : Byte.closeBracket) else {
                throw Fault(
                    openIsObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: cursor)
            }
            cursor &+= 1
            try close()
        }
        return false
    }

    /// Reads a scalar or an empty container, or opens one. True when the first value of a container
    /// comes next. The cursor stands at the value, after all whitespace.
    @inline(__always)
    private mutating func value() throws(Fault) -> Bool {
        guard cursor < end else { throw Fault(.unexpectedEnd, at: end) }
        members &+= 1
        switch text[cursor] {
        case Byte.quote: try string()
        case Byte.minus, Byte.zero...Byte.nine: try number()
        case Byte.openBrace: return try openContainer(isObject: true)
        case Byte.openBracket: return try openContainer(isObject: false)
        case UInt8(ascii: "t"): try literal("true", TapeKind.true)
        case UInt8(ascii: "f"): try literal("false", TapeKind.false)
        case UInt8(ascii: "n"): try literal("null", TapeKind.null)
        default: throw noValue()
        }
        return false
    }

    /// The error when no value begins at the cursor. `members` counts the missing value already.
    private func noValue() -> Fault {
        let isTrailing =
            open >= 0 && !openIsObject && members > 1 && text[cursor] == Byte.closeBracket
        return Fault(isTrailing ? .trailingComma : .expectedValue, at: cursor)
    }

    private mutating func openContainer(isObject: Bool) throws(Fault) -> Bool {
        guard depth < limits.depthMax else { throw Fault(.depthLimit, at: cursor) }
        if open >= 0 {
            entries[open].tag = (openIsObject ? TapeKind.object : TapeKind.array) | members &<< 3
        }
        let kind = isObject ? TapeKind.object : TapeKind.array
        let parent = open < 0 ? TapeEntry.noParent : UInt32(truncatingIfNeeded: open)
        try append(start: cursor, length: 0, link: parent, tag: kind)
        open = count &- 1
        openIsObject = isObject
        members = 0
        depth &+= 1
        cursor &+= 1
        skipWhitespace()
        guard cursor < end else { throw Fault(.unexpectedEnd, at: end) }
        if text[cursor] == (isObject ? Byte.closeBrace : Byte.closeBracket) {
            cursor &+= 1
            try close()
            return false
        }
        if isObject { try key(isFirst: true) }
        return true
    }

    /// Completes the open container; the cursor stands after its bracket.
    private mutating func close() throws(Fault) {
        let index = open
        if openIsObject, members > 1 {
            try refuseDuplicates(first: index &+ 1, names: Int(members))
        }
        let parent = entries[index].link
        let kind = openIsObject ? TapeKind.object : TapeKind.array
        let length = cursor &- Int(entries[index].start)
        entries[index].length = UInt32(truncatingIfNeeded: length)
        entries[index].tag = kind | members &<< 3
        entries[index].link = UInt32(truncatingIfNeeded: count)
        depth &-= 1
        guard parent != TapeEntry.noParent else {
            open = -1
            return
        }
        open = Int(parent)
        let tag = entries[open].tag
        openIsObject = tag & 7 == TapeKind.object
        members = tag &>> 3
    }

    /// Reads a name and its colon, up to the value.
    @inline(__always)
    private mutating func key(isFirst: Bool) throws(Fault) {
        guard cursor < end else { throw Fault(.unexpectedEnd, at: end) }
        guard text[cursor] == Byte.quote else {
            let isTrailing = !isFirst && text[cursor] == Byte.closeBrace
            throw Fault(isTrailing ? .trailingComma : .expectedKey, at: cursor)
        }
        try string()
        skipWhitespace()
        guard cursor < end else { throw Fault(.unexpectedEnd, at: end) }
        guard text[cursor] == Byte.colon else { throw Fault(.expectedColon, at: cursor) }
        cursor &+= 1
        skipWhitespace()
    }

    private mutating func literal(_ word: StaticString, _ kind: UInt32) throws(Fault) {
        let length = word.utf8CodeUnitCount
        for index in 0..<length {
            guard cursor &+ index < end else { throw Fault(.unexpectedEnd, at: end) }
            guard text[cursor &+ index] == word.utf8Start[index] else {
                throw Fault(.invalidLiteral, at: cursor &+ index)
            }
        }
        try append(start: cursor, length: length, link: 0, tag: kind)
        cursor &+= length
    }

    /// Moves over the four whitespace characters of RFC 8259, section 2.
    @inline(__always)
    mutating func skipWhitespace() {
        while cursor < end {
            let byte = text[cursor]
            if byte > Byte.space { return }
            guard
                byte == Byte.space || byte == Byte.lineFeed || byte == Byte.carriageReturn
                    || byte == Byte.tab
            else { return }
            cursor &+= 1
        }
    }

    /// Adds an entry. Positions and lengths have 29 bits: `JSONLimits` caps the text there.
    @inline(__always)
    mutating func append(start: Int, length: Int, link: UInt32, tag: UInt32) throws(Fault) {
        if count == capacity { try grow(at: start) }
        entries[count] = TapeEntry(
            start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length),
            link: link, tag: tag)
        count &+= 1
    }

    private mutating func grow(at offset: Int) throws(Fault) {
        guard capacity < limits.valuesMax else { throw Fault(.valuesLimit, at: offset) }
        let wanted = min(max(256, capacity &* 2), limits.valuesMax)
        guard storage.pointee.entries.grow(to: wanted) else {
            throw Fault(.outOfMemory, at: offset)
        }
        entries = storage.pointee.entries.base
        capacity = wanted
    }
}

// MARK: - A text of which the end is missing

extension JSONParser {
    /// Closes the root, an object, behind the last member that is whole or open.
    ///
    /// - Returns: where the open member goes on, when it is an array.
    mutating func seal() -> Int? {
        guard entries[0].kind == TapeKind.object else { return nil }
        var member = open
        var inner = count
        while member > 0, entries[member].link != 0 {
            inner = member
            member = Int(entries[member].link)
        }
        var next: Int?
        if member > 0, entries[member].kind == TapeKind.array {
            next = sealList(member, before: inner)
        } else if member > 0 {
            close(member, TapeKind.object, payload: 0, at: end)
            count = member &+ 1
            entries[member].link = UInt32(truncatingIfNeeded: count)
        }
        var names: UInt32 = 0
        var name = 1
        while name &+ 1 < count {
            names &+= 1
            name = nextName(after: name)
        }
        // A name alone is none.
        count = name
        close(0, TapeKind.object, payload: names, at: next ?? end)
        return next
    }

    /// Closes a list behind its last element that a comma follows.
    ///
    /// - Parameter inner: its element that is open; the number of entries when none is.
    /// - Returns: where the list goes on.
    private mutating func sealList(_ list: Int, before inner: Int) -> Int {
        var elements: UInt32 = 0
        var last = list
        var entry = list &+ 1
        while entry < inner {
            last = entry
            entry = entries[entry].isContainer ? Int(entries[entry].link) : entry &+ 1
            elements &+= 1
        }
        var next = Int(entries[list].start) &+ 1
        if inner < count {
            next = Int(entries[inner].start)
        } else if elements > 0 {
            next = Int(entries[last].start &+ entries[last].length)
            // White space alone stands before a comma.
            while next < end, text[next] != Byte.comma { next &+= 1 }
            if next < end {
                next &+= 1
            } else {
                next = Int(entries[last].start)
                elements &-= 1
                entry = last
            }
        }
        count = entry
        close(list, TapeKind.array, payload: elements, at: next)
        return next
    }

    private func close(_ container: Int, _ kind: UInt32, payload: UInt32, at end: Int) {
        entries[container].length = UInt32(truncatingIfNeeded: end) &- entries[container].start
        entries[container].tag = kind | payload &<< 3
        entries[container].link = UInt32(truncatingIfNeeded: count)
    }
}
