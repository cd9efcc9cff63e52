// Which registrations a comparison keeps.

import TraitEngine
import TraitSessions

extension SessionComparison {
    /// Finds the registrations that stay. Returns whether there are more to visit.
    func findListeners() -> Bool {
        if !listsA {
            let isOver = !visitRegistrations(of: b) { info in
                registrationOrdinals[info.identifier ?? ""] = registrationOrdinals.count
            }
            if isOver {
                listsA = true
                lastRegistration = nil
            }
            return true
        }
        return visitRegistrations(of: a) { info in
            let id = info.identifier ?? ""
            guard lastRegistrationOrdinal < .max, let ordinal = registrationOrdinals[id],
                ordinal > lastRegistrationOrdinal, isKept(info, id)
            else {
                // Registrations are notified in the order in which they were made, so all
                // registrations behind one that is made again are made again, too.
                lastRegistrationOrdinal = .max
                return
            }
            lastRegistrationOrdinal = ordinal
            keptRegistrations.insert(id)
        }
    }

    private func isKept(_ info: RegistrationInfo, _ id: String) -> Bool {
        guard let index = b.hierarchy.registration(named: id) else { return false }
        let other = b.hierarchy.registrationInfo(index)
        guard let node = counterpart(info.node), node == other.node,
            a.note(of: info)?.label == b.note(of: other)?.label,
            a.note(of: info)?.ttl == b.note(of: other)?.ttl,
            Set(info.colors) == Set(other.colors), Set(info.images) == Set(other.images)
        else { return false }
        // A named set was expanded when the registration was made: the same names mean the same.
        let asked = a.note(of: info)?.asked
        let keys = keys(of: other.traits, b)
        return
            (asked != nil && asked?.digest == b.note(of: other)?.asked?.digest
            || keys == self.keys(of: info.traits, a)) && keys.isDisjoint(with: definitions.traits)
            && definitions.colors.isDisjoint(with: other.colors)
            && definitions.images.isDisjoint(with: other.images)
    }

    func keys(of traits: TraitSet, _ session: SessionState) -> Set<String> {
        Set(traits.map { session.hierarchy.definitions[$0].key })
    }
}
