// What must hold for registrations, watches and the nodes above them.

extension Hierarchy {
    func checkWatchNodes() throws(InvariantError) {
        var below: [Int32: UInt64] = [:]
        var own: [Int32: UInt64] = [:]
        for index in 0..<Int32(registrations.count) where registrations[index].state == .alive {
            let registration = registrations[index]
            own[registration.node, default: 0] |= registration.mask
            var node = registration.node
            while node >= 0 {
                below[node, default: 0] |= registration.mask
                node = hot[node].parent
            }
        }
        for node in livingNodes + [0] {
            let watch = links[node].watch
            guard let needed = below[node] else {
                try require(watch < 0, "\(name(node)) is watched by nobody")
                continue
            }
            try require(watch >= 0, "\(name(node)) is not watched")
            let stored = watchNodes[watch]
            try require(!stored.isPending, "\(name(node)) was not compared")
            try require(stored.node == node, "\(name(node)): another's watch node")
            try require(needed & ~stored.below == 0, "\(name(node)) forgets watched traits")
            try require((own[node] ?? 0) & ~stored.own == 0, "\(name(node)) forgets its own")
            let mask = hot[node].record < 0 ? 0 : records[hot[node].record].mask
            try require(stored.overrides == mask, "\(name(node)): an old copy of its mask")
            let parent = node == 0 ? -1 : links[hot[node].parent].watch
            try require(stored.parent == parent, "\(name(node)): watched from elsewhere")
            try checkWatchChildren(watch)
        }
        var free = 0
        var watch = freeWatchNode
        while watch >= 0 {
            free += 1
            watch = watchNodes[watch].next
        }
        try require(free + below.count == watchNodes.count, "watch nodes leaked")
    }

    private func checkWatchChildren(_ watch: Int32) throws(InvariantError) {
        var child = watchNodes[watch].first
        var previous: Int32 = -1
        while child >= 0 {
            try require(
                watchNodes[child].parent == watch && watchNodes[child].previous == previous,
                "\(name(watchNodes[watch].node)): broken list of watched children")
            let below = watchNodes[child].below
            try require(
                below & ~watchNodes[watch].below == 0,
                "\(name(watchNodes[watch].node)) knows less than a child")
            previous = child
            child = watchNodes[child].next
        }
    }

    func checkRegistrations() throws(InvariantError) {
        var watches: [Int32] = []
        var named = 0
        var alive = 0
        var counts: [Int32: Int32] = [:]
        for index in 0..<Int32(registrations.count) where registrations[index].state != .free {
            let registration = registrations[index]
            if !registration.isWatch { named += 1 }
            if registration.state != .alive { continue }
            try require(
                links[registration.node].flags.isDisjoint(with: [.dead, .free]),
                "a registration on a dead node")
            for trait in watchedTraits(index) { counts[Int32(trait.rawValue), default: 0] += 1 }
            if registration.isWatch { watches.append(index) } else { alive += 1 }
            try require(isOnItsNode(index), "a registration is not on its node")
        }
        try require(named == registrationNames.count, "names of registrations leaked")
        try require(alive == registrationCount, "\(alive) registrations counted wrongly")
        try require(
            watches.count == watchCount && watchIndex.count == watchCount, "watches miscounted")
        for watch in watches {
            try require(watchIndex[watchKey(watch)] == watch, "a watch is not found")
        }
        for trait in 0..<Int32(traits.count) {
            try require(
                traits[trait].watches == counts[trait] ?? 0, "trait \(trait): watches miscounted")
        }
        try checkRegistrationOrder(alive)
    }

    private func isOnItsNode(_ index: Int32) -> Bool {
        var other = watchNodes[links[registrations[index].node].watch].firstRegistration
        while other >= 0, other != index { other = registrations[other].next }
        return other == index
    }

    private func checkRegistrationOrder(_ count: Int) throws(InvariantError) {
        var listed = 0
        var index = firstRegistration
        var last: Int32 = -1
        while index >= 0 {
            let registration = registrations[index]
            try require(registration.state == .alive, "an ended registration is listed")
            try require(registration.earlierRegistration == last, "registrations out of line")
            if last >= 0 {
                try require(
                    registrations[last].order < registration.order, "registrations out of order")
            }
            let found = registrationNames.withBytes(of: index) { self.registration(named: $0) }
            try require(found?.rawValue == index, "a registration is not found by its name")
            listed += 1
            last = index
            index = registration.laterRegistration
        }
        try require(listed == count && last == lastRegistration, "registrations are lost")
    }
}
