// Finding and listing registrations.

extension Hierarchy {
    /// The registration of that name. O(length of the name) expected.
    public func registration(named identifier: UnsafeRawBufferPointer) -> RegistrationIndex? {
        if !isIndexed { makeIndices() }
        return parts.registrations.find(identifier).map(RegistrationIndex.init)
    }

    /// The registration of that name. O(length of the name) expected.
    public func registration(named identifier: String) -> RegistrationIndex? {
        var identifier = identifier
        return identifier.withUTF8 { registration(named: UnsafeRawBufferPointer($0)) }
    }

    /// Whether a registration or watch is there. No is also the answer for one that ended with a
    /// commit that may still be undone. O(1).
    package func isAlive(_ registration: RegistrationIndex) -> Bool {
        parts.registrations[registration.rawValue].state == .alive
    }

    /// Describes a registration. O(traits, and colours and images that it names).
    public func registrationInfo(_ registration: RegistrationIndex) -> RegistrationInfo {
        let index = registration.rawValue
        let stored = parts.registrations[index]
        let ask = parts.dynamics[stored.dynamics]
        return RegistrationInfo(
            index: registration,
            identifier: stored.isWatch ? nil : parts.registrations.name(of: index),
            node: NodeIndex(rawValue: stored.node), traits: parts.registrations.traits(of: index),
            colors: ask?.colors ?? [], images: ask?.images ?? [],
            createdRevision: stored.createdRevision)
    }

    /// Registrations (no watches) in the order in which they were made, behind one of them or
    /// from the first. O(answered).
    public func registrations(
        after: RegistrationIndex? = nil, limit: Int = .max
    ) -> [RegistrationIndex] {
        var list: [RegistrationIndex] = []
        var index =
            after.map { parts.registrations[$0.rawValue].laterRegistration }
            ?? parts.registrations.first
        while index >= 0, list.count < limit {
            list.append(RegistrationIndex(rawValue: index))
            index = parts.registrations[index].laterRegistration
        }
        return list
    }

    /// The registrations on one node, without watches, in the order in which they were made; nil when the node has
    /// more than `countMax` registrations and watches. O(m log m) for m of them.
    package func registrations(
        of node: NodeIndex, atMost countMax: Int
    ) -> [RegistrationIndex]? {
        let watch = parts.nodes[node.rawValue].watch
        var index = watch < 0 ? -1 : parts.watches[watch].firstRegistration
        var count = 0
        while index >= 0 {
            count += 1
            if count > countMax { return nil }
            index = parts.registrations[index].next
        }
        return registrations(of: node)
    }

    /// The registrations on one node, without watches, in the order in which they were made.
    /// O(m log m) for m of them, watches included.
    public func registrations(of node: NodeIndex) -> [RegistrationIndex] {
        var list: [Int32] = []
        forEachRegistration(of: node.rawValue) { index in
            if !parts.registrations[index].isWatch, !parts.registrations[index].isHidden {
                list.append(index)
            }
        }
        list.sort { parts.registrations[$0].order < parts.registrations[$1].order }
        return list.map(RegistrationIndex.init)
    }
}

/// A registration or watch, as it was made.
public struct RegistrationInfo: Hashable, Sendable {
    public let index: RegistrationIndex
    /// Nil for a watch.
    public let identifier: String?
    public let node: NodeIndex
    public let traits: TraitSet
    /// The colours that it names.
    public let colors: [String]
    /// The images that it names.
    public let images: [String]
    /// The revision of the commit that made it; for a watch the revision at which it was made.
    public let createdRevision: Int64
}
