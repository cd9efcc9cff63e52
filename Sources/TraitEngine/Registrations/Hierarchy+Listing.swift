// Finding and listing registrations.

extension Hierarchy {
    /// The registration of that name. O(length of the name) expected.
    public func registration(named identifier: UnsafeRawBufferPointer) -> RegistrationIndex? {
        if !isIndexed { makeIndices() }
        let registrations = registrations.reader
        return registrationNames.find(identifier) { registrations[$0].state == .alive }
            .map(RegistrationIndex.init)
    }

    /// The same for a string.
    public func registration(named identifier: String) -> RegistrationIndex? {
        var identifier = identifier
        return identifier.withUTF8 { registration(named: UnsafeRawBufferPointer($0)) }
    }

    /// Whether a registration or watch is there. No is also the answer for one that ended with a
    /// commit that may still be undone. O(1).
    package func isAlive(_ registration: RegistrationIndex) -> Bool {
        registrations[registration.rawValue].state == .alive
    }

    /// What a registration is. O(traits, and colours and images that it names).
    public func registrationInfo(_ registration: RegistrationIndex) -> RegistrationInfo {
        let index = registration.rawValue
        let stored = registrations[index]
        let ask = dynamicAsks[stored.dynamics]
        return RegistrationInfo(
            index: registration,
            identifier: stored.isWatch ? nil : registrationNames.string(of: index),
            node: NodeIndex(rawValue: stored.node), traits: watchedTraits(index),
            colors: ask?.colors ?? [], images: ask?.images ?? [],
            createdRevision: stored.createdRevision)
    }

    /// Registrations (no watches) in the order in which they were made, behind one of them or
    /// from the first. O(answered).
    public func registrations(
        after: RegistrationIndex? = nil, limit: Int = .max
    ) -> [RegistrationIndex] {
        var list: [RegistrationIndex] = []
        var index = after.map { registrations[$0.rawValue].laterRegistration } ?? firstRegistration
        while index >= 0, list.count < limit {
            list.append(RegistrationIndex(rawValue: index))
            index = registrations[index].laterRegistration
        }
        return list
    }

    /// The registrations on one node, without watches, in the order in which they were made.
    /// O(m log m) for m of them, watches included.
    public func registrations(of node: NodeIndex) -> [RegistrationIndex] {
        let watch = links[node.rawValue].watch
        guard watch >= 0 else { return [] }
        var list: [Int32] = []
        var index = watchNodes[watch].firstRegistration
        while index >= 0 {
            if !registrations[index].isWatch, !registrations[index].isHidden {
                list.append(index)
            }
            index = registrations[index].next
        }
        list.sort { registrations[$0].order < registrations[$1].order }
        return list.map(RegistrationIndex.init)
    }
}
