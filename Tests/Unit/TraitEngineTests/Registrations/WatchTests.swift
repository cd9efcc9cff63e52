// Registrations are part of the state, watches are not; both hear the same.

import Testing
import TraitEngine

@Suite struct WatchTests {
    @Test("Equal watches are one, counted, and make no commit")
    func sharing() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        let revision = tree.hierarchy.revision
        let first = try tree.hierarchy.addWatch(node: tree["leaf"], traits: [tree.theme])
        let second = try tree.hierarchy.addWatch(node: tree["leaf"], traits: [tree.theme])
        let other = try tree.hierarchy.addWatch(node: tree["leaf"], traits: [tree.style])
        #expect(first == second && first != other)
        #expect(tree.hierarchy.watchCount == 2 && tree.hierarchy.revision == revision)
        tree.hierarchy.removeWatch(first)
        let commit = try tree.commit { try tree.set("m", 1) }
        #expect(commit.notifications.map(\.registration) == [first])
        tree.hierarchy.removeWatch(second)
        try tree.hierarchy.checkInvariants()
        let silent = try tree.commit { try tree.set("m", 2) }
        #expect(silent.notifications.isEmpty)
        #expect(tree.hierarchy.watchCount == 1)
    }

    @Test("A watch survives undo, also that of its node's deletion")
    func undo() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        let revision = tree.hierarchy.revision
        try tree.pending { try tree.set("m", 1) }
        let watch = try tree.hierarchy.addWatch(node: tree["leaf"], traits: [tree.theme])
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        // The revision of the commit is the one at which the watch was made.
        let told = try tree.pending { try tree.set("m", 2) }
        #expect(told.revision == revision + 1)
        #expect(told.notifications.map(\.registration) == [watch])
        let ended = try tree.pending { tree.delete("leaf") }
        #expect(ended.endedRegistrations.map(\.registration) == [watch])
        #expect(ended.endedRegistrations.map(\.identifier) == [nil])
        #expect(tree.hierarchy.watchCount == 0)
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        let again = try tree.pending { try tree.set("m", 3) }
        #expect(again.notifications.map(\.registration) == [watch])
    }

    @Test("A watch that nobody wants any more does not come back")
    func removedWhileEnded() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        let watch = try tree.hierarchy.addWatch(node: tree["leaf"], traits: [tree.theme])
        try tree.pending { tree.delete("leaf") }
        tree.hierarchy.removeWatch(watch)
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        #expect(tree.hierarchy.watchCount == 0)
        let next = try tree.hierarchy.addWatch(node: tree["b"], traits: [tree.theme])
        #expect(next == watch, "the number is free again")
    }

    @Test("Taking back the creation of a watched node takes the watch, and says so")
    func undoneNode() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.pending { try tree.create("x", .view, "leaf") }
        let watch = try tree.hierarchy.addWatch(node: tree["x"], traits: [tree.theme])
        #expect(tree.hierarchy.undo() == [watch])
        try tree.hierarchy.checkInvariants()
        #expect(tree.hierarchy.watchCount == 0)
    }

    @Test("Empty and private lists are refused, whole system sets are not")
    func lists() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        let hierarchy = tree.hierarchy
        #expect(throws: OperationError.emptyTraitList) {
            try hierarchy.addWatch(node: tree["m"], traits: [])
        }
        #expect(throws: OperationError.self) {
            try hierarchy.addWatch(node: tree["m"], traits: TraitDefinitions.privateTraits)
        }
        let set = hierarchy.definitions.set(.systemTraitsAffectingColorAppearance)
        _ = try hierarchy.addWatch(node: tree["m"], traits: set)
        let commit = try tree.commit { try hierarchy.setOverride(tree["s"], tree.style, .int(1)) }
        #expect(commit.notifications.count == 1)
    }

    @Test("Registrations are found by name and listed in the order in which they were made")
    func listing() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { for name in ["c", "a", "d", "b"] { try tree.register(name, "m") } }
        let hierarchy = tree.hierarchy
        func names(_ list: [RegistrationIndex]) -> [String?] {
            list.map { hierarchy.registrationInfo($0).identifier }
        }
        #expect(names(hierarchy.registrations()) == ["c", "a", "d", "b"])
        let page = hierarchy.registrations(limit: 2)
        #expect(names(page) == ["c", "a"])
        #expect(names(hierarchy.registrations(after: page.last, limit: 5)) == ["d", "b"])
        #expect(names(hierarchy.registrations(of: tree["m"])) == ["c", "a", "d", "b"])
        #expect(throws: OperationError.registrationExists("d")) {
            try tree.commit { try tree.register("d", "leaf") }
        }
        let found = try #require(hierarchy.registration(named: "d"))
        let info = hierarchy.registrationInfo(found)
        #expect(info.node == tree["m"] && info.traits == [tree.theme])
        #expect(info.createdRevision == hierarchy.revision)
        let commit = try tree.pending {
            hierarchy.unregister(found)
            try tree.register("d", "leaf")
        }
        #expect(commit.endedRegistrations.map(\.reason) == [.unregistered])
        #expect(names(hierarchy.registrations()) == ["c", "a", "b", "d"])
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(names(hierarchy.registrations()) == ["c", "a", "d", "b"])
    }

    @Test("Watches go with a trait whose definition is undone, and its index is free for another")
    func undoneTrait() throws {
        let tree = try Fixture()
        let hierarchy = tree.hierarchy
        func define(_ key: String) throws -> TraitIndex {
            hierarchy.begin()
            let trait = try hierarchy.defineTrait(
                TraitDefinition(key: key, type: .bool, defaultValue: .bool(false)))
            _ = hierarchy.commit()
            return trait
        }
        try tree.makeWorkedTree()
        let first = try define("first")
        let both = try hierarchy.addWatch(node: tree["m"], traits: [first, tree.theme])
        let other = try hierarchy.addWatch(node: tree["m"], traits: [tree.theme])
        #expect(hierarchy.undo() == [both])
        try hierarchy.checkInvariants()
        #expect(try define("second") == first)
        try hierarchy.checkInvariants()
        #expect(hierarchy.watchCount == 1)
        hierarchy.removeWatch(other)
        #expect(hierarchy.watchCount == 0)
    }
}
