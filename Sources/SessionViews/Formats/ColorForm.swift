// The forms of colours that style sheets and design tokens write: hexadecimal digits, text of CSS, and the colour
// object of the Design Tokens Color Module 2025.10. Other values of colours are the client's own.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// A valid colour object of the Design Tokens Color Module.
struct ColorObject {
    let space: Space
    /// Nil for `none`.
    let components: [Double?]
    let alpha: Double?

    /// A colour space with the ranges of its components.
    enum Space: String {
        case srgb, hsl, hwb, lab, lch, oklab, oklch, rec2020
        case srgbLinear = "srgb-linear"
        case displayP3 = "display-p3"
        case a98RGB = "a98-rgb"
        case prophotoRGB = "prophoto-rgb"
        case xyzD65 = "xyz-d65"
        case xyzD50 = "xyz-d50"

        func isHue(at position: Int) -> Bool {
            switch self {
            case .hsl, .hwb: position == 0
            case .lch, .oklch: position == 2
            default: false
            }
        }

        var hasHue: Bool { isHue(at: 0) || isHue(at: 2) }

        /// Whether CSS writes it with `color()`.
        var isOfColorFunction: Bool { function.name == "color" }

        func allows(_ value: Double, at position: Int) -> Bool {
            switch (self, position) {
            case (.hsl, 0), (.hwb, 0), (.lch, 2), (.oklch, 2): value >= 0 && value < 360
            case (.hsl, _), (.hwb, _), (.lab, 0), (.lch, 0): (0...100).contains(value)
            case (.lab, _), (.oklab, 1), (.oklab, 2): true
            case (.lch, _), (.oklch, 1): value >= 0
            default: (0...1).contains(value)
            }
        }

        /// The name of the function of CSS, and what follows a component in it.
        fileprivate var function: (name: String, units: [String]) {
            switch self {
            case .hsl, .hwb: (rawValue, ["", "%", "%"])
            case .lab, .lch, .oklab, .oklch: (rawValue, ["", "", ""])
            default: ("color", ["", "", ""])
            }
        }
    }

    init(space: Space, components: [Double?], alpha: Double?) {
        self.space = space
        self.components = components
        self.alpha = alpha
    }

    /// Nil unless the value is such an object.
    ///
    /// - Parameter isExtended: whether components of `color()` may lie outside of 0…1, as CSS allows and the module
    ///   does not.
    init?(_ json: JSONValue, isExtended: Bool = false) {
        guard json.kind == .object, let name = json.member("colorSpace")?.string?.string,
            let space = Space(rawValue: name), let list = json.member("components"),
            list.kind == .array, list.count == 3
        else { return nil }
        var components: [Double?] = []
        for element in list.elements {
            if let value = element.double,
                space.allows(value, at: components.count) || isExtended && space.isOfColorFunction
            {
                components.append(value)
            } else if let word = element.string, word == "none" {
                components.append(nil)
            } else {
                return nil
            }
        }
        if let alpha = json.member("alpha") {
            guard let value = alpha.double, (0...1).contains(value) else { return nil }
            self.alpha = value
        } else {
            alpha = nil
        }
        if let hex = json.member("hex") {
            guard let text = hex.string?.string, text.utf8.count == 7, HexColor(text) != nil else {
                return nil
            }
        }
        self.space = space
        self.components = components
    }

    /// `{"colorSpace","components","alpha"?}`.
    fileprivate func writeToken(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("colorSpace", space.rawValue)
        writer.beginArray("components")
        for component in components {
            if let component { writer.value(component) } else { writer.value("none") }
        }
        writer.endArray()
        if let alpha { writer.member("alpha", alpha) }
        writer.endObject()
    }

    /// `color(srgb 1 0 0 / 0.5)`, `hsl(120 50% 50%)`.
    fileprivate func write(into writer: inout JSONWriter) {
        let (name, units) = space.function
        writer.verbatim(name + "(")
        if name == "color" { writer.verbatim(space.rawValue + " ") }
        for (position, component) in components.enumerated() {
            if position > 0 { writer.verbatim(" ") }
            if let component {
                writer.value(component)
                writer.verbatim(units[position])
            } else {
                writer.verbatim("none")
            }
        }
        if let alpha {
            writer.verbatim(" / ")
            writer.value(alpha)
        }
        writer.verbatim(")")
    }
}

