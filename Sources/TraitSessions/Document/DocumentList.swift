// The lists of a document.

/// The lists of a document, in the order in which they are read.
package enum DocumentList: String, CaseIterable, Comparable {
    case nodes, frames, shown, registrations, scopes

    package var member: StaticString {
        switch self {
        case .nodes: "nodes"
        case .frames: "frames"
        case .shown: "shown"
        case .registrations: "registrations"
        case .scopes: "scopes"
        }
    }

    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }
}
