// The pieces into which a document is cut, and places in its text.

import TraitSessions

/// A part of a document, which is an object: settings, definitions and lists, of which the first and the last
/// may be incomplete.
struct DocumentPiece {
    /// The list that the piece goes on with; nil for the beginning of a document.
    let list: DocumentList?
    /// The list that goes on behind the piece; nil at the document's end.
    var open: DocumentList?
    /// Where the piece begins in the document. What makes it an object is not there, and stands before it.
    var place: TextPlace
}

/// A place in a text.
struct TextPlace: Equatable {
    var offset = 0
    var line = 1
    /// From 1 on, in Unicode scalars.
    var column = 1

    /// Moves behind some text. O(bytes).
    mutating func advance(over text: ArraySlice<UInt8>) {
        offset += text.count
        for byte in text {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
