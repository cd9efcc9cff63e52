// Large walks: whoever listens is found in whatever order the watch nodes were made, once each,
// and traits that no registration observes any more are dropped.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct WalkingTests {
    @Test("Many who began to listen in any order hear once each, by depth and then by registration")
    func anyOrder() throws {
        let seed: UInt64 = 11
        var random = SeededRandom(seed: seed)
        let tree = try Fixture()
        let count = 1_500
        var depths = [0]
        try tree.commit {
            try tree.create("n0", .environment)
            for number in 1..<count {
                // Lists of a few children, some of many, and some long ways down.
                let parent = Int.random(in: max(0, number - 40)..<number, using: &random)
                try tree.create("n\(number)", .view, "n\(parent)")
                depths.append(depths[parent] + 1)
            }
        }
        let places =
            (0..<count).shuffled(using: &random)
            + (0..<count).filter { $0 % 5 == 0 }.shuffled(using: &random)
        try tree.commit {
            for (order, place) in places.enumerated() {
                let traits: TraitSet = order % 3 == 0 ? [tree.theme, tree.style] : [tree.theme]
                _ = try tree.hierarchy.register(
                    "r\(order)", node: tree["n\(place)"], traits: traits)
            }
        }
        // Half of those that share their node go, so that others are alone again.
        try tree.commit {
            for order in count..<places.count where order % 2 == 0 {
                let registration = try #require(tree.hierarchy.registration(named: "r\(order)"))
                tree.hierarchy.unregister(registration)
            }
        }
        let expected = places.indices.filter { $0 < count || $0 % 2 == 1 }
            .sorted { (depths[places[$0]], $0) < (depths[places[$1]], $1) }.map { "r\($0):0>1" }
        #expect(tree.told(try tree.commit { try tree.set("n0", 1) }) == expected, "seed \(seed)")
    }

    @Test("Each walk forgets a level of what nobody watches any more")
    func forgets() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.register("theme", "leaf")
            _ = try tree.hierarchy.register("style", node: tree["leaf"], traits: [tree.style])
        }
        try tree.commit { try tree.set("s", 1) }
        let all = tree.hierarchy.visitedWatchNodes
        #expect(all == 8)
        try tree.commit {
            let theme = try #require(tree.hierarchy.registration(named: "theme"))
            tree.hierarchy.unregister(theme)
        }
        for walk in 0..<all {
            #expect(try tree.commit { try tree.set("s", 2 + Int64(walk)) }.notifications.isEmpty)
            #expect(tree.hierarchy.visitedWatchNodes == all - walk)
        }
    }
}
