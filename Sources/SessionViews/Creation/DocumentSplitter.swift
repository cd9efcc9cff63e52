// Collects a document as its bytes come, and has the tape read it in pieces, so that a document of a
// million nodes is read with memory for a few hundred of them.
//
// Documents as they are exported have settings and definitions before their nodes and are read at
// once. Any other one may have these behind its nodes and is collected whole; if it becomes too long
// for that, `cut` goes on from its nodes.

import JSONCodec
import TraitSessions

struct DocumentSplitter {
    enum Mode: Equatable {
        /// Before the first list, or not known yet to have one.
        case head
        /// In the lists.
        case lists
        /// A document that cannot be cut: `buffer` has all of it.
        case whole
        case over
    }

    /// Why a document that is being cut is refused.
    enum Refusal: Error {
        case json(JSONError, DocumentPiece)
        case syntax(String, TextPlace)
        case misplaced(String)
    }

    private let pieceBytes: Int
    private(set) var mode = Mode.head
    /// The text that is still to be read. In a list it begins with what makes it an object.
    private(set) var buffer: [UInt8] = []
    /// The bytes at the beginning of `buffer` that the document does not have there.
    private var addedBytes = 0
    /// Where the text in `buffer` begins in the document.
    private var place = TextPlace()
    /// The number of bytes from which on `buffer` is read.
    private var due: Int
    private var order: DocumentOrder
    /// The list that goes on, and whether a comma says that an element follows.
    private var list: DocumentList?
    private var needsElement = false
    /// Whether the nodes of a document come first among its lists.
    private var isCuttable = false

    /// - Parameter isCut: whether the nodes need no settings and definitions before them.
    init(pieceBytes: Int, isCut: Bool = false) {
        self.pieceBytes = pieceBytes
        due = pieceBytes
        order = DocumentOrder(isCut: isCut)
    }

    mutating func reserve(_ bytes: Int) { buffer.reserveCapacity(bytes) }

