// When a registration is called, with what, and in which order.

import Testing
import TraitEngine

@Suite struct RegistrationRuleTests {
    @Test("A change of other traits alone calls no handler, but a call has all that changed")
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
}
