// Cuts a document, as its bytes come, into the part before its lists and into pieces of its lists, so that
// a document of a million nodes is read with memory for a few hundred of them.
//
// It follows brackets, strings and commas alone; every piece is JSON by itself and read strictly by a
// tape, which is where syntax errors are found. Documents as they are exported have settings and definitions
// before their nodes and are cut at once. Any other one may have these behind its nodes and is collected whole; if it
// becomes too long for that, `cut` goes on from its nodes.

import TraitSessions

struct DocumentSplitter {
    enum Mode: Equatable {
        /// Before the first list, or not known yet to have one.
        case head
        case list(DocumentList)
        /// Between lists, or behind the last one.
        case between
        /// A document that cannot be cut: `buffer` has all of it.
        case whole
        case over
    }

    /// Why a document that is being cut is refused.
    struct Refusal: Error {
        enum Reason {
            case syntax(String)
            case misplaced(String)
        }

        let reason: Reason
        let place: TextPlace
    }

    /// Bytes of a piece of a list, about.
    static let pieceBytes = 65_536

    private(set) var mode = Mode.head
    /// The piece in the making, or the whole document.
    private(set) var buffer: [UInt8] = []
    private var place = TextPlace()
    private var bufferPlace = TextPlace()
    private var depth = 0
    private var inString = false
    private var isEscaped = false
    /// At the document's first level: whether the next string is a member's name.
    private var expectsName = false
    private var nameStart: Int?
    private var name: [UInt8] = []
    private var seen: Set<[UInt8]> = []
    /// In the head, where the comma before the last name stands.
    private var lastComma: Int?
    private var lastList: DocumentList?
    /// The last token at the first level: a member's name (`named`), its colon (`opened`), or another (`none`).
    private var member = Member.none
    private enum Member { case none, named, opened }
    /// In a list: whether a value came since the last comma, and whether one has to.
    private var hasValue = false
    private var needsValue = false

    /// The nodes of a document that is collected whole: where its head ends, and where they begin.
    private var nodes: (headEnd: Int, start: Int, place: TextPlace)?

    /// Members that every export has before its lists.
    private static let required = [
        "format", "name", "propagation", "updates", "traits", "environmentKeys", "colors", "images",
    ].map { Array($0.utf8) }

    mutating func reserve(_ bytes: Int) { buffer.reserveCapacity(bytes) }

    /// Takes the next bytes.
    ///
    /// - Parameter body: gets each piece that is complete; its bytes are in the call alone.
    mutating func feed<E: Error>(
        _ bytes: UnsafeRawBufferPointer,
        refusal: (Refusal) -> E,
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        var position = 0
        var runStart = 0
        while position < bytes.count {
            if mode == .whole {
                buffer.append(contentsOf: bytes[runStart...])
                return
            }
            let byte = bytes[position]
            // Most bytes are text, or inside of an element, and mean nothing here.
            if (inString && !isEscaped && byte != 0x22 && byte != 0x5C && byte != 0x0A)
                || (isInside && !inString && Self.isPlain(byte))
            {
                position += 1
                place.offset += 1
                place.column += byte & 0xC0 == 0x80 ? 0 : 1
                continue
            }
            // The bytes so far, without this one.
            append(bytes, runStart..<position)
            runStart = position + 1
            try take(byte, refusal: refusal, body)
            position += 1
            place.offset += 1
            place.column += byte & 0xC0 == 0x80 ? 0 : 1
            if byte == 0x0A {
                place.line += 1
                place.column = 1
            }
        }
        append(bytes, runStart..<bytes.count)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        if range.isEmpty || mode == .over { return }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }

    /// Where the text ends.
    var end: TextPlace { place }

    // MARK: - One byte

    private mutating func take<E: Error>(
        _ byte: UInt8, refusal: (Refusal) -> E,
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        switch mode {
        case .head: try takeInHead(byte, body)
        case .list(let list): try takeInList(byte, list, body)
        case .between:
            do throws(Refusal) { try takeBetween(byte) } catch { throw refusal(error) }
        case .whole: buffer.append(byte)
        case .over:
            if !Self.isSpace(byte) {
                throw refusal(
                    Refusal(
                        reason: .syntax("There is more behind the document's end"), place: place))
            }
        }
    }

