// The pieces into which a document is cut, and places in its text.

/// A part of a document. Its bytes are valid until the splitter gets more.
struct DocumentPiece {
    enum Part: Equatable {
        /// An object with the members before the first list.
        case head
        /// An array with some elements of a list, in their order.
        case elements(DocumentList)
        /// The end of a list.
        case end(DocumentList)
    }

    let part: Part
    /// Where the piece begins in the document, from 0; a bracket that is not there does not count.
    let place: TextPlace
}

/// The lists of a document, in the order in which they are read.
enum DocumentList: String, CaseIterable, Comparable {
    case nodes, frames, shown, registrations, scopes

    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}

/// A place in a text.
struct TextPlace: Equatable {
    var offset = 0
    var line = 1
    /// From 1 on, in Unicode scalars.
    var column = 1
}
