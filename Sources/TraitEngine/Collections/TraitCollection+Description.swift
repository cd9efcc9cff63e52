// Collections as UIKit prints them: only what is not default, names in UIKit's short forms.

extension TraitCollection: CustomStringConvertible {
    /// Such as `<UITraitCollection: UserInterfaceStyle = Dark, DisplayScale = 3>`, in catalogue
    /// order. A raw value without a name is printed as the number.
    public var description: String {
        let parts = nonDefaultTraits.compactMap { trait in
            definitions.definition(at: trait)?.printed(self[trait])
        }
        return parts.isEmpty
            ? "<UITraitCollection>" : "<UITraitCollection: \(parts.joined(separator: ", "))>"
    }
}

extension TraitDefinition {
    /// Such as `UserInterfaceStyle = Dark`.
    package func printed(_ value: TraitValue) -> String { printedName + " = " + print(value) }

    /// The one trait that UIKit prints under another name than its type's.
    fileprivate var printedName: String {
        origin == .system && key == "layoutDirection" ? "UserInterfaceLayoutDirection" : name
    }

    /// UIKit has no names for the cases of these and prints the number.
    private static let printedAsNumber: Set<String> = [
        "imageDynamicRange", "sceneCaptureState", "hdrHeadroomUsageLimit", "listEnvironment",
        "tabAccessoryEnvironment", "splitViewControllerLayoutEnvironment",
    ]

    private static let shortForms = [
        "leftToRight": "LTR", "rightToLeft": "RTL", "SRGB": "sRGB", "tv": "TV",
    ]

    fileprivate func print(_ value: TraitValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): value ? "true" : "false"
        case .int(let raw): printedCase(of: value) ?? String(raw)
        case .double(let number): Self.print(number)
        case .string(let string): print(string)
        case .structure(let values): "(" + values.map(print).joined(separator: ", ") + ")"
        case .json(let text): text
        case .opaque(let value): value.printed
        }
    }

    private func printedCase(of value: TraitValue) -> String? {
        guard let name = caseName(of: value) else { return nil }
        if !isSystem { return name }
        if Self.printedAsNumber.contains(key) { return nil }
        return Self.shortForms[name] ?? name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Integral numbers without a fraction, as `%g` prints them.
    private static func print(_ number: Double) -> String {
        let isSmall = number.magnitude < 0x1p62
        guard isSmall, Double(Int64(number)) == number else { return String(number) }
        return String(Int64(number))
    }

    private func print(_ string: String) -> String {
        let prefix = "UICTContentSizeCategory"
        guard isSystem, string.hasPrefix(prefix) else { return string }
        return String(string.dropFirst(prefix.count))
    }
}
