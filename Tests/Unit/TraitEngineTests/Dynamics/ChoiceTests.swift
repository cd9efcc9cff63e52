// Which variant of a colour or image is chosen: every rule and every tie.

import Testing
import TraitEngine

@Suite struct ChoiceTests {
    private typealias Traits = [String: TraitValue]

    private func collection(_ traits: Traits) throws -> TraitCollection {
        try TraitCollection { (bag: inout MutableTraits) throws in
            for (key, value) in traits {
                let trait = try #require(TraitDefinitions.system.index(of: key))
                try bag.set(trait, value)
            }
        }
    }

    private func dynamic(_ kind: DynamicKind, _ variants: [Traits]) throws -> DynamicValue {
        try DynamicValue(
            kind: kind, name: "value",
            variants: variants.enumerated().map {
                DynamicVariant(when: try collection($1), value: "\($0)")
            })
    }

    private func choice(
        _ kind: DynamicKind, _ variants: [Traits], _ traits: Traits, device: Traits? = nil
    ) throws -> String {
        let value = try dynamic(kind, variants)
        let device = try device.map(collection)
        return value.variants[value.resolve(try collection(traits), device: device).index].value
    }

    private let dark: Traits = ["userInterfaceStyle": .int(2)]
    private let high: Traits = ["accessibilityContrast": .int(1)]
    private let darkHigh: Traits = [
        "userInterfaceStyle": .int(2), "accessibilityContrast": .int(1),
    ]

    // MARK: - Colours

    @Test("Of a colour's variants whose conditions hold the one with most conditions wins")
    func colorSpecificity() throws {
        let variants = [[:], dark, high, darkHigh]
        #expect(try choice(.color, variants, [:]) == "0")
        #expect(try choice(.color, variants, dark) == "1")
        #expect(try choice(.color, variants, high) == "2")
        #expect(try choice(.color, variants, darkHigh) == "3")
        #expect(try choice(.color, variants, ["userInterfaceStyle": .int(1)]) == "0")
    }

    @Test("Of as many conditions the variant declared first wins")
    func colorTie() throws {
        #expect(try choice(.color, [[:], high, dark], darkHigh) == "1")
        #expect(try choice(.color, [[:], dark, high], darkHigh) == "1")
        #expect(try choice(.color, [dark, dark], dark) == "0")
    }

    @Test("When no variant's conditions hold a colour's first one is taken")
    func colorFallback() throws {
        #expect(try choice(.color, [dark, high], [:]) == "0")
        #expect(try choice(.color, [high, dark], ["userInterfaceStyle": .int(1)]) == "0")
    }

    @Test("A colour depends on every trait that a variant names")
    func colorDependencies() throws {
        let value = try dynamic(.color, [[:], dark, ["displayScale": .double(2)]])
        let scale = try #require(TraitDefinitions.system.index(of: "displayScale"))
        let style = try #require(TraitDefinitions.system.index(of: "userInterfaceStyle"))
        let choice = value.resolve(try collection(dark))
        #expect(choice == DynamicChoice(index: 1, dependsOn: [scale, style]))
        #expect(try dynamic(.color, [[:]]).dependsOn.isEmpty)
    }

