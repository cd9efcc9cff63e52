// When a registration is called, with what, and in which order.

import Testing
import TraitEngine

@Suite struct RegistrationRuleTests {
    @Test("Other traits are nobody's business, but all that changed is told")
    func otherTraits() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.register("r", "leaf") }
        func setStyle(_ raw: Int64) throws {
            try tree.commit { try tree.hierarchy.setOverride(tree["w"], tree.style, .int(raw)) }
        }
        try setStyle(1)
        #expect(try tree.update().isEmpty)
        try setStyle(2)
        try tree.write("m", 1)
        let calls = try tree.update(
            nil,
            [
                "r": { step in
                    let styles = [step.previous, step.current].map { $0[tree.style] }
                    #expect(styles == [.int(1), .int(2)])
                    #expect(step.changed == [tree.theme, tree.style])
                }
            ])
        #expect(calls == ["r:0>1"])
    }

    @Test("Several registered traits that change in one update are one call")
    func severalTraits() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            _ = try tree.hierarchy.register(
                "r", node: tree["leaf"], traits: [tree.theme, tree.style])
            try tree.set("w", 1)
            try tree.hierarchy.setOverride(tree["b"], tree.style, .int(2))
        }
        #expect(try tree.update() == ["r:0>1"])
    }

    @Test("Set and restored before an update is no call; two updates before a layout are two")
    func coalescing() throws {
        let tree = try Fixture.layout()
        try tree.commit { try tree.register("r", "leaf") }
        try tree.write("w", 1)
        try tree.commit { tree.remove("w") }
        #expect(try tree.update().isEmpty)
        for value in 1...2 as ClosedRange<Int64> {
            try tree.write("w", value)
            #expect(try tree.update("w") == ["r:\(value - 1)>\(value)"])
        }
    }

    @Test(
        "Each write to a window or controller is an update of its own: set and restored, two calls")
    func writes() throws {
        let tree = try Fixture.layout()
        for name in ["w", "B"] {
            try tree.commit { try tree.register(name, name) }
            #expect(try tree.write(name, 1) == ["\(name):0>1"])
            #expect(try tree.write(name, 1).isEmpty)
            #expect(try tree.write(name, nil) == ["\(name):1>0"])
            #expect(try tree.update().isEmpty)
        }
    }

    @Test("A controller is called before its view, on one environment whoever registered first")
    func order() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for (name, node) in [("v1", "b"), ("v2", "b"), ("c1", "B"), ("v3", "b"), ("c2", "B")] {
                try tree.register(name, node)
            }
            try tree.set("s", 1)
        }
        #expect(try tree.update() == ["c1:0>1", "c2:0>1", "v1:0>1", "v2:0>1", "v3:0>1"])
    }

    @Test("While a parent's handler runs its children show what they showed")
    func childrenLater() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for name in ["m", "B", "leaf"] { try tree.register(name, name) }
            try tree.set("w", 1)
        }
        func others(_ own: String, _ below: [String]) -> Fixture.Handler {
            { _ in
                #expect(tree.value(own) == 1)
                for name in below { #expect(tree.value(name) == 0, "\(name) during \(own)") }
            }
        }
        let calls = try tree.update(
            nil,
            [
                "m": others("m", ["B", "b", "leaf"]), "B": others("B", ["b", "leaf"]),
                "leaf": others("leaf", []),
            ])
        #expect(calls == ["m:0>1", "B:0>1", "leaf:0>1"])
    }

    @Test("A detached environment's registrations are silent until it is attached or updated")
    func detached() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("r", "leaf")
            try tree.move("m", nil)
        }
        #expect(try tree.update().isEmpty)
        try tree.write("leaf", 1)
        #expect(try tree.update().isEmpty)
        #expect(try tree.update("leaf") == ["r:0>1"])
        try tree.write("leaf", 2)
        try tree.commit { try tree.move("m", "w") }
        #expect(try tree.update() == ["r:1>2"])
    }

    @Test("A registration that a handler makes or ends is not called for the running update")
    func changedMeanwhile() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for name in ["first", "second"] { try tree.register(name, "m") }
            try tree.set("w", 1)
        }
        let handler: Fixture.Handler = { _ in
            try tree.commit {
                let second = try #require(tree.hierarchy.registration(named: "second"))
                tree.hierarchy.unregister(second)
                try tree.register("third", "m")
                try tree.register("below", "leaf")
            }
        }
        #expect(try tree.update(nil, ["first": handler]) == ["first:0>1"])
        try tree.write("w", 2)
        #expect(try tree.update() == ["first:1>2", "third:1>2", "below:1>2"])
    }

    @Test("A registration that a handler makes waits for the next update, not for the next pass")
    func madeBeforeAnotherPass() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("first", "m")
            try tree.set("m", 1)
        }
        let handler: Fixture.Handler = { step in
            guard step.current[tree.theme] == .int(1) else { return }
            try tree.commit {
                for (name, node) in [("second", "m"), ("above", "A"), ("below", "leaf")] {
                    try tree.register(name, node)
                }
                try tree.set("A", 4)
                try tree.set("m", 5)
            }
        }
        #expect(try tree.update(nil, ["first": handler]) == ["first:0>1", "first:1>5"])
        #expect(tree.value("A") == 4 && tree.value("leaf") == 5)
        #expect(try tree.write("A", 6) == ["above:4>6"])
        try tree.write("m", 7)
        #expect(try tree.update() == ["first:5>7", "second:5>7", "below:5>7"])
    }

    @Test("An update that a handler runs calls a registration that the handler has made")
    func madeBeforeNestedUpdate() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("first", "m")
            try tree.set("m", 1)
        }
        var nested: [String] = []
        let handler: Fixture.Handler = { step in
            guard step.current[tree.theme] == .int(1) else { return }
            try tree.commit {
                try tree.register("below", "leaf")
                try tree.set("b", 3)
            }
            nested = try tree.update("b")
            try tree.write("b", 4)
        }
        #expect(try tree.update(nil, ["first": handler]) == ["first:0>1"])
        #expect(nested == ["below:0>3"] && tree.value("leaf") == 4)
    }

    @Test("What a handler writes below is taken up in the pass, what it writes above in another")
    func writing() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for name in ["A", "b"] { try tree.register(name, name) }
            try tree.set("w", 1)
        }
        let below = try tree.update(nil, ["A": { _ in try tree.write("b", 10) }])
        #expect(below == ["A:0>1", "b:0>10"])
        try tree.write("b", 11)
        let above = try tree.update(nil, ["b": { _ in try tree.write("w", 2) }])
        #expect(above == ["b:10>11", "A:1>2"])
        #expect(!tree.hierarchy.needsUpdate)
    }

    @Test("Handlers that never come to rest are stopped after sixteen passes")
    func loop() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("r", "m")
            try tree.set("m", 1)
        }
        var calls: Int64 = 0
        let handler: Fixture.Handler = { _ in
            calls += 1
            try tree.write("m", calls + 1)
        }
        let loop = try #require(throws: TraitUpdateLoop.self) {
            try tree.update(nil, ["r": handler])
        }
        #expect(loop.passes == 16 && calls == 16)
        #expect(loop.changes.contains { $0.node == tree["m"] && $0.traits == [tree.theme] })
        #expect(tree.hierarchy.needsUpdate, "what is marked stays so")
        #expect(try tree.update() == ["r:16>17"])
    }

    @Test("A handler may update a child: that is not called again in the pass")
    func nested() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for name in ["A", "leaf"] { try tree.register(name, name) }
            try tree.set("w", 1)
        }
        var inner: [String] = []
        let outer = try tree.update(nil, ["A": { _ in inner = try tree.update("a") }])
        #expect(inner == ["leaf:0>1"] && outer == ["A:0>1"])
    }

    @Test("Moved from one parent to an equal one a registration is not called")
    func equalParents() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.register("r", "leaf")
            try tree.create("v", .view, "w")
            try tree.set("w", 1)
        }
        #expect(try tree.update() == ["r:0>1"])
        try tree.commit { try tree.move("b", "v") }
        #expect(try tree.update().isEmpty)
    }
}
