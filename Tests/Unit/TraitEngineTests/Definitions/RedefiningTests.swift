// Changing a definition: values, defaults and digests, and the way back.

import Testing
import TraitEngine

@Suite struct RedefiningTests {
    private static let number = TraitDefinition(
        key: "number", type: .int, isNullable: true, defaultValue: .int(1))

    /// `a` sets the trait, `b` inherits the default; `lone` is detached and keeps a value.
    private static func make(_ updates: UpdateMode) throws -> Hierarchy {
        let hierarchy = Hierarchy(updates: updates, hashSeed: 3)
        try hierarchy.commit {
            let trait = try $0.defineTrait(number)
            for (name, kind, parent) in [
                ("scene", NodeKind.windowScene, nil), ("window", .window, "scene"),
                ("a", .view, "window"), ("b", .view, "window"), ("c", .view, "a"),
                ("lone", .view, "a"),
            ] {
                let above = try parent.map(hierarchy.find)
                _ = try $0.createNode(name, kind: kind, parent: above)
            }
            try $0.setOverride($0.find("a"), trait, .int(7))
            try $0.setSupplied($0.find("a"), trait, .int(8))
            for name in ["a", "b", "c"] {
                _ = try $0.register(
                    name, node: $0.find(name), traits: [trait], colors: [], images: [])
            }
        }
        if updates == .layout { try hierarchy.commit { $0.updateTraits() } }
        try hierarchy.commit { try $0.updateNode($0.find("lone"), parent: .clear) }
        return hierarchy
    }

    private static func json(_ value: TraitValue) -> TraitValue? {
        switch value {
        case .int(let number): .json("\(number)")
        case .null: .null
        default: nil
        }
    }

    private static let toJSON = TraitDefinition(
        key: "number", type: .json, defaultValue: .json("[2]"))