/// `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
struct HexColor {
    /// Red, green and blue.
    let components: [UInt8]
    /// Nil where the text has no digits for it.
    let alpha: UInt8?

    init?(_ text: String) {
        let digits = text.utf8.dropFirst().map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x57
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x37
            default: nil
            }
        }
        guard text.utf8.first == UInt8(ascii: "#"), [3, 4, 6, 8].contains(digits.count) else {
            return nil
        }
        let known = digits.compactMap(\.self)
        guard known.count == digits.count else { return nil }
        var values: [UInt8] = []
        if known.count < 6 {
            for digit in known { values.append(digit * 17) }
        } else {
            for position in stride(from: 0, to: known.count, by: 2) {
                values.append(known[position] * 16 + known[position + 1])
            }
        }
        components = Array(values.prefix(3))
        alpha = values.count > 3 ? values[3] : nil
    }

    /// `{"colorSpace","components","alpha"?,"hex"}`.
    fileprivate func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("colorSpace", "srgb" as StaticString)
        writer.beginArray("components")
        for component in components { writer.value(Double(component) / 255) }
        writer.endArray()
        if let alpha { writer.member("alpha", Double(alpha) / 255) }
        let digits = components.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        writer.member("hex", "#" + digits.joined())
        writer.endObject()
    }
}

/// How the value of a colour is written elsewhere.
enum ColorForm {
    /// Writes a value as the value of a custom property.
    ///
    /// - Parameter value: compact JSON.
    static func writeStyle(_ value: String, _ tape: JSONTape, into writer: inout JSONWriter) {
        withJSON(value, tape) { writeStyle($0, into: &writer) }
    }

    static func writeStyle(_ json: JSONValue, into writer: inout JSONWriter) {
        switch json.kind {
        case .number, .bool: return writer.verbatim(json.rawBytes)
        case .string:
            if let text = json.string?.string, isStyle(text) { return writer.verbatim(text) }
        default:
            if let object = ColorObject(json, isExtended: true) {
                return object.write(into: &writer)
            }
            if let text = TokenForm.style(json) { return writer.verbatim(text) }
        }
        let text = String(decoding: json.rawBytes, as: UTF8.self)
        writer.style { StyleText.append(string: text.utf8, to: &$0) }
    }

    /// The type of the value as a design token; nil for none.
    static func tokenForm(_ value: String, _ tape: JSONTape) -> TokenForm? {
        var form: TokenForm?
        withJSON(value, tape) { form = TokenForm($0) }
        return form
    }

    /// Whether a text of CSS is a colour for design tokens: one that depends on nothing.
    static func isToken(text: String) -> Bool {
        HexColor(text) != nil || ColorText.hex(named: text) != nil
            || ColorText.object(text) != nil
    }

    /// Writes a value that is one as the value of a token.
    static func writeToken(_ value: String, _ tape: JSONTape, into writer: inout JSONWriter) {
        withJSON(value, tape) { json in
            if let text = json.string { return writeToken(text: text.string, into: &writer) }
            value.utf8.withContiguousStorageIfAvailable {
                writer.raw(UnsafeRawBufferPointer($0))
            }
        }
    }

    static func writeToken(text: String, into writer: inout JSONWriter) {
        if let hex = HexColor(text) ?? ColorText.hex(named: text) {
            hex.write(into: &writer)
        } else {
            ColorText.object(text)?.writeToken(into: &writer)
        }
    }

    private static func withJSON(_ text: String, _ tape: JSONTape, _ body: (JSONValue) -> Void) {
        var text = text
        text.withUTF8 { bytes in
            // Each value was JSON when the colour was defined, so this never fails.
            try? tape.withDocument(UnsafeRawBufferPointer(bytes), body)
        }
    }

    /// Whether a text stands for itself in a style sheet.
    private static func isStyle(_ text: String) -> Bool {
        if HexColor(text) != nil || StyleText.isIdentifier(text) { return true }
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "("),
            functions.contains(text[..<open].lowercased())
        else { return false }
        return StyleValue.isBalanced(String(text[text.index(after: open)...].dropLast()))
    }

    /// The functions of colours (CSS Color 4 and 5), and those that stand for any value.
    private static let functions: Set = [
        "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
        "light-dark", "contrast-color", "device-cmyk", "var", "env",
    ]
}
