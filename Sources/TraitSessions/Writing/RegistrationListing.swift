// A page of the list of registrations. A page visits a bounded number of registrations, however few
// of them it shows.

import JSONCodec
import TraitEngine

/// Whether a list writes a registration, skips it, or ends before it.
package enum RegistrationVisit {
    case write, skip, stop
}

extension SessionState {
    /// Writes registrations into the open array, in the order in which they were made. O(visited).
    ///
    /// - Parameters:
    ///   - after: the last registration of the page before; nil for the first page.
    ///   - visit: gets the identifier, the label, and the number of bytes written.
    /// - Returns: the last visited identifier when there is another page; nil at the end of the
    ///   list.
    package func writeRegistrations(
        after: RegistrationIndex?, visitsMax: Int, into writer: inout JSONWriter,
        _ visit: (String, String?, Int) -> RegistrationVisit
    ) -> String? {
        let found = hierarchy.registrations(after: after, limit: visitsMax + 1)
        var last: String?
        for registration in found.prefix(visitsMax) {
            let info = hierarchy.registrationInfo(registration)
            let id = info.identifier ?? ""
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