    @Test(
        "Converted values read and hash as those of a hierarchy that began with the type",
        arguments: [UpdateMode.immediate, .layout])
    func digest(_ updates: UpdateMode) throws {
        let hierarchy = try Self.make(updates)
        let before = hierarchy.digest
        hierarchy.begin()
        try hierarchy.redefineTrait(
            hierarchy.trait("number"), as: Self.toJSON, converting: Self.json)
        let commit = hierarchy.commit()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == hierarchy.recomputedDigest())
        let trait = try hierarchy.trait("number")
        #expect(hierarchy.value(of: trait, at: try hierarchy.find("c")) == .json("7"))
        #expect(hierarchy.value(of: trait, at: try hierarchy.find("lone")) == .json("7"))
        #expect(hierarchy.value(of: trait, at: try hierarchy.find("b")) == .json("[2]"))
        // Only where the default was is another value.
        #expect(commit.notifications.count == 1)
        let change = try #require(commit.changes(of: commit.notifications[0]).first)
        #expect(change.previous == .json("1") && change.current == .json("[2]"))
        #expect(change.source == .default)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == before && hierarchy.recomputedDigest() == before)
        #expect(hierarchy.value(of: trait, at: try hierarchy.find("c")) == .int(7))
    }

    @Test(
        "Values and definitions that change in one transaction are compared across the types",
        arguments: [UpdateMode.immediate, .layout])
    func together(_ updates: UpdateMode) throws {
        let hierarchy = try Self.make(updates)
        let trait = try hierarchy.trait("number")
        hierarchy.begin()
        try hierarchy.setOverride(hierarchy.find("a"), trait, .int(9))
        try hierarchy.redefineTrait(trait, as: Self.toJSON, converting: Self.json)
        try hierarchy.setOverride(hierarchy.find("a"), trait, .json("7"))
        try hierarchy.setOverride(hierarchy.find("b"), trait, .json("1"))
        if updates == .layout { hierarchy.updateTraits() }
        let commit = hierarchy.commit()
        try hierarchy.checkInvariants()
        // Both show what they did: 7, and the former default.
        #expect(commit.notifications.isEmpty && !commit.isUnchanged)
        hierarchy.acknowledge(through: hierarchy.revision)
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == hierarchy.recomputedDigest())
    }

    @Test(
        "Values that are set behind a conversion are taken back with it",
        arguments: [UpdateMode.immediate, .layout], [false, true])
    func taken(_ updates: UpdateMode, isTwice: Bool) throws {
        let hierarchy = try Self.make(updates)
        let trait = try hierarchy.trait("number")
        let before = hierarchy.digest
        hierarchy.begin()
        try hierarchy.setOverride(hierarchy.find("a"), trait, .int(9))
        _ = try hierarchy.createNode("new", kind: .view, parent: hierarchy.find("window"))
        if isTwice {
            let text = TraitDefinition(key: "number", type: .string, defaultValue: .string("1"))
            try hierarchy.redefineTrait(trait, as: text) { .string("\($0)") }
            try hierarchy.setOverride(hierarchy.find("new"), trait, .string("another text"))
        }
        try hierarchy.redefineTrait(trait, as: Self.toJSON) {
            if case .string(let text) = $0 { return .json("[\"\(text)\"]") }
            return Self.json($0)
        }
        for name in ["a", "new", "scene"] {
            try hierarchy.setOverride(hierarchy.find(name), trait, .json("[\"\(name)\"]"))
        }
        if updates == .layout { hierarchy.updateTraits() }
        _ = hierarchy.commit()
        try hierarchy.checkInvariants()
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == before && hierarchy.recomputedDigest() == before)
        #expect(hierarchy.value(of: trait, at: try hierarchy.find("c")) == .int(7))
    }

    @Test("A definition that is as before the transaction is no commit")
    func nothing() throws {
        let hierarchy = try Self.make(.immediate)
        let trait = try hierarchy.trait("number")
        hierarchy.begin()
        let other = TraitDefinition(
            key: "number", name: "N", type: .int, isNullable: true, defaultValue: .int(4))
        try hierarchy.redefineTrait(trait, as: other) { $0 }
        try hierarchy.redefineTrait(trait, as: Self.number) { $0 }
        let commit = hierarchy.commit()
        #expect(commit.isUnchanged)
        try hierarchy.checkInvariants()
    }

    @Test("Unacknowledged commits before and after a conversion are undone and freed in order")
    func chain() throws {
        for undone in 0...4 {
            let hierarchy = try Self.make(.immediate)
            let trait = try hierarchy.trait("number")
            hierarchy.acknowledge(through: hierarchy.revision)
            var digests = [hierarchy.digest]
            let steps: [(Hierarchy) throws -> Void] = [
                { try $0.setOverride($0.find("a"), trait, .int(11)) },
                {
                    let plain = TraitDefinition(
                        key: "number", type: .double, defaultValue: .double(2))
                    try $0.redefineTrait(trait, as: plain) { value in
                        if case .int(let number) = value { return .double(Double(number)) }
                        return nil
                    }
                },
                { try $0.setOverride($0.find("a"), trait, .double(0.5)) },
                { try $0.deleteNode($0.find("c")) },
            ]
            for step in steps {
                try hierarchy.commit(step)
                try hierarchy.checkInvariants()
                digests.append(hierarchy.digest)
            }
            for _ in 0..<undone {
                hierarchy.undo()
                try hierarchy.checkInvariants()
            }
            #expect(hierarchy.digest == digests[4 - undone], "\(undone)")
            hierarchy.acknowledge(through: hierarchy.revision)
            try hierarchy.checkInvariants()
            #expect(hierarchy.digest == hierarchy.recomputedDigest(), "\(undone)")
        }
    }

    @Test(
        "Two conversions of one transaction are undone",
        arguments: [UpdateMode.immediate, .layout])
    func twice(_ updates: UpdateMode) throws {
        let hierarchy = try Self.make(updates)
        let trait = try hierarchy.trait("number")
        let (digest, revision) = (hierarchy.digest, hierarchy.revision)
        let double = TraitDefinition(
            key: "number", type: .double, isNullable: true, defaultValue: .double(1))
        func change() throws {
            hierarchy.begin()
            try hierarchy.redefineTrait(trait, as: double) { value in
                if case .int(let number) = value { return .double(Double(number)) }
                return nil
            }
            try hierarchy.redefineTrait(trait, as: Self.toJSON) { value in
                if case .double(let number) = value { return .json("\(number)") }
                return nil
            }
        }
        for isCommit in [false, true] {
            try change()
            if isCommit {
                _ = hierarchy.commit()
                try hierarchy.checkInvariants()
                hierarchy.undo()
            } else {
                hierarchy.rollback()
            }
            try hierarchy.checkInvariants()
            #expect(hierarchy.digest == digest && hierarchy.recomputedDigest() == digest)
            #expect(hierarchy.value(of: trait, at: try hierarchy.find("c")) == .int(7))
            #expect(hierarchy.value(of: trait, at: try hierarchy.find("lone")) == .int(7))
        }
        try change()
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: revision + 1)
        try hierarchy.checkInvariants()
    }

    @Test("Frames that no node shows any more keep their values when others take a field")
    func staleFrames() throws {
        let hierarchy = Hierarchy(updates: .layout, hashSeed: 3)
        func definition(_ fields: [String]) -> TraitDefinition {
            TraitDefinition(
                key: "box", type: .structure(fields.map { StructField($0, .int) }),
                defaultValue: .structure(fields.map { _ in .int(0) }))
        }
        try hierarchy.commit {
            _ = try $0.defineTrait(definition(["w", "h"]))
            let scene = try $0.createNode("scene", kind: .windowScene)
            _ = try $0.createNode("window", kind: .window, parent: scene)
        }
        let (trait, window) = (try hierarchy.trait("box"), try hierarchy.find("window"))
        var digests = [hierarchy.digest]
        let steps: [(Hierarchy) throws -> Void] = [
            { try $0.setOverride(window, trait, .structure([.int(2), .int(0)])) },
            {
                $0.removeOverride(window, trait)
                $0.updateTraits()
            },
            { try $0.redefineTrait(trait, as: definition(["w"])) { _ in nil } },
            { try $0.setOverride(window, trait, .structure([.int(2)])) },
            {
                try $0.redefineTrait(trait, as: definition(["w", "h"]), changesValues: true) {
                    guard case .structure(let values) = $0, values.count == 1 else { return nil }
                    return .structure(values + [.int(0)])
                }
            },
        ]
        for step in steps {
            try hierarchy.commit(step)
            try hierarchy.checkInvariants()
            digests.append(hierarchy.digest)
        }
        #expect(hierarchy.value(of: trait, at: window) == .structure([.int(2), .int(0)]))
        for digest in digests.dropLast().reversed() {
            hierarchy.undo()
            try hierarchy.checkInvariants()
            #expect(hierarchy.digest == digest && hierarchy.recomputedDigest() == digest)
        }
    }

    @Test("Places with values that do not fit are found, in nodes and in definitions")
    func misfits() throws {
        let hierarchy = try Self.make(.layout)
        try hierarchy.commit {
            let when = try TraitCollection(
                definitions: $0.definitions, $0.trait("number"), .int(7))
            try $0.defineDynamic(
                DynamicValue(
                    kind: .color, name: "tint",
                    variants: [
                        DynamicVariant(when: TraitCollection(), value: "1"),
                        DynamicVariant(when: when, value: "2"),
                    ]))
            $0.removeOverride(try $0.find("a"), try $0.trait("number"))
        }
        let (places, count) = hierarchy.misfits(
            of: try hierarchy.trait("number"), placesMax: 3, keepsKey: { _ in true },
            fits: { $0 != .int(7) })
        #expect(places.first == .variant(.color, "tint", 1) && places.count == 3)
        // The kept value of `lone`, and what `a`, `c` and `lone` show until they are updated.
        #expect(count == 5)
    }
}
