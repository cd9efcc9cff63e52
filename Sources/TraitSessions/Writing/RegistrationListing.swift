// A page of the list of registrations. A page visits a bounded number of registrations, however few
// of them it shows.

import JSONCodec
import TraitEngine

/// Whether a list writes a registration, skips it, or ends before it.
package enum RegistrationVisit {
    case write, skip, stop
}

extension SessionState {
    /// Registrations of one node that are sorted for a page: about a millisecond.
    private static let sortedMax = 10_000

    /// Writes registrations into the open array, in the order in which they were made. O(visited), and O(m log m) for
    /// those of one node.
    ///
    /// - Parameters:
    ///   - node: only those of this node; nil for all. Where it has very many, those of other nodes are visited too.
    ///   - after: the last registration of the page before; nil for the first page.
    ///   - visit: gets the identifier, the label, and the number of bytes written.
    /// - Returns: the last visited identifier when there is another page; nil at the end of the
    ///   list.
    package func writeRegistrations(
        of node: NodeIndex?, after: RegistrationIndex?, visitsMax: Int,
        into writer: inout JSONWriter,
        _ visit: (String, String?, Int) -> RegistrationVisit
    ) -> String? {
        let found: ArraySlice<RegistrationIndex>
        if let node, let own = hierarchy.registrations(of: node, atMost: Self.sortedMax) {
            let start = after.flatMap { own.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            found = own[start...].prefix(visitsMax + 1)
        } else {
            found = hierarchy.registrations(after: after, limit: visitsMax + 1)[...]
        }
        var last: String?
        for registration in found.prefix(visitsMax) {
            let info = hierarchy.registrationInfo(registration)
            let id = info.identifier ?? ""
            if let node, info.node != node {
                last = id
                continue
            }
            switch visit(id, note(of: info)?.label, writer.count) {
            case .stop: return last
            case .write: write(registration, into: &writer)
            case .skip: break
            }
            last = id
        }
        return found.count > visitsMax ? last : nil
    }
}
