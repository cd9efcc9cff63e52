// Defining, finding and deleting traits: names, refusals and the indices that are given out.

import Testing

@testable import TraitEngine

@Suite struct TraitDefinitionsTests {
    static func theme(
        _ key: String = "theme", identifier: String? = nil, name: String? = nil,
        type: TraitType = .int, default value: TraitValue = .int(0), flag: Bool = false,
        isNullable: Bool = false
    ) -> TraitDefinition {
        TraitDefinition(
            key: key, identifier: identifier, name: name, type: type, isNullable: isNullable,
            defaultValue: value, affectsColorAppearance: flag)
    }

    static func find(_ definitions: TraitDefinitions, _ name: String) -> TraitIndex? {
        let bytes = Array(name.utf8)
        let found = bytes.withUnsafeBytes { definitions.index(of: $0) }
        #expect(found == definitions.index(of: name))
        return found
    }

    @Test("System traits are found by key, identifier and alias, as bytes and as String")
    func lookup() {
        let definitions = TraitDefinitions.system
        for (position, definition) in SystemTraits.definitions.enumerated() {
            let trait = TraitIndex(rawValue: UInt16(position))
            #expect(Self.find(definitions, definition.key) == trait)
            #expect(definition.identifier.flatMap { Self.find(definitions, $0) } == trait)
            #expect(definitions[trait] == definition)
        }
        #expect(Self.find(definitions, "headroomUsageLimit")?.rawValue == 20)
        #expect(Self.find(definitions, "vibrancy").map { definitions[$0].origin } == .systemPrivate)
        for absent in ["", "userInterfaceStyl", "userInterfaceStyle2", "USERINTERFACESTYLE"] {
            #expect(Self.find(definitions, absent) == nil)
        }
    }

    @Test("A custom trait gets the next index and both its names find it")
    func define() throws {
        var definitions = TraitDefinitions()
        let theme = try definitions.define(Self.theme(identifier: "com.example.theme", flag: true))
        let plain = try definitions.define(Self.theme("plain"))
        #expect(Int(theme.rawValue) == TraitDefinitions.customStart)
        #expect(theme < plain && definitions.indexEnd == TraitDefinitions.customStart + 2)
        #expect(Self.find(definitions, "theme") == theme)
        #expect(Self.find(definitions, "com.example.theme") == theme)
        #expect(definitions.affectingColorAppearance.contains(theme))
        #expect(!definitions.affectingColorAppearance.contains(plain))
        #expect(Array(definitions.custom) == [theme, plain])
        #expect(definitions.set(named: "all")?.count == 24)
        #expect(!definitions.set(.systemTraitsAffectingColorAppearance).contains(theme))
    }