    /// Whether the byte changes nothing inside of a list's element.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte != 0x22 && byte != 0x0A && byte | 0x20 != 0x7B && byte | 0x20 != 0x7D
    }

    /// Whether an element of a list is open.
    private var isInside = false

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Follows strings. Returns whether the byte belongs to one.
    private mutating func followString(_ byte: UInt8) -> Bool {
        if inString {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                inString = false
                if let start = nameStart {
                    name = Array(buffer[start...])
                    nameStart = nil
                    member = .named
                }
            }
            return true
        }
        guard byte == 0x22 else { return false }
        inString = true
        if depth == 1 {
            member = .none
            if expectsName { nameStart = buffer.count + 1 }
            expectsName = false
        }
        return true
    }

    private mutating func takeInHead<E: Error>(
        _ byte: UInt8, _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        if followString(byte) { return buffer.append(byte) }
        switch byte {
        case 0x7B, 0x5B:
            if depth == 0, byte == 0x5B { mode = .whole }
            if depth == 1, byte == 0x5B, member == .opened, let list = list(named: name) {
                return try beginLists(with: list, byte, body)
            }
            if depth == 1 { forgetMember() }
            depth += 1
            expectsName = depth == 1
        case 0x7D, 0x5D:
            depth -= 1
            // A document without lists, or no document at all.
            if depth <= 0 { mode = .whole }
        case 0x2C where depth == 1:
            expectsName = true
            seen.insert(name)
            lastComma = buffer.count
            member = .none
        case 0x3A where depth == 1:
            if expectsName { lastComma = nil }
            member = member == .named ? .opened : .none
        default:
            if Self.isSpace(byte) { break }
            if depth == 0 { mode = .whole }
            if depth == 1 { forgetMember() }
        }
        buffer.append(byte)
    }

    /// The member does not begin a list, so the head goes on.
    private mutating func forgetMember() {
        member = .none
        // Where a name has to stand, it must not be cut away with the comma before it.
        if expectsName { lastComma = nil }
    }

    private func list(named name: [UInt8]) -> DocumentList? {
        DocumentList.allCases.first { name.elementsEqual($0.rawValue.utf8) }
    }

    private mutating func beginLists<E: Error>(
        with list: DocumentList, _ byte: UInt8,
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        let isFirst = seen.isEmpty && buffer.filter { !Self.isSpace($0) } == Self.nodesFirst
        guard list == .nodes, let end = lastComma ?? (isFirst ? 0 : nil) else {
            mode = .whole
            return buffer.append(byte)
        }
        if Self.required.allSatisfy(seen.contains) {
            return try begin(list, behind: buffer[..<end], body)
        }
        mode = .whole
        buffer.append(byte)
        nodes = (end, buffer.count, place)
    }

    private static let nodesFirst = Array(#"{"nodes":"#.utf8)

    private mutating func begin<E: Error>(
        _ list: DocumentList, behind head: ArraySlice<UInt8>,
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        let head = Array(head.isEmpty ? [0x7B] : head) + [0x7D]
        try head.withBytes { bytes throws(E) in
            try body(DocumentPiece(part: .head, place: TextPlace()), bytes)
        }
        begin(list)
    }

    /// Goes on from the nodes of a document that is collected whole: further settings and definitions are refused
    /// from now on.
    ///
    /// - Returns: the bytes behind the bracket that opens the nodes, which have to be fed again; nil for a document
    ///   whose nodes do not come first among its lists.
    mutating func cut<E: Error>(
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) -> [UInt8]? {
        guard mode == .whole, let nodes else { return nil }
        let collected = buffer
        place = nodes.place
        try begin(.nodes, behind: collected[..<nodes.headEnd], body)
        place.offset += 1
        place.column += 1
        return Array(collected[nodes.start...])
    }

    // MARK: - Lists

    /// Begins a list at the bracket that opens it.
    private mutating func begin(_ list: DocumentList) {
        mode = .list(list)
        lastList = list
        name = []
        depth = 2
        expectsName = false
        needsValue = false
        beginPiece()
    }

    private mutating func beginPiece() {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(0x5B)
        bufferPlace = place
        hasValue = false
    }

    private mutating func takeInList<E: Error>(
        _ byte: UInt8, _ list: DocumentList,
        _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        if followString(byte) {
            hasValue = true
            return buffer.append(byte)
        }
        switch byte {
        case 0x7B, 0x5B:
            depth += 1
            isInside = true
            hasValue = true
        case 0x5D where depth == 2:
            // The comma has no value behind it. It is kept, so that the tape refuses the piece.
            if needsValue, !hasValue { buffer.append(0x2C) }
            buffer.append(byte)
            try emit(list, body)
            try body(DocumentPiece(part: .end(list), place: place), Self.nothing)
            buffer.removeAll(keepingCapacity: true)
            mode = .between
            depth = 1
            return
        case 0x7D, 0x5D:
            if depth > 2 {
                depth -= 1
                isInside = depth > 2
            } else {
                // A bracket that nothing opened.
                buffer.append(byte)
                return try emit(list, body)
            }
        case 0x2C where depth == 2:
            if hasValue, buffer.count >= Self.pieceBytes {
                buffer.append(0x5D)
                try emit(list, body)
                beginPiece()
                needsValue = true
                return
            }
            needsValue = true
            // Where no value came before the comma, the tape refuses the piece.
            hasValue = false
        default: if !Self.isSpace(byte) { hasValue = true }
        }
        buffer.append(byte)
    }

    private static var nothing: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private mutating func emit<E: Error>(
        _ list: DocumentList, _ body: (DocumentPiece, UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        let piece = DocumentPiece(part: .elements(list), place: bufferPlace)
        try buffer.withBytes { bytes throws(E) in try body(piece, bytes) }
    }

    // MARK: - Between lists

    private mutating func takeBetween(_ byte: UInt8) throws(Refusal) {
        if inString || (byte == 0x22 && expectsName) {
            _ = followString(byte)
            return buffer.append(byte)
        }
        if Self.isSpace(byte) { return }
        switch byte {
        case 0x2C where !expectsName && name.isEmpty:
            expectsName = true
            buffer.removeAll(keepingCapacity: true)
        case 0x3A where member == .named: member = .opened
        case 0x5B where member == .opened:
            guard let list = list(named: name) else { throw misplaced() }
            guard let lastList, lastList < list else { throw misplaced() }
            begin(list)
        case 0x7D where !expectsName && name.isEmpty:
            depth = 0
            mode = .over
        default:
            if member == .opened { throw misplaced() }
            throw Refusal(
                reason: .syntax("A comma or the end of the document is expected here"),
                place: place)
        }
    }

    private func misplaced() -> Refusal {
        Refusal(reason: .misplaced(String(decoding: name.prefix(140), as: UTF8.self)), place: place)
    }
}
