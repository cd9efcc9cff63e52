// Guarantees for callers that take an update step by step: when a level is done,
// how an update without end ends, and what it costs to bring one child after the other up to date.

import Testing

@testable import TraitEngine

@Suite struct StepwiseUpdateTests {
    @Test("A level ends after its last step and before anything deeper takes its collection")
    func levels() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.register("r", "a") }
        try tree.write("s", 1)
        let update = tree.hierarchy.startUpdate()
        var events: [String] = []
        update.levelEnded = { depth in
            let shown = PlacementTests.names.filter { tree.value($0) == 1 }
            events.append("\(depth): \(shown.joined(separator: " "))")
        }
        while let step = try update.next() {
            let event =
                switch step.reason {
                case .environment: ""
                case .registration: " calls"
                case .notified: " has called"
                }
            #expect(
                step.hasRegistrations
                    == (tree.hierarchy.identifier(of: step.node) == "a" && event == ""))
            events.append(tree.hierarchy.identifier(of: step.node) + event)
        }
        #expect(
            events == [
                "0: s", "w", "1: s w", "A", "2: s w A", "a", "a calls", "a has called",
                "3: s w A a", "m", "4: s w A a m", "B", "5: s w A a m B", "b", "6: s w A a m B b",
                "leaf", "7: s w A a m B b leaf",
            ])
    }

    @Test("What is written as a level ends, deeper down, is taken up in the same pass")
    func writing() throws {
        let tree = try Fixture.layout()
        try tree.commit { for node in ["A", "b"] { try tree.register("r-\(node)", node) } }
        try tree.write("s", 1)
        let update = tree.hierarchy.startUpdate()
        var calls: [String] = []
        update.levelEnded = { depth in
            if depth != 2 { return }
            tree.hierarchy.begin()
            #expect(throws: Never.self) { try tree.set("b", 5) }
            _ = tree.hierarchy.commit()
            tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        }
        while let step = try update.next() {
            guard case .registration = step.reason else { continue }
            let value = Fixture.print(step.current[tree.theme])
            calls.append("\(tree.hierarchy.identifier(of: step.node)):\(value)")
        }
        #expect(calls == ["A:1", "b:5"])
        try tree.hierarchy.checkInvariants()
    }

    @Test("An update that is cancelled as a level ends goes no deeper, and what waits stays marked")
    func cancelling() throws {
        let tree = try Fixture.layout()
        try tree.write("s", 1)
        let update = tree.hierarchy.startUpdate()
        update.levelEnded = { [unowned update] depth in if depth == 2 { update.cancel() } }
        var count = 0
        while try update.next() != nil { count += 1 }
        #expect(count == 2 && tree.value("A") == 1 && tree.value("a") == 0)
        #expect(tree.hierarchy.state(of: tree["a"]) == .pending)
        try tree.update()
        #expect(tree.value("leaf") == 1)
    }

    @Test("What is below a node that a handler moved deeper is still taken up in the same pass")
    func movingDeeper() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.create("sibling", .view, "a")
            try tree.create("x", .view, "m")
            try tree.create("child", .view, "x")
            try tree.create("beside", .view, "m")
            // Two levels below the child, one when that is moved.
            for (name, parent) in [("1", "a"), ("2", "1"), ("3", "2"), ("4", "3"), ("other", "4")] {
                try tree.create(name, .view, parent)
            }
            for node in ["x", "child", "other"] { try tree.register(node, node) }
        }
        try tree.update()
        try tree.write("x", 1)
        try tree.write("other", 2)
        let calls = try tree.update(
            nil,
            [
                "x": { _ in
                    try tree.commit { try tree.move("m", "sibling") }
                    // Now nothing above x waits any more, and x shows what it showed.
                    try tree.update("beside", climbs: true)
                }
            ])
        #expect(calls == ["x:0>1", "child:0>1", "other:0>2"])
    }

    @Test("An update goes on below its node, which a handler moved deeper, before anything else")
    func movingTargetDeeper() throws {
        let tree = try Fixture.layout(.legacy)
        try tree.commit {
            // The controller inherits from another one, though its view is below x.
            try tree.create("controller", .viewController, "A")
            try tree.create("sibling", .view, "a")
            try tree.create("above", .view, "a")
            try tree.create("beside", .view, "above")
            try tree.create("x", .view, "above")
            try tree.create("child", .view, "x")
            try tree.create("view", .view, "child", controller: "controller")
            for node in ["x", "child", "view"] { try tree.register(node, node) }
        }
        try tree.update()
        try tree.write("x", 1)
        try tree.write("controller", 2)
        let calls = try tree.update(
            "x",
            [
                "x": { _ in
                    try tree.commit { try tree.move("above", "sibling") }
                    try tree.update("beside", climbs: true)
                }
            ])
        #expect(calls == ["x:0>1", "child:0>1", "view:0>2"])
    }

    @Test("A legacy update does not follow a controller that a handler moved out of its subtree")
    func controllerMovedAway() throws {
        let tree = try Fixture.layout(.legacy)
        try tree.commit {
            try tree.create("aside", .viewController, "A")
            try tree.create("x", .viewController, "A")
            try tree.create("controller", .viewController, "x")
            for node in ["x", "controller"] { try tree.register(node, node) }
            try tree.set("aside", 2)
        }
        try tree.update()
        try tree.write("A", 1)
        let calls = try tree.update(
            "x", ["x": { _ in try tree.commit { try tree.move("controller", "aside") } }])
        #expect(calls == ["x:0>1"])
        #expect(try tree.update() == ["controller:0>2"])
    }

    @Test("Handlers that never settle end in an error with the last pass's changes")
    func loop() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.create("other", .view, "a")
            try tree.register("r", "m")
        }
        try tree.update()
        try tree.write("m", 1)
        var next: Int64 = 1
        do {
            try tree.update(
                nil,
                [
                    "r": { _ in
                        next += 1
                        try tree.write("m", next)
                    }
                ])
            Issue.record("it came to rest")
        } catch let error as TraitUpdateLoop {
            #expect(error.passes == TraitUpdate.passesMax)
            let names = error.changes.map { tree.hierarchy.identifier(of: $0.node) }
            #expect(names.first == "m" && !names.contains("other"))
            #expect(error.changes.allSatisfy { $0.traits == [tree.theme] })
        }
        #expect(next == Int64(TraitUpdate.passesMax) + 1)
        #expect(tree.hierarchy.state(of: tree["m"]) == .pending)
        try tree.hierarchy.checkInvariants()
        #expect(try tree.update() == ["r:\(next - 1)>\(next)"])
    }

    @Test("Two handlers that undo each other's work are a loop, too, and one that gives in is not")
    func pingPong() throws {
        let tree = try Fixture.layout()
        try tree.commit { for node in ["A", "m"] { try tree.register("r-\(node)", node) } }
        try tree.write("A", 1)
        #expect(throws: TraitUpdateLoop.self) {
            try tree.update(
                nil,
                [
                    "r-m": { step in
                        try tree.write("A", step.current[tree.theme] == .int(1) ? 2 : 1)
                    }
                ])
        }
        try tree.update()
        var calls = 0
        try tree.write("A", 7)
        try tree.update(
            nil,
            [
                "r-m": { _ in
                    calls += 1
                    if calls < TraitUpdate.passesMax { try tree.write("A", Int64(100 + calls)) }
                }
            ])
        #expect(calls == TraitUpdate.passesMax && !tree.hierarchy.needsUpdate)
    }

    @Test("Updating the children of a wide parent one by one looks at each of them a few times")
    func wideParent() throws {
        let tree = try Fixture.layout()
        let count = 3_000
        tree.hierarchy.begin()
        for number in 0..<count { try tree.create("v\(number)", .view, "w") }
        _ = tree.hierarchy.commit()
        tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        let layout = try #require(tree.hierarchy.layout)
        var order = Array(0..<count)
        for isShuffled in [false, true] {
            try tree.update()
            try tree.write("w", isShuffled ? 1 : 2)
            var random = SystemRandomNumberGenerator()
            if isShuffled { order.shuffle(using: &random) }
            let before = layout.caches.lookedAtChildren
            for number in order {
                tree.hierarchy.begin()
                tree.hierarchy.updateTraits(of: tree["v\(number)"])
                _ = tree.hierarchy.commit()
                tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
            }
            #expect(layout.caches.lookedAtChildren - before <= 6 * count)
            #expect(!order.contains { tree.value("v\($0)") != (isShuffled ? 1 : 2) })
            try tree.hierarchy.checkInvariants()
        }
    }

    @Test("A child that comes back by undoing is waited for, however far the search had come")
    func comesBack() throws {
        let tree = try Fixture.layout()
        try tree.commit { for number in 0..<4 { try tree.create("v\(number)", .view, "w") } }
        try tree.update()
        try tree.write("w", 1)
        for name in ["v1", "v2"] { try tree.update(name) }
        tree.hierarchy.begin()
        tree.delete("v0")
        tree.hierarchy.updateTraits(of: tree["v2"])
        tree.hierarchy.updateTraits(of: tree["v3"])
        tree.hierarchy.rollback()
        try tree.hierarchy.checkInvariants()
        try tree.update()
        #expect(tree.value("v0") == 1 && tree.value("v3") == 1)
    }

    @Test("What a handler takes out of what is attached is not updated with it, level or no level")
    func leavesAttached() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.create("x1", .view)
            try tree.create("x2", .view, "x1")
            try tree.create("n", .view, "a")
            try tree.register("r", "a")
        }
        try tree.update()
        try tree.write("s", 1)
        try tree.write("x2", 5)
        // Below `x2` everything has the depth that it had below `w`. The inner update brings all
        // of it up to date but `n`.
        let steps = try steps(of: tree.hierarchy.startUpdate(), in: tree) {
            try tree.commit { try tree.move("a", "x2") }
            try tree.update("m", climbs: true)
        }
        #expect(steps == ["w", "A", "a", "a calls"])
        #expect(tree.value("m") == 5 && tree.value("n") == 0)
        try tree.hierarchy.checkInvariants()
    }

    @Test("A new node in the place of one on the way to an update's target is not taken for it")
    func isReplaced() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.register("r", "a") }
        try tree.update()
        try tree.write("s", 1)
        let update = tree.hierarchy.startUpdate(of: tree["leaf"], climbs: true)
        let steps = try steps(of: update, in: tree) {
            try tree.commit { tree.delete("m") }
            while tree.hierarchy.reclaimSlice() {}
            try tree.commit {
                for number in 0..<4 { try tree.create("z\(number)", .view, "a") }
            }
        }
        #expect(steps == ["w", "A", "a", "a calls"])
        #expect(!(0..<4).contains { tree.value("z\($0)") != 0 })
        try tree.hierarchy.checkInvariants()
    }

    @Test("A controller below which nobody waits is not gone to for the sake of an old mark")
    func staleMark() throws {
        let tree = try Fixture.layout(.legacy)
        try tree.commit {
            tree.delete("leaf")
            try tree.register("first", "m")
            try tree.register("last", "b")
        }
        try tree.update()
        // Cut short when the last of those below the controller `B` has taken its collection.
        try tree.write("w", 1)
        let cut = tree.hierarchy.startUpdate()
        while let step = try cut.next(), step.node != tree["b"] {}
        cut.cancel()
        #expect(tree.value("m") == 1 && tree.value("b") == 1)
        try tree.write("m", 7)
        // The view `b` in `a` inherits from its controller, which is gone to after `a`; but only
        // by a pass that begins when it waits.
        let steps = try steps(of: tree.hierarchy.startUpdate(of: tree["a"]), in: tree) {
            try tree.write("w", 2)
        }
        #expect(steps == ["m", "m calls", "A", "a", "B", "b", "b calls"])
        try tree.hierarchy.checkInvariants()
    }

    @Test("What another update brought down and left waiting is updated before what is below it")
    func disturbedFromAbove() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.register("r", "b") }
        try tree.commit { try tree.hierarchy.setOverride(tree["s"], tree.style, .int(2)) }
        try tree.write("b", 1)
        // The update begins below what waits at the scene, which another one brings down to `A`.
        let steps = try steps(of: tree.hierarchy.startUpdate(of: tree["A"]), in: tree) {
            let other = tree.hierarchy.startUpdate()
            while let step = try other.next(), step.node != tree["A"] {}
            other.cancel()
        }
        #expect(steps == ["b", "b calls", "a", "m", "B", "b", "leaf"])
        try tree.hierarchy.checkInvariants()
    }

    /// The steps of an update; at its first call the handler runs.
    private func steps(
        of update: TraitUpdate, in tree: Fixture, _ handler: () throws -> Void
    ) throws -> [String] {
        var steps: [String] = []
        while let step = try update.next() {
            if step.reason == .notified { continue }
            let isCall = step.reason != .environment
            steps.append(tree.hierarchy.identifier(of: step.node) + (isCall ? " calls" : ""))
            if isCall { try handler() }
        }
        return steps
    }
}
