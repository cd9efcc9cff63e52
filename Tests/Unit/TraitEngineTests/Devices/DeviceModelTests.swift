// Names of devices, and which traits a device, an orientation, a split and settings have together.

import Testing
import TraitEngine

@Suite struct DeviceModelTests {
    private func text(
        _ device: String, _ orientation: String? = nil, _ split: String? = nil,
        _ settings: [String] = []
    ) throws -> String {
        try DeviceModel.named(device)
            .traits(orientation: orientation, split: split, settings: settings)
            .map { trait, value in
                let definition = TraitDefinitions.system[trait]
                return "\(definition.key)=\(definition.caseName(of: value) ?? "\(value)")"
            }.joined(separator: " ")
    }

    @Test("A device has its idiom, scale, gamut, force touch capability and size classes")
    func device() throws {
        #expect(
            try text("iPhone 16 Pro", "landscape", "full") == """
                userInterfaceIdiom=phone displayScale=double(3.0) horizontalSizeClass=compact \
                verticalSizeClass=compact forceTouchCapability=unavailable displayGamut=P3
                """)
        #expect(
            try text("iPad Pro 11", "landscape", "1/2") == """
                userInterfaceIdiom=pad displayScale=double(2.0) horizontalSizeClass=compact \
                verticalSizeClass=regular forceTouchCapability=unavailable displayGamut=P3
                """)
    }

    @Test("What the table does not know is left out")
    func unknownFacts() throws {
        #expect(try text("CarPlay") == "userInterfaceIdiom=carPlay")
        #expect(
            try text("Mac") == """
                userInterfaceIdiom=mac horizontalSizeClass=regular verticalSizeClass=regular
                """)
    }

    @Test("Settings add a value each, in the order of the traits, and a repeated one counts once")
    func settings() throws {
        #expect(
            try text(
                "CarPlay", nil, nil,
                [
                    "presented", "boldText", "accessibilityLarge", "rightToLeft", "dark", "dark",
                    "highContrast",
                ])
                    == """
                    userInterfaceIdiom=carPlay userInterfaceStyle=dark layoutDirection=rightToLeft \
                    preferredContentSizeCategory=accessibilityLarge accessibilityContrast=high \
                    userInterfaceLevel=elevated legibilityWeight=bold
                    """)
    }

    @Test(
        "Every setting gives its value, and the settings of text sizes are all the sizes there are")
    func everySetting() throws {
        for setting in DeviceSetting.all {
            let added = try text("CarPlay", nil, nil, [setting.name])
            #expect(added == "userInterfaceIdiom=carPlay \(setting.trait)=\(setting.value)")
        }
        let sizes = DeviceSetting.all.filter { $0.trait == "preferredContentSizeCategory" }
        #expect(sizes.map(\.name) == SystemTraits.contentSizeCategories.dropFirst().map(\.name))
    }

    @Test(
        "Case, spaces, hyphens, dots, quotes and brackets of a name do not matter, other characters do"
    )
    func spelling() throws {
        for name in [
            "iPad Pro 11", "iPad Pro 11-inch", "iPad Pro (11-inch) (M4)", "IPAD-PRO-11-INCH",
            "ipad_pro 11\"",
        ] {
            #expect(try DeviceModel.named(name).name == "iPad Pro 11-inch (M4)")
        }
        #expect(try DeviceModel.named("iPhone SE").name == "iPhone SE (3rd generation)")
        #expect(try DeviceModel.named("iPhone 8+").name == "iPhone 8 Plus")
        for name in ["", " ", "iPhone", "iPhone 8*", "iPhone\u{a0}8", "iPhone 8\0"] {
            #expect(
                throws: DeviceError.unknown(.device, name: name, known: DeviceModel.all.map(\.name))
            ) {
                try DeviceModel.named(name)
            }
        }
    }

    @Test("Each name and alias leads to its device, and each layout to a list of traits")
    func everyDevice() throws {
        #expect(DeviceModel.all.count >= 60)
        for device in DeviceModel.all {
            for name in [device.name] + device.aliases {
                #expect(try DeviceModel.named(name) == device)
            }
            #expect(
                device.sources.allSatisfy { DeviceModel.sources[$0] != nil }
                    && !device.sources.isEmpty)
            let facts = [device.gamut, device.forceTouch, device.scale.map { "\($0)" }].compactMap(
                \.self
            ).count
            for layout in device.layouts {
                let traits = try device.traits(
                    orientation: layout.orientation.rawValue, split: layout.split.rawValue)
                let classes = layout.horizontalSizeClass == nil ? 0 : 2
                // Less would be a case that the trait does not have.
                #expect(traits.count == 1 + facts + classes)
                for (trait, value) in traits {
                    #expect(throws: Never.self) {
                        try TraitDefinitions.system.validate(value, for: trait)
                    }
                }
            }
            #expect(!device.orientations.isEmpty)
            #expect(device.orientations.allSatisfy { device.splits(in: $0).first == .full })
        }
    }

    @Test(
        "Without an orientation a device is in portrait if it has it, and without a split on the whole screen"
    )
    func defaults() throws {
        #expect(try text("iPad mini") == text("iPad mini", "portrait", "full"))
        #expect(try text("Apple TV") == text("Apple TV", "landscape", "full"))
        let size = try DeviceModel.named("iPad mini").points(in: .landscape)
        #expect(size?.width == 1133 && size?.height == 744)
    }

    @Test("A name that is not known is refused with what there is here")
    func refusals() {
        #expect(
            throws: DeviceError.unknown(
                .orientation, name: "sideways", known: ["portrait", "landscape"])
        ) { try text("iPhone 17", "sideways") }
        #expect(
            throws: DeviceError.unknown(.orientation, name: "portrait", known: ["landscape"])
        ) { try text("Apple TV", "portrait") }
        #expect(
            throws: DeviceError.unknown(
                .split, name: "1/2", known: ["full", "1/3", "2/3", "slideOver"])
        ) { try text("iPad mini", "portrait", "1/2") }
        #expect(throws: DeviceError.unknown(.split, name: "1/3", known: ["full"])) {
            try text("iPhone 17", "landscape", "1/3")
        }
        #expect(
            throws: DeviceError.unknown(
                .setting, name: "Dark", known: DeviceSetting.all.map(\.name))
        ) { try text("iPhone 17", nil, nil, ["light", "Dark"]) }
        #expect(throws: DeviceError.conflict("dark", "light", trait: "userInterfaceStyle")) {
            try text("iPhone 17", nil, nil, ["dark", "boldText", "light"])
        }
    }
}
