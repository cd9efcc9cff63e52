// Which registrations a comparison keeps.

import TraitEngine
import TraitSessions

extension SessionComparison {
    func note(_ info: RegistrationInfo) {
        registrationOrdinals[info.identifier ?? ""] = registrationOrdinals.count
    }

    /// Notes a registration of `a` that stays.
    func findKept(_ info: RegistrationInfo) {
        let id = info.identifier ?? ""
        if madeOrder.keeps(registrationOrdinals[id].flatMap { isKept(info, id) ? $0 : nil }) {
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
