// Where in a document a fault stands: its line and column, and the node or registration that has it. A pointer
// alone says little in a document of twelve thousand nodes.

import JSONCodec
import TraitJSON
import TraitSessions

/// A document, its head, or a piece of one of its lists.
package struct DocumentPlaces {
    private let root: JSONValue
    /// Where the text of `root` begins in the document.
    private let start: TextPlace
    /// The list that the text is a piece of, and how many elements came before the piece.
    private let list: (name: DocumentList, before: Int)?

    package init(_ document: JSONValue) {
        self.init(document, start: TextPlace(), list: nil)
    }

    init(_ root: JSONValue, start: TextPlace, list: (name: DocumentList, before: Int)?) {
        self.root = root
        self.start = start
        self.list = list
    }

    /// The error and its further faults, each with `line`, `column` and the `id` of the element.
    package func placing(_ error: SessionError) -> SessionError {
        var placed = error
        placed.others = error.others.map(placing)
        guard let pointer = error.pointer, !error.facts.contains(where: { "\($0.name)" == "line" }),
            let value = value(at: pointer.pointerTokens)
        else { return placed }
        let place = value.place
        placed = placed.with("line", Int64(start.line + place.line - 1)).with(
            "column", Int64(place.column + (place.line == 1 ? start.column - 1 : 0)))
        guard let id = id(at: pointer) else { return placed }
        return placed.with("id", id)
    }

    /// The identifier of the element of a list in which the pointer ends.
    package func id(at pointer: String) -> String? {
        let tokens = pointer.pointerTokens
        guard tokens.count > 1, DocumentList(rawValue: tokens[0]) != nil, Int(tokens[1]) != nil,
            let element = value(at: Array(tokens.prefix(2)))
        else { return nil }
        let name = element.member("id") ?? element.member("node")
        return name?.string?.prefix(bytesMax: 140)
    }

    private func value(at tokens: [String]) -> JSONValue? {
        guard let list, tokens.count > 1, tokens[0] == list.name.rawValue,
            let index = Int(tokens[1])
        else { return root.nearest(to: tokens) }
        return root.member(list.name.member)?.element(at: index - list.before)?
            .nearest(to: tokens.dropFirst(2))
    }
}