    @Test("A colour or image needs a variant", arguments: DynamicKind.allCases)
    func noVariants(_ kind: DynamicKind) {
        #expect(throws: OperationError.self) {
            try DynamicValue(kind: kind, name: "empty", variants: [])
        }
    }

    // MARK: - Images

    @Test("An image without a scale counts as one of scale 1")
    func missingScale() throws {
        let value = try dynamic(.image, [[:], ["displayScale": .double(2)]])
        let scale = try #require(TraitDefinitions.system.index(of: "displayScale"))
        #expect(value.variants[0].when[scale] == .double(1))
        #expect(try choice(.image, [[:], ["displayScale": .double(2)]], scaled(1)) == "0")
    }

    @Test("An image for equivalent traits replaces the earlier one, where that stood")
    func replacing() throws {
        let value = try dynamic(.image, [[:], dark, scaled(1)])
        #expect(value.variants.map(\.value) == ["2", "1"])
        let colors = try dynamic(.color, [[:], [:]])
        #expect(colors.variants.count == 2)
    }

    @Test("The exact scale wins, else the smallest larger one, else the largest")
    func scale() throws {
        let variants = [scaled(1), scaled(3), scaled(2), scaled(4)]
        for (wanted, expected) in [
            (1.0, "0"), (2, "2"), (3, "1"), (1.5, "2"), (2.5, "1"), (9, "3"),
        ] {
            #expect(try choice(.image, variants, scaled(wanted)) == expected)
        }
    }

    @Test("A lookup without scale or idiom takes the device's")
    func device() throws {
        let variants: [Traits] = [
            scaled(1), scaled(2), ["userInterfaceIdiom": .int(1), "displayScale": .double(2)],
        ]
        let pad: Traits = ["userInterfaceIdiom": .int(1), "displayScale": .double(2)]
        #expect(try choice(.image, variants, [:], device: pad) == "2")
        #expect(try choice(.image, variants, scaled(1), device: pad) == "2")
        let phone: Traits = ["userInterfaceIdiom": .int(0)]
        #expect(try choice(.image, variants, phone, device: pad) == "1")
        #expect(try choice(.image, variants, [:], device: dark) == "0")
        #expect(try choice(.color, [[:], pad], [:], device: pad) == "0")
    }

    @Test("Another idiom or size class is out of the question, however well the rest fits")
    func exclusion() throws {
        for (key, other) in [
            ("userInterfaceIdiom", 1), ("horizontalSizeClass", 1), ("verticalSizeClass", 1),
        ] {
            var wrong = darkHigh
            wrong[key] = .int(Int64(other))
            var lookup = darkHigh
            lookup[key] = .int(2)
            #expect(try choice(.image, [wrong, [:]], lookup) == "1")
            // The first is taken when all are.
            #expect(try choice(.image, [wrong, scaled(2).merging(wrong) { $1 }], lookup) == "0")
        }
    }

    @Test("Another value of the other traits is worse than none, but not out of the question")
    func mismatch() throws {
        #expect(try choice(.image, [dark, [:]], ["userInterfaceStyle": .int(1)]) == "1")
        #expect(try choice(.image, [dark, high], ["userInterfaceStyle": .int(1)]) == "1")
        #expect(try choice(.image, [dark], ["userInterfaceStyle": .int(1)]) == "0")
    }

    @Test("Earlier traits of the order weigh more than all later ones together")
    func order() throws {
        let keys: [(String, TraitValue)] = [
            ("userInterfaceIdiom", .int(0)), ("userInterfaceStyle", .int(2)),
            ("accessibilityContrast", .int(1)), ("displayGamut", .int(1)),
            ("layoutDirection", .int(1)), ("horizontalSizeClass", .int(2)),
            ("verticalSizeClass", .int(2)),
            ("preferredContentSizeCategory", .string("UICTContentSizeCategoryL")),
            ("legibilityWeight", .int(1)), ("displayScale", .double(1)),
        ]
        let lookup = Traits(uniqueKeysWithValues: keys)
        for position in 0..<keys.count - 1 {
            let one: Traits = [keys[position].0: keys[position].1, "displayScale": .double(7)]
            let rest = Traits(uniqueKeysWithValues: keys[(position + 1)...])
            #expect(try choice(.image, [rest, one], lookup) == "1", "\(keys[position].0)")
        }
    }

    @Test("Of equally good images the one registered first is taken")
    func imageTie() throws {
        let level: (Int64) -> Traits = { ["userInterfaceLevel": .int($0)] }
        // The level is not among the traits that images are looked up by.
        #expect(try choice(.image, [level(0), level(1)], level(1)) == "0")
        #expect(try choice(.image, [level(1), level(0)], level(0)) == "0")
    }

    @Test("An image depends on listed traits alone, on the scale only if there are several")
    func imageDependencies() throws {
        let style = try #require(TraitDefinitions.system.index(of: "userInterfaceStyle"))
        let scale = try #require(TraitDefinitions.system.index(of: "displayScale"))
        let level: Traits = ["userInterfaceLevel": .int(1)]
        #expect(try dynamic(.image, [dark, level]).dependsOn == [style])
        #expect(try dynamic(.image, [dark, scaled(2)]).dependsOn == [style, scale])
    }

    private func scaled(_ scale: Double) -> Traits { ["displayScale": .double(scale)] }
}
