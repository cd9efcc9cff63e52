// Invariants of registrations, watches and the nodes above them.

extension Hierarchy {
    func checkWatchNodes() throws(InvariantError) {
        var below: [Int32: UInt64] = [:]
        var own: [Int32: UInt64] = [:]
        var used: [Int32] = []
        for index in parts.registrations.indices
        where parts.registrations[index].state == .alive {
            let registration = parts.registrations[index]
            own[registration.node, default: 0] |= registration.mask
            var node = registration.node
            while node >= 0 {
                below[node, default: 0] |= registration.mask
                node = parts.nodes.parent(of: node)
            }
        }
        for node in livingNodes + [0] {
            let watch = parts.nodes[node].watch
            guard let needed = below[node] else {
                try require(watch < 0, "\(name(node)) has a watch node and is not watched")
                continue
            }
            try require(watch >= 0, "\(name(node)) is not watched")
            let stored = parts.watches[watch]
            try require(!stored.flags.contains(.pending), "\(name(node)) was not compared")
            try require(stored.node == node, "\(name(node)): another's watch node")
            try require(needed & ~stored.below == 0, "\(name(node)) forgets watched traits")
            try require((own[node] ?? 0) & ~stored.own == 0, "\(name(node)) forgets its own")
            let mask =
                recordIndex(of: node) < 0 ? 0 : parts.records[recordIndex(of: node)].mask
            try require(stored.overrides == mask, "\(name(node)): an old copy of its mask")
            let parent = node == 0 ? -1 : parts.nodes[parts.nodes.parent(of: node)].watch
            try require(stored.parent == parent, "\(name(node)): watched from elsewhere")
            try checkFolding(watch)
            let first = stored.firstRegistration
            let only = first < 0 ? nil : parts.registrations[first]
            let isOnly = only.map { $0.next < 0 && $0.wide < 0 && !$0.isHidden } ?? false
            try require(
                stored.onlyOrder == (isOnly ? only?.order : 0)
                    && (!isOnly || stored.own == only?.mask),
                "\(name(node)): another only registration")
            used.append(watch)
        }
        let fault = parts.watches.fault(
            used: used, listedMax: sizes.listedChildrenMax, isSnapshot: isFrozen, ownTraits(of:))
        try require(fault == nil, fault ?? "")
    }

    /// A watch node with traits from 64 on below it has the flag `folded`.
    private func checkFolding(_ watch: Int32) throws(InvariantError) {
        let node = parts.watches[watch]
        var isFolded = false
        var index = node.firstRegistration
        while index >= 0 {
            if parts.registrations[index].wide >= 0 { isFolded = true }
            index = parts.registrations[index].next
        }
        let knows = node.flags.contains(.folded)
        try require(knows || !isFolded, "\(name(node.node)) forgets that it is folded")
        let parentKnows =
            node.parent < 0 || parts.watches[node.parent].flags.contains(.folded)
        try require(parentKnows || !knows, "\(name(node.node)) is folded below one that is not")
    }

    func checkRegistrations() throws(InvariantError) {
        let fault = parts.registrations.fault(isSnapshot: isFrozen)
        try require(fault == nil, fault ?? "")
        var registered: [Int32: Int32] = [:]
        var watched: [Int32: Int32] = [:]
        for index in parts.registrations.indices
        where parts.registrations[index].state == .alive {
            let registration = parts.registrations[index]
            try require(
                parts.nodes[registration.node].flags.isDisjoint(with: [.dead, .free]),
                "a registration on a dead node")
            for trait in parts.registrations.traits(of: index) {
                if registration.isWatch {
                    watched[Int32(trait.rawValue), default: 0] += 1
                } else {
                    registered[Int32(trait.rawValue), default: 0] += 1
                }
            }
            try require(isOnItsNode(index), "a registration is not on its node")
        }
        for trait in parts.traits.indices {
            try require(
                parts.traits[trait].watches == watched[Int32(trait)] ?? 0,
                "trait \(trait): watches miscounted")
            try require(
                parts.traits[trait].registrations == registered[Int32(trait)] ?? 0,
                "trait \(trait): registrations miscounted")
        }
    }

    private func isOnItsNode(_ index: Int32) -> Bool {
        var other = parts.watches[
            parts.nodes[parts.registrations[index].node].watch
        ].firstRegistration
        while other >= 0, other != index { other = parts.registrations[other].next }
        return other == index
    }
}