    /// Takes the next bytes. O(bytes): each is read twice on average, at most.
    ///
    /// - Parameter body: gets each piece; its JSON is valid in the call alone.
    mutating func feed<E: Error>(
        _ bytes: UnsafeRawBufferPointer, _ tape: JSONTape, refusal: (Refusal) -> E,
        _ body: (JSONValue, DocumentPiece) throws(E) -> Void
    ) throws(E) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if mode == .whole { return buffer.append(contentsOf: rest) }
            let count = mode == .over ? rest.count : max(1, due - buffer.count)
            buffer.append(contentsOf: rest.prefix(count))
            rest = rest.dropFirst(count)
            if mode == .over || buffer.count >= due { try read(tape, refusal: refusal, body) }
        }
    }

    /// Reads what is left of a document that is read in pieces.
    mutating func finish<E: Error>(
        _ tape: JSONTape, refusal: (Refusal) -> E,
        _ body: (JSONValue, DocumentPiece) throws(E) -> Void
    ) throws(E) {
        try read(tape, refusal: refusal, body)
        if mode == .over { return }
        place.advance(over: buffer[addedBytes...])
        throw refusal(.syntax("The document ends too early", place))
    }

    /// Goes on from the nodes of a document that is collected whole: further settings and definitions are
    /// refused from now on.
    ///
    /// - Returns: the document so far, which has to be fed again; nil for a document whose nodes do not come
    ///   first among its lists.
    mutating func cut() -> [UInt8]? {
        guard mode == .whole || mode == .head, isCuttable, !order.isCut else { return nil }
        let collected = buffer
        self = DocumentSplitter(pieceBytes: pieceBytes, isCut: true)
        return collected
    }

    // MARK: - Pieces

    /// Reads what is whole in the buffer.
    private mutating func read<E: Error>(
        _ tape: JSONTape, refusal: (Refusal) -> E,
        _ body: (JSONValue, DocumentPiece) throws(E) -> Void
    ) throws(E) {
        let first = buffer[addedBytes...].firstIndex { !Self.isSpace($0) }
        if mode == .over {
            place.advance(over: buffer[..<(first ?? buffer.count)])
            buffer.removeAll(keepingCapacity: true)
            if first == nil { return }
            throw refusal(.syntax("There is more behind the document's end", place))
        }
        // No element follows the comma. It is put back, so that the tape refuses the list.
        if needsElement, let first, buffer[first] == 0x5D { buffer.insert(0x2C, at: first) }
        let text = buffer
        due = max(pieceBytes, text.count * 2)
        var piece = DocumentPiece(list: list, place: place)
        piece.place.offset -= addedBytes
        piece.place.column -= addedBytes
        let start = piece
        func malformed(_ error: JSONError) -> E { refusal(.json(error, start)) }
        try tape.withBeginning(of: text, refusal: malformed) { beginning throws(E) in
            do throws(Refusal) {
                guard try takes(beginning) else { return }
            } catch {
                throw refusal(error)
            }
            if !beginning.isComplete { piece.open = order.last }
            try body(beginning.root, piece)
            advance(beginning, piece)
        }
    }

    /// Looks at the members of a piece. Returns whether it is to be read.
    private mutating func takes(_ beginning: JSONBeginning) throws(Refusal) -> Bool {
        var order = order
        for (number, (name, _)) in beginning.root.members.enumerated()
        where number > 0 || list == nil { try order.take(name.string) }
        let isReady = beginning.isComplete || beginning.end != nil
        if mode == .lists {
            if isReady { self.order = order }
            return isReady
        }
        isCuttable = order.first == .nodes
        if order.first == nil ? beginning.isComplete : !order.isOrdered { mode = .whole }
        guard mode == .head, order.first != nil, isReady else { return false }
        mode = .lists
        self.order = order
        return true
    }

    /// The piece was read.
    private mutating func advance(_ beginning: JSONBeginning, _ piece: DocumentPiece) {
        guard let end = beginning.end, let open = piece.open else {
            place.advance(over: buffer[addedBytes...])
            (mode, addedBytes, list) = (.over, 0, nil)
            return buffer.removeAll(keepingCapacity: true)
        }
        place.advance(over: buffer[addedBytes..<end])
        // Behind white space alone, a comma of the piece before still counts.
        if let last = buffer[addedBytes..<end].last(where: { !Self.isSpace($0) }) {
            needsElement = last == 0x2C
        }
        let opening = Array("{\"\(open.rawValue)\":[".utf8)
        buffer.replaceSubrange(..<end, with: opening)
        addedBytes = opening.count
        list = open
        due = max(pieceBytes, buffer.count >= pieceBytes / 2 ? buffer.count * 2 : 0)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

/// The order of a document's members. Lists follow each other in theirs, and nothing else comes behind the first
/// list, where settings and definitions stand before it.
struct DocumentOrder {
    private var seen: Set<String> = []
    private(set) var first: DocumentList?
    private(set) var last: DocumentList?
    /// Whether all members come before the nodes that an export has there.
    private(set) var isOrdered = false
    /// Whether the nodes come first in any case.
    let isCut: Bool

    init(isCut: Bool = false) { self.isCut = isCut }

    /// Members that every export has before its lists.
    private static let required: Set = [
        "format", "name", "propagation", "updates", "traits", "environmentKeys", "colors", "images",
    ]

    /// - Throws: that the member cannot stand here.
    mutating func take(_ name: String) throws(DocumentSplitter.Refusal) {
        guard let list = DocumentList(rawValue: name) else {
            if isOrdered { throw .misplaced(name) }
            seen.insert(name)
            return
        }
        if first == nil {
            first = list
            isOrdered = list == .nodes && (isCut || Self.required.isSubset(of: seen))
        } else if isOrdered, let last, last >= list {
            throw .misplaced(name)
        }
        last = list
    }
}
