// What must hold for registrations, watches and the nodes above them.

extension Hierarchy {
    func checkWatchNodes() throws(InvariantError) {
        var below: [Int32: UInt64] = [:]
        var own: [Int32: UInt64] = [:]
        var groups = 0
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
            try require(!stored.flags.contains(.pending), "\(name(node)) was not compared")
            try require(stored.node == node, "\(name(node)): another's watch node")
            try require(needed & ~stored.below == 0, "\(name(node)) forgets watched traits")
            try require((own[node] ?? 0) & ~stored.own == 0, "\(name(node)) forgets its own")
            let mask = recordIndex(of: node) < 0 ? 0 : records[recordIndex(of: node)].mask
            try require(stored.overrides == mask, "\(name(node)): an old copy of its mask")
            let parent = node == 0 ? -1 : links[hot[node].parent].watch
            try require(stored.parent == parent, "\(name(node)): watched from elsewhere")
            try checkFolding(watch)
            try checkOnlyRegistration(stored)
            // A frozen hierarchy tells nobody: it has no groups.
            if !stored.flags.contains(.grouped) {
                try checkWatchChildren(watch)
            } else if !isFrozen {
                groups += try checkWatchGroups(watch)
            }
        }
        var free = 0
        var watch = freeWatchNode
        while watch >= 0 {
            free += 1
            watch = watchNodes[watch].next
        }
        try require(free + below.count == watchNodes.count, "watch nodes leaked")
        try require(
            groups + watchGroups.freeCount == watchGroups.groupCount, "watch groups leaked")
    }

    private func checkOnlyRegistration(_ watch: WatchNode) throws(InvariantError) {
        var expected: UInt64 = 0
        if watch.firstRegistration >= 0 {
            let first = registrations[watch.firstRegistration]
            if first.next < 0, first.wide < 0, !first.isHidden {
                expected = first.order
                try require(watch.own == first.mask, "\(name(watch.node)): another own mask")
            }
        }
        try require(
            watch.onlyOrder == expected, "\(name(watch.node)): another only registration")
    }

    private func checkWatchChildren(_ watch: Int32) throws(InvariantError) {
        var child = watchNodes[watch].first
        var previous: Int32 = -1
        var count = 0
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
            count += 1
        }
        try require(
            count == watchNodes[watch].childCount && count <= sizes.listedChildrenMax,
            "\(name(watchNodes[watch].node)): \(count) watched children in a list")
    }

    /// Answers how many groups the tree has.
    private func checkWatchGroups(_ watch: Int32) throws(InvariantError) -> Int {
        let parent = watchNodes[watch]
        let name = name(parent.node)
        let children = watchGroups.children(of: parent.first, count: parent.childCount)
        try require(
            children.count == parent.childCount
                && parent.childCount > sizes.listedChildrenMax / 2,
            "\(name): \(children.count) watched children in groups, \(parent.childCount) counted")
        let broken = watchGroups.brokenSlot(of: parent.first, count: parent.childCount)
        try require(broken == nil, "\(name): a group lies")
        let hidden = watchGroups.hidden(in: parent.first)
        for child in children {
            let node = watchNodes[child]
            let asked = askedOfParent(child)
            try require(
                node.parent == watch && watchGroups.mask(node.next) == asked.mask,
                "\(self.name(node.node)): its group asks for something else")
            try require(asked.hidden & ~hidden == 0, "\(self.name(node.node)) hides secretly")
            try require(node.below & ~parent.below == 0, "\(name) knows less than a child")
        }
        return WatchGroups.groupCount(parent.childCount)
    }

    /// Whoever watches traits from 64 on is known as such by all above.
    private func checkFolding(_ watch: Int32) throws(InvariantError) {
        let node = watchNodes[watch]
        var isFolded = false
        var index = node.firstRegistration
        while index >= 0 {
            if registrations[index].wide >= 0 { isFolded = true }
            index = registrations[index].next
        }
        let knows = node.flags.contains(.folded)
        try require(knows || !isFolded, "\(name(node.node)) forgets that it is folded")
        let parentKnows = node.parent < 0 || watchNodes[node.parent].flags.contains(.folded)
        try require(parentKnows || !knows, "\(name(node.node)) is folded below one that is not")
    }

    func checkRegistrations() throws(InvariantError) {
        var watches: [Int32] = []
        var named = 0
        var alive = 0
        var registered: [Int32: Int32] = [:]
        var watched: [Int32: Int32] = [:]
        for index in 0..<Int32(registrations.count) where registrations[index].state != .free {
            let registration = registrations[index]
            if !registration.isWatch, !registration.isHidden { named += 1 }
            if registration.state != .alive { continue }
            try require(
                links[registration.node].flags.isDisjoint(with: [.dead, .free]),
                "a registration on a dead node")
            for trait in watchedTraits(index) {
                if registration.isWatch {
                    watched[Int32(trait.rawValue), default: 0] += 1
                } else {
                    registered[Int32(trait.rawValue), default: 0] += 1
                }
            }
            if registration.isWatch {
                watches.append(index)
            } else if !registration.isHidden {
                alive += 1
            }
            try require(isOnItsNode(index), "a registration is not on its node")
        }
        try require(named == registrationNames.count, "names of registrations leaked")
        try require(alive == registrationCount, "\(alive) registrations counted wrongly")
        try require(
            watches.count == watchCount && (isFrozen || watchIndex.count == watchCount),
            "watches miscounted")
        for watch in watches where !isFrozen {
            let traits = watchedTraits(watch)
            let found = findWatch(registrations[watch].node, traits, watchHash(watch))
            try require(found == watch, "a watch is not found")
        }
        for trait in 0..<Int32(traits.count) {
            try require(
                traits[trait].watches == watched[trait] ?? 0, "trait \(trait): watches miscounted")
            try require(
                traits[trait].registrations == registered[trait] ?? 0,
                "trait \(trait): registrations miscounted")
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
