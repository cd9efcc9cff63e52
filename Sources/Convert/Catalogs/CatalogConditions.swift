// The conditions of a slot in an asset catalog, as conditions on system traits.

enum CatalogConditions {
    enum Reading {
        /// In the order of `table`, so that equal conditions are equal arrays.
        case known([(trait: String, value: ConvertedDocument.Condition)])
        /// A condition that no trait expresses, with its place.
        case unknown(SourceValue, String)
    }

    private struct Row {
        let member: StaticString
        let trait: String
        /// What each value of the member means; nil for no condition.
        let values: [String: ConvertedDocument.Condition?]
    }

    /// The members of a slot, but for its appearances. A row's values are Xcode's words.
    private static let table: [Row] = [
        Row(
            member: "idiom", trait: "userInterfaceIdiom",
            values: [
                "universal": nil, "iphone": .name("phone"), "ipad": .name("pad"),
                "tv": .name("tv"), "car": .name("carPlay"), "mac": .name("mac"),
                "vision": .name("vision"), "reality": .name("vision"),
            ]),
        Row(
            member: "scale", trait: "displayScale",
            values: ["1x": .number(1), "2x": .number(2), "3x": .number(3)]),
        Row(
            member: "display-gamut", trait: "displayGamut",
            values: ["sRGB": .name("SRGB"), "display-P3": .name("P3")]),
        Row(
            member: "width-class", trait: "horizontalSizeClass",
            values: ["compact": .name("compact"), "regular": .name("regular")]),
        Row(
            member: "height-class", trait: "verticalSizeClass",
            values: ["compact": .name("compact"), "regular": .name("regular")]),
        Row(
            member: "language-direction", trait: "layoutDirection",
            values: [
                "left-to-right": .name("leftToRight"), "right-to-left": .name("rightToLeft"),
            ]),
    ]

    private static let appearances: [String: (trait: String, values: [String: String])] = [
        "luminosity": ("userInterfaceStyle", ["light": "light", "dark": "dark"]),
        "contrast": ("accessibilityContrast", ["high": "high", "normal": "normal"]),
    ]

    /// Members that are conditions, and that no trait expresses.
    private static let others: [StaticString] = [
        "locale", "memory", "graphics-feature-set", "screen-width", "minimum-system-version",
    ]

    static func read(_ slot: SourceValue) throws(ConversionError) -> Reading {
        for name in others {
            if let member = slot.member(name) {
                return .unknown(member, "no trait expresses '\(name)'")
            }
        }
        var found: [(trait: String, value: ConvertedDocument.Condition)] = []
        // A Mac with an app for the iPad has the idiom of the Mac.
        let subtype = try slot.string("subtype")
        if let subtype, subtype != "mac-catalyst", let member = slot.member("subtype") {
            return .unknown(member, "no trait expresses the subtype '\(subtype)'")
        }
        for row in table {
            guard let member = slot.member(row.member) else { continue }
            let text = try member.string()
            guard let meaning = row.values[text] else {
                return .unknown(member, "'\(text)' is no known \(row.member)")
            }
            let isCatalyst = subtype != nil && row.trait == "userInterfaceIdiom"
            if let value = isCatalyst ? .name("mac") : meaning {
                found.append((row.trait, value))
            }
        }
        for appearance in try slot.member("appearances")?.elements() ?? [] {
            let kind = try appearance.required("appearance")
            let value = try appearance.required("value")
            let (kindText, text) = (try kind.string(), try value.string())
            guard let (trait, values) = appearances[kindText], let name = values[text] else {
                return .unknown(value, "'\(kindText)' '\(text)' is no known appearance")
            }
            // "Any" is a slot without the appearance, so a second value of a trait contradicts the first.
            if found.contains(where: { $0.trait == trait }) {
                throw kind.error("the appearance '\(kindText)' stands here twice")
            }
            found.append((trait, .name(name)))
        }
        found.sort { $0.trait < $1.trait }
        return .known(found)
    }
}