    @Test("The same definition again is the same trait, another one is refused")
    func redefinition() throws {
        var definitions = TraitDefinitions()
        let first = try definitions.define(Self.theme(identifier: "id", name: "caf\u{E9}"))
        let again = try definitions.define(Self.theme(identifier: "id", name: "caf\u{E9}"))
        #expect(again == first && definitions.custom.count == 1)
        for other in [
            Self.theme(), Self.theme(identifier: "id"), Self.theme(identifier: "id", flag: true),
            Self.theme(identifier: "id", name: "cafe\u{301}"),
            Self.theme(identifier: "id", name: "caf\u{E9}", default: .int(1)),
        ] {
            #expect(throws: OperationError.traitImmutable("theme")) {
                try definitions.define(other)
            }
        }
    }

    @Test("No name can mean two things")
    func collisions() throws {
        var definitions = TraitDefinitions()
        _ = try definitions.define(Self.theme(identifier: "com.example.theme"))
        func refused(_ definition: TraitDefinition, _ error: OperationError) {
            #expect(throws: error) { try definitions.define(definition) }
        }
        refused(Self.theme("userInterfaceStyle"), .systemTrait("userInterfaceStyle"))
        refused(Self.theme("UITraitVibrancy"), .systemTrait("UITraitVibrancy"))
        refused(Self.theme("all"), .duplicateIdentifier("all", takenBy: "set all"))
        refused(
            Self.theme("com.example.theme"),
            .duplicateIdentifier("com.example.theme", takenBy: "trait theme"))
        for (identifier, owner) in [
            ("theme", "trait theme"), ("com.example.theme", "trait theme"),
            ("UITraitDisplayScale", "trait displayScale"),
            ("headroomUsageLimit", "trait hdrHeadroomUsageLimit"), ("b", "trait b"),
            ("affectingColorAppearance", "set affectingColorAppearance"),
        ] {
            refused(
                Self.theme("b", identifier: identifier),
                .duplicateIdentifier(identifier, takenBy: owner))
        }
        #expect(definitions.custom.count == 1 && definitions.index(of: "b") == nil)
    }

    @Test(
        "Malformed names are refused",
        arguments: ["", ".", "..", "a/b", "a b", "é", "a%20", String(repeating: "x", count: 129)])
    func malformed(name: String) {
        var definitions = TraitDefinitions()
        #expect(throws: OperationError.malformedIdentifier(name)) {
            try definitions.define(Self.theme(name))
        }
        #expect(throws: OperationError.malformedIdentifier(name)) {
            try definitions.define(Self.theme("fine", identifier: name))
        }
    }

    @Test("Three dots, and 128 bytes, are names")
    func longest() throws {
        var definitions = TraitDefinitions()
        for name in ["...", "a", String(repeating: "x", count: 128), "A-Z_~.9"] {
            #expect(try definitions.define(Self.theme(name)) == definitions.index(of: name))
        }
    }

    @Test("Definitions that cannot be are refused with a reason")
    func invalid() {
        let cases: [(TraitDefinition, String)] = [
            (Self.theme(type: .enumeration([])), "it needs at least one case"),
            (Self.theme(type: .structure([])), "it needs at least one field"),
            (Self.theme(type: .bool), "its default must be true or false"),
            (
                Self.theme(type: .double, default: .double(.nan)),
                "its default must be a finite number"
            ),
            (Self.theme(default: .null), "its default must be an integer"),
            (
                Self.theme(type: .enumeration([EnumCase("a", 1), EnumCase("a", 2)])),
                "the case \"a\" is declared twice"
            ),
            (
                Self.theme(type: .enumeration([EnumCase("a", 1), EnumCase("b", 1)])),
                "two cases have the same raw value"
            ),
            (
                Self.theme(type: .enumeration([EnumCase("a", 1), EnumCase("b", 2)])),
                "its default must be one of a, b"
            ),
            (
                Self.theme(type: .structure([StructField("", .int)])), "a field needs a name"
            ),
            (
                Self.theme(type: .structure([StructField("x", .double)])),
                "its default must be a structure of x (double)"
            ),
        ]
        for (definition, reason) in cases {
            var definitions = TraitDefinitions()
            #expect(throws: OperationError.invalidDefinition(key: "theme", reason: reason)) {
                try definitions.define(definition)
            }
        }
    }

    @Test("Each limit is named when it is reached")
    func limits() throws {
        var limits = HierarchyLimits()
        limits.customTraitsMax = 2
        limits.enumCasesMax = 2
        limits.structFieldsMax = 1
        limits.stringValueBytesMax = 3
        limits.labelBytesMax = 5
        var definitions = TraitDefinitions(limits: limits)
        let three = (0..<3).map { EnumCase("c\($0)", Int64($0)) }
        let text = Self.theme("t", type: .string, default: .string("äb"))
        func refused(_ definition: TraitDefinition, _ name: String, _ value: Int) {
            #expect(throws: OperationError.limit(name: name, value: value)) {
                try definitions.define(definition)
            }
        }
        refused(Self.theme(type: .enumeration(three)), "enumCasesMax", 2)
        refused(
            Self.theme(type: .structure([StructField("a", .int), StructField("b", .int)])),
            "structFieldsMax", 1)
        refused(Self.theme(type: .string, default: .string("äää")), "stringValueBytesMax", 3)
        refused(Self.theme(name: "123456"), "labelBytesMax", 5)
        let trait = try definitions.define(text)
        #expect(throws: OperationError.limit(name: "stringValueBytesMax", value: 3)) {
            try definitions.validate(.string("1234"), for: trait)
        }
        _ = try definitions.define(Self.theme("u"))
        refused(Self.theme("v"), "customTraitsMax", 2)
        #expect(try definitions.define(text) == trait)
    }

    @Test("A deleted trait's index rests until it is recycled, its names are free at once")
    func deletion() throws {
        var definitions = TraitDefinitions()
        let first = try definitions.define(Self.theme("first", identifier: "id"))
        let second = try definitions.define(Self.theme("second"))
        try definitions.remove(second)
        #expect(definitions.definition(at: second) == nil && definitions.index(of: "second") == nil)
        let third = try definitions.define(Self.theme("third", default: .int(3)))
        #expect(third > second && definitions.index(of: "first") == first)
        try definitions.remove(first)
        try definitions.remove(third)
        definitions.recycleRemoved()
        #expect(definitions.indexEnd == TraitDefinitions.customStart)
        #expect(try definitions.define(Self.theme("fourth", identifier: "id")) == first)
        #expect(definitions.index(of: "headroomUsageLimit") != nil)
        #expect(throws: OperationError.systemTrait("userInterfaceStyle")) {
            try definitions.remove(TraitIndex(rawValue: 1))
        }
    }

    @Test("A copy taken before is not touched by what follows")
    func copies() throws {
        var definitions = TraitDefinitions()
        let before = definitions
        let trait = try definitions.define(Self.theme())
        #expect(before.definition(at: trait) == nil && before.index(of: "theme") == nil)
    }

    @Test("A thousand traits are all found, and traits that come and go stay within the indices")
    func many() throws {
        var definitions = TraitDefinitions(hashSeed: 99)
        for number in 0..<1_000 {
            _ = try definitions.define(Self.theme("trait\(number)", identifier: "id.\(number)"))
        }
        for number in 0..<1_000 {
            let trait = definitions.index(of: "trait\(number)")
            #expect(trait == definitions.index(of: "id.\(number)"))
            #expect(trait.map { definitions[$0].key } == "trait\(number)")
        }
        var sliding = TraitDefinitions()
        var last = try sliding.define(Self.theme("t0"))
        for number in 1..<4_500 {
            let next = try sliding.define(Self.theme("t\(number)"))
            try sliding.remove(last)
            sliding.recycleRemoved()
            last = next
        }
        #expect(sliding.custom.count == 1 && sliding.indexEnd <= 4_096)
    }

    @Test("Values are refused by type, and private traits take none")
    func validation() throws {
        var definitions = TraitDefinitions.system
        let mode = try definitions.define(
            Self.theme("mode", type: .enumeration([EnumCase("on", 1), EnumCase("off", 0)])))
        try definitions.validate(.int(1), for: mode)
        #expect(throws: OperationError.typeMismatch(trait: "mode", expected: "one of on, off")) {
            try definitions.validate(.int(2), for: mode)
        }
        #expect(definitions[mode].value(ofCase: "unspecified") == nil)
        let point = try definitions.define(
            Self.theme(
                "point", type: .structure([StructField("x", .double), StructField("on", .bool)]),
                default: .null, isNullable: true))
        try definitions.validate(.structure([.double(1), .bool(true)]), for: point)
        try definitions.validate(.null, for: point)
        for bad: TraitValue in [
            .structure([.double(1)]), .structure([.bool(true), .double(1)]), .int(1),
            .structure([.double(.nan), .bool(true)]), .structure([.null, .bool(true)]),
        ] {
            #expect(
                throws: OperationError.typeMismatch(
                    trait: "point", expected: "a structure of x (double), on (bool) or null")
            ) { try definitions.validate(bad, for: point) }
        }
        let vibrancy = try #require(definitions.index(of: "vibrancy"))
        #expect(throws: OperationError.privateTrait("vibrancy")) {
            try definitions.validate(.int(0), for: vibrancy)
        }
        let style = try #require(definitions.index(of: "userInterfaceStyle"))
        try definitions.validate(.int(99), for: style)
        #expect(
            throws: OperationError.typeMismatch(
                trait: "userInterfaceStyle",
                expected: "one of light, dark, unspecified or an integer")
        ) { try definitions.validate(.string("dark"), for: style) }
    }

    @Test("Strings are equal when their bytes are")
    func bytes() {
        #expect(TraitValue.string("caf\u{E9}") != .string("cafe\u{301}"))
        #expect(TraitValue.double(-0.0) == .double(0))
        #expect(TraitValue.double(-0.0).hashValue == TraitValue.double(0).hashValue)
        #expect(TraitValue.int(1) != .bool(true))
    }

    @Test("One other byte at any place makes a string another one", arguments: 0...40)
    func everyByte(count: Int) {
        let bytes = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let value = TraitValue.string(String(decoding: bytes, as: UTF8.self))
        #expect(value == .string(String(decoding: bytes, as: UTF8.self)))
        #expect(value != .string(String(decoding: bytes + [65], as: UTF8.self)))
        for place in 0..<count {
            var other = bytes
            other[place] = 65
            #expect(value != .string(String(decoding: other, as: UTF8.self)), "at \(place)")
        }
    }
}

@Suite("A table of names")
struct NameTableTests {
    @Test("finds what is in it, whatever came and went", arguments: 1...4 as ClosedRange<UInt64>)
    func comingAndGoing(seed: UInt64) {
        var table = NameTable(seed: seed)
        var expected: [String: Int32] = [:]
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for step in 0..<3_000 {
            let name = "name\(random(200))"
            if expected[name] == nil {
                table.insert(name, target: Int32(step))
                expected[name] = Int32(step)
            } else {
                table.remove(name)
                expected[name] = nil
            }
            table.remove("never")
            if step % 50 == 0 {
                for number in 0..<200 {
                    #expect(table.target(of: "name\(number)") == expected["name\(number)"])
                }
            }
        }
    }
}
