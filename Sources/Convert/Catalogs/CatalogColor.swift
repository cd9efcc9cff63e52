// A colour of an asset catalog as a colour object of the Design Tokens Color Module 2025.10.

import Glibc
import JSONCodec

enum CatalogColor {
    /// Xcode's names of colour spaces, with those of the module. Extended spaces may have components outside of 0…1.
    private static let spaces = [
        "srgb": "srgb", "extended-srgb": "srgb", "extended-linear-srgb": "srgb-linear",
        "display-p3": "display-p3", "gray-gamma-22": "srgb", "extended-gray": "srgb",
    ]

    /// `{"colorSpace","components","alpha"}`, or for a colour of the system its name as a string.
    static func read(_ color: SourceValue) throws(ConversionError) -> [UInt8] {
        if let reference = try color.object().string("reference") {
            return JSONWriter.text { $0.value(reference) }
        }
        let space = try color.required("color-space")
        let name = try space.string()
        guard let target = spaces[name] else {
            throw space.error("'\(name)' is no known colour space")
        }
        let components = try color.required("components").object()
        let values: [Double]
        if components.member("white") != nil {
            let white = try number("white", of: components)
            values = [white, white, white]
        } else {
            values = [
                try number("red", of: components), try number("green", of: components),
                try number("blue", of: components),
            ]
        }
        let alpha = components.member("alpha") == nil ? 1 : try number("alpha", of: components)
        return JSONWriter.text { json in
            json.beginObject()
            json.member("colorSpace", target)
            json.beginArray("components")
            for value in values { json.value(value) }
            json.endArray()
            if alpha != 1 { json.member("alpha", alpha) }
            json.endObject()
        }
    }

    /// `0.12` and `1.000` are fractions; `0x1F` and `31` are of 255. An alpha of 0 or 1 is a fraction, too.
    private static func number(
        _ name: StaticString, of components: SourceValue
    ) throws(ConversionError) -> Double {
        let value = try components.required(name)
        let text: String
        switch value.json.kind {
        case .string: text = try value.string()
        case .number: text = String(decoding: value.json.rawBytes, as: UTF8.self)
        default: throw value.error("a component is a number, or a string with one")
        }
        let isAlpha = "\(name)" == "alpha"
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            if let byte = UInt8(text.dropFirst(2), radix: 16) { return Double(byte) / 255 }
        } else if let integer = Int(text) {
            // An extended space has more than 255, too.
            return isAlpha && (0...1).contains(integer) ? Double(integer) : Double(integer) / 255
        } else if let number = Double(text), number.isFinite {
            return number
        }
        throw value.error("'\(text)' is no component: 0.12, 31 and 0x1F are some")
    }
}
