// A node that is brought up to date and shows what it showed leaves the nodes below it alone, also
// when what it shows was replaced and put back above it in the meantime.

import Testing

@testable import TraitEngine

@Suite struct EqualFrameTests {
    private let hierarchy = Hierarchy(updates: .layout, hashSeed: 7)
    private var trait: TraitIndex { hierarchy.definitions.index(of: "userInterfaceStyle")! }

    private func commit(_ change: () throws -> Void) rethrows {
        hierarchy.begin()
        try change()
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
    }

    /// Updates the node and what it inherits from.
    private func update(_ name: String) throws {
        let update = hierarchy.startUpdate(of: self[name], climbs: true)
        while try update.next() != nil {}
    }

    private subscript(name: String) -> NodeIndex { hierarchy.node(name)! }

    /// scene ▸ middle ▸ leaf, and beside these scene ▸ other; `own` sets something at the middle.
    private func make(own: Bool) throws {
        try commit {
            let scene = try hierarchy.createNode("scene", kind: .windowScene)
            let middle = try hierarchy.createNode("middle", kind: .environment, parent: scene)
            _ = try hierarchy.createNode("leaf", kind: .environment, parent: middle)
            _ = try hierarchy.createNode("side", kind: .environment, parent: middle)
            _ = try hierarchy.createNode("other", kind: .environment, parent: scene)
            let language = hierarchy.definitions.index(of: "typesettingLanguage")!
            try hierarchy.setOverride(scene, language, .string("de"))
            if own { try hierarchy.setOverride(middle, language, .string("fr")) }
            hierarchy.updateTraits()
        }
    }

    @Test("Replaced and put back above, it makes no node below pending", arguments: [false, true])
    func putBack(_ own: Bool) throws {
        try make(own: own)
        try commit { try hierarchy.setOverride(self["scene"], trait, .int(2)) }
        try update("other")
        commit { hierarchy.removeOverride(self["scene"], trait) }
        try update("other")
        #expect(hierarchy.state(of: self["leaf"]) == .pending)
        let frames = hierarchy.layout?.nodes.frameCount
        try update("side")
        for node in ["middle", "leaf", "side"] {
            #expect(hierarchy.state(of: self[node]) == .current, "\(node)")
        }
        #expect(hierarchy.layout?.nodes.frameCount == frames)
        try hierarchy.checkInvariants()
    }
}
