// The types of the Design Tokens Format Module 2025.10 that a value of a colour has by its form. A text has none: it may
// be a font, a weight, a style of a stroke or a word of the client's.

import JSONCodec
import TraitJSON
import TraitSessions

enum TokenForm: String {
    case color, dimension, duration, number, cubicBezier, fontFamily, shadow, gradient, border
    case transition, strokeStyle, typography

    /// Nil for a value that has no type by its form.
    init?(_ json: JSONValue) {
        switch json.kind {
        case .number: self = .number
        case .string:
            guard let text = json.string?.string, ColorForm.isToken(text: text) else { return nil }
            self = .color
        case .object:
            guard let form = Self.object(json) else { return nil }
            self = form
        case .array:
            guard let form = Self.array(json) else { return nil }
            self = form
        case .null, .bool: return nil
        }
    }

    private static func object(_ json: JSONValue) -> TokenForm? {
        if ColorObject(json) != nil { return .color }
        if let unit = unit(of: json) {
            return unit == "px" || unit == "rem" ? .dimension : .duration
        }
        func has(_ names: StaticString...) -> Bool {
            names.allSatisfy { json.member($0) != nil }
        }
        if has("color", "offsetX", "offsetY", "blur") { return .shadow }
        if has("color", "width", "style") { return .border }
        if has("duration", "delay", "timingFunction") { return .transition }
        if has("dashArray", "lineCap") { return .strokeStyle }
        if has("fontFamily", "fontSize", "fontWeight") { return .typography }
        return nil
    }

    private static func array(_ json: JSONValue) -> TokenForm? {
        guard json.count > 0 else { return nil }
        if json.count == 4, json.elements.allSatisfy({ $0.kind == .number }) { return .cubicBezier }
        if json.elements.allSatisfy({ $0.kind == .string }) { return .fontFamily }
        guard json.elements.allSatisfy({ $0.kind == .object }) else { return nil }
        if json.elements.allSatisfy({ object($0) == .shadow }) { return .shadow }
        let areStops = json.elements.allSatisfy {
            $0.member("color") != nil && $0.member("position")?.kind == .number
        }
        return areStops ? .gradient : nil
    }

    /// The unit of `{"value","unit"}`.
    private static func unit(of json: JSONValue) -> String? {
        guard json.count == 2, json.member("value")?.kind == .number,
            let unit = json.member("unit")?.string?.string,
            ["px", "rem", "ms", "s"].contains(unit)
        else { return nil }
        return unit
    }

    // MARK: - Style sheets

    /// The value as CSS writes it; nil for a value that CSS has no text for.
    static func style(_ json: JSONValue) -> String? {
        switch TokenForm(json) {
        case .dimension, .duration:
            guard let value = json.member("value"), let unit = unit(of: json) else { return nil }
            return String(decoding: value.rawBytes, as: UTF8.self) + unit
        case .cubicBezier:
            let numbers = json.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }
            return "cubic-bezier(\(numbers.joined(separator: ", ")))"
        case .fontFamily:
            return json.elements.compactMap { $0.string?.string }.map(family)
                .joined(separator: ", ")
        case .shadow:
            let shadows = json.kind == .array ? Array(json.elements) : [json]
            let texts = shadows.compactMap(shadow)
            return texts.count == shadows.count ? texts.joined(separator: ", ") : nil
        default: return nil
        }
    }

    /// Generic families are words; others are strings.
    private static func family(_ name: String) -> String {
        let generic = [
            "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif",
            "ui-sans-serif", "ui-monospace", "ui-rounded", "math", "emoji",
        ]
        if generic.contains(name) { return name }
        var text: [UInt8] = []
        StyleText.append(string: name.utf8, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func shadow(_ json: JSONValue) -> String? {
        guard let color = json.member("color") else { return nil }
        var parts: [String] = json.member("inset")?.bool == true ? ["inset"] : []
        for name in ["offsetX", "offsetY", "blur", "spread"] as [StaticString] {
            guard let length = json.member(name) else { continue }
            guard let text = style(length) else { return nil }
            parts.append(text)
        }
        let text = JSONWriter.text { ColorForm.writeStyle(color, into: &$0) }
        return (parts + [String(decoding: text, as: UTF8.self)]).joined(separator: " ")
    }
}
