// Errors in documents that come in pieces: their place in the document, and what its author can do.

import JSONCodec
import TraitJSON
import TraitSessions

extension SessionError {
    /// A piece of a document that is no acceptable JSON: the place is that in the document.
    ///
    /// - Parameter list: the list that the piece is of, and how many elements came before.
    init(
        _ error: JSONError, in piece: DocumentPiece, _ list: (name: DocumentList, before: Int)?
    ) {
        self.init(error)
        let line = Int64(piece.place.line) + Int64(error.line) - 1
        // What opens a piece of a list is not in the document.
        let shift = error.line == 1 ? Int64(piece.place.column) - 1 : 0
        let column = Int64(error.column) + shift
        facts.removeAll { ["offset", "line", "column"].contains($0.name.description) }
        self = with("offset", Int64(piece.place.offset) + Int64(error.offset)).with("line", line)
            .with("column", column)
        if error.limit == nil {
            detail = "\(error.rule.capitalizedFirst) at line \(line), column \(column)."
        }
        guard let list, error.code != .trailingBytes else { return }
        let parts = (error.pointer ?? "/\(list.name)").split(separator: "/", maxSplits: 2)
        guard parts[0] == list.name.rawValue else { return }
        pointer = "/\(parts[0])"
        guard parts.count > 1, let index = Int(parts[1]) else { return }
        pointer = "/\(parts[0])/\(list.before + index)" + (parts.count > 2 ? "/\(parts[2])" : "")
    }
}
