// Colours as CSS writes them (CSS Color 4), read into the colour objects of design tokens: names, and functions whose
// components are numbers. `color-mix()`, `light-dark()`, relative colours and system colours depend on where they stand.

import TraitEngine
import TraitSessions

enum ColorText {
    /// The colour of a name, in any case; nil for other texts.
    static func hex(named name: String) -> HexColor? {
        let name = name.lowercased()
        if name == "transparent" { return HexColor("#00000000") }
        return names[name].flatMap { HexColor("#" + $0) }
    }

    /// Nil for what is no colour by itself, or has components outside of their ranges.
    static func object(_ text: String) -> ColorObject? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        var name = text[..<open].lowercased()
        var inside = text[text.index(after: open)...].dropLast()
        if name == "color" {
            inside = inside.drop { $0 == " " }
            let word = inside.prefix { $0 != " " }
            inside = inside.dropFirst(word.count)
            name = word.lowercased() == "xyz" ? "xyz-d65" : word.lowercased()
            guard let space = ColorObject.Space(rawValue: name), space.isOfColorFunction else {
                return nil
            }
            return object(space, inside) { number, isPercent, _ in
                isPercent ? number / 100 : number
            }
        }
        switch name {
        case "rgb", "rgba":
            return object(.srgb, inside) { number, isPercent, _ in
                min(1, max(0, number / (isPercent ? 100 : 255)))
            }
        case "hsl", "hsla", "hwb":
            return object(name == "hwb" ? .hwb : .hsl, inside) { number, isPercent, position in
                position == 0 ? angle(number, isPercent) : min(100, max(0, number))
            }
        case "lab", "lch", "oklab", "oklch":
            guard let space = ColorObject.Space(rawValue: name) else { return nil }
            let isSmall = name.hasPrefix("ok")
            // What 100% of a component stands for.
            let whole = isSmall ? 0.4 : space == .lab ? 125.0 : 150
            return object(space, inside) { number, isPercent, position in
                if position == 0 {
                    let top = isSmall ? 1.0 : 100
                    return min(top, max(0, isPercent ? number * top / 100 : number))
                }
                if position == 2, space.hasHue { return angle(number, isPercent) }
                let value = isPercent ? number * whole / 100 : number
                return space.hasHue ? max(0, value) : value
            }
        default: return nil
        }
    }

    /// - Parameter convert: a component from its number, whether it is a percentage, and its position.
    private static func object(
        _ space: ColorObject.Space, _ inside: Substring,
        _ convert: (Double, Bool, Int) -> Double?
    ) -> ColorObject? {
        let hasCommas = inside.contains(",")
        var alphaText: Substring?
        var words: [Substring]
        if hasCommas {
            words = inside.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            if words.count == 4 { alphaText = words.removeLast() }
        } else {
            let parts = inside.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { return nil }
            words = parts[0].split(separator: " ")
            if parts.count == 2 { alphaText = parts[1].trimmed }
        }
        guard words.count == 3 else { return nil }
        var components: [Double?] = []
        for (position, word) in words.enumerated() {
            if word.lowercased() == "none" {
                components.append(nil)
                continue
            }
            guard let (number, isPercent) = number(word, isHue: space.isHue(at: position)),
                let value = convert(number, isPercent, position),
                space.allows(value, at: position)
            else { return nil }
            components.append(value)
        }
        guard let alphaText, alphaText.lowercased() != "none" else {
            return ColorObject(space: space, components: components, alpha: nil)
        }
        guard let (number, isPercent) = number(alphaText, isHue: false) else { return nil }
        let alpha = min(1, max(0, isPercent ? number / 100 : number))
        return ColorObject(space: space, components: components, alpha: alpha)
    }

    /// A number, or a percentage; of a hue in degrees, also one with a unit of angles.
    private static func number(_ text: Substring, isHue: Bool) -> (Double, isPercent: Bool)? {
        let digits = text.prefix { "0123456789+-.eE".contains($0) }
        let factors: [String: Double] = [
            "deg": 1, "grad": 0.9, "rad": 180 / Double.pi, "turn": 360,
        ]
        var (number, unit) = (digits, text.dropFirst(digits.count).lowercased())
        // The `e` of an exponent never ends a number.
        while let last = number.last, last == "e" || last == "E" {
            unit = "e" + unit
            number = number.dropLast()
        }
        guard let value = Double(number), value.isFinite else { return nil }
        if unit.isEmpty { return (value, false) }
        if unit == "%" { return (value, true) }
        return isHue ? factors[unit].map { (value * $0, false) } : nil
    }

    /// A hue from 0 up to 360; nil for a percentage.
    private static func angle(_ number: Double, _ isPercent: Bool) -> Double? {
        if isPercent { return nil }
        let rest = number.truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        // A tiny negative angle rounds up to 360.
        return positive < 360 ? positive : 0
    }

    /// The named colours of CSS, as hexadecimal digits by name.
    private static let names: [String: String] = {
        let words = list.split { $0 == " " || $0 == "\n" }.map(String.init)
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: words.count - 1, by: 2).map {
                (words[$0], words[$0 + 1])
            })
    }()

    private static let list = """
        aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff
        beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff
        blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00
        chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c
        cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9
        darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f
        darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f
        darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
        darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
        dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff
        gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000
        greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c
        indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5
        lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
        lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3
        lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa
        lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
        lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
        mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db
        mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a
        mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa
        mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6
        olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6
        palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093
        papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6
        purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
        saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee
        sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090
        slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080
        thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
        whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
        """
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self.drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}
