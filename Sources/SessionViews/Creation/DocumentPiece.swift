// The pieces into which a document is cut, and places in its text.

import TraitSessions

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

/// A place in a text.
struct TextPlace: Equatable {
    var offset = 0
    var line = 1
    /// From 1 on, in Unicode scalars.
    var column = 1
}
