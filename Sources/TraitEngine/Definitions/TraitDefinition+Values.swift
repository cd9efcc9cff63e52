// The values of a trait, the names of its cases, and the text of the error for other values.

extension TraitDefinition {
    public var isSystem: Bool { origin == .system || origin == .systemPrivate }

    /// The value that stands for "not specified": a system trait's default. A custom trait has
    /// none, as UIKit knows no unspecified value for it.
    public var unspecifiedValue: TraitValue? { origin == .system ? defaultValue : nil }

    /// Whether the value is unset: null, or the default of a system trait. It then means that nothing specifies the
    /// trait. The default of a custom trait is a value like any other. Style sheets, design tokens and flags all
    /// follow this rule.
    package func isUnset(_ value: TraitValue) -> Bool {
        switch value {
        case .null: true
        case _ where origin == .custom: false
        default: value == unspecifiedValue
        }
    }

    /// Whether clients should no longer set the value. O(cases).
    package func deprecates(_ value: TraitValue) -> Bool {
        if isDeprecated { return true }
        if deprecatedCases.isEmpty { return false }
        return caseName(of: value).map { name in
            deprecatedCases.contains { TraitValue.isSameUTF8($0, name) }
        } ?? false
    }

    /// Whether the value is one of the trait's.
    ///
    /// UIKit does not validate raw values: for a system trait every integer is one. A custom
    /// enumeration takes its cases only. NaN would differ from itself for ever and infinities
    /// cannot travel, so a number is finite. O(cases).
    public func accepts(_ value: TraitValue) -> Bool {
        switch (type, value) {
        case (_, .null): isNullable
        case (.bool, .bool), (.int, .int), (.json, .json): true
        case (.string, .string(let text)): !notes.isCSS || StyleValue.isBalanced(text)
        case (.double, .double(let number)): number.isFinite
        case (.enumeration(let cases), .int(let raw)):
            isSystem || cases.contains { $0.raw == raw }
        case (.stringEnumeration(let cases), .string(let raw)):
            cases.contains { TraitValue.isSameUTF8($0.raw, raw) }
        case (.structure(let fields), .structure(let values)):
            fields.count == values.count
                && zip(fields, values).allSatisfy { Self.accepts($1, as: $0.type) }
        case (.opaque, .opaque(let value)): value.equalsItself
        default: false
        }
    }

    private static func accepts(_ value: TraitValue, as type: StructField.Scalar) -> Bool {
        switch (type, value) {
        case (.bool, .bool), (.int, .int), (.string, .string): true
        case (.json, .json), (.json, .null): true
        case (.double, .double(let number)): number.isFinite
        default: false
        }
    }

    /// A phrase that completes "expected …", such as
    /// "one of light, dark, unspecified or an integer".
    public var expectation: String {
        let phrase =
            switch type {
            case .bool: "true or false"
            case .int: "an integer"
            case .double: "a finite number"
            case .string where notes.isCSS:
                "text of CSS, with quotes, brackets and comments closed, ; and ! in brackets or quotes alone, and without </, <!, controls, and \\ outside of quotes"
            case .string: "a string"
            case .enumeration(let cases):
                Self.listing(cases.map(\.name), alias: isSystem)
                    + (isSystem ? " or an integer" : "")
            case .stringEnumeration(let cases):
                Self.listing(cases.map(\.name), alias: isSystem)
            case .structure(let fields):
                "a structure of "
                    + fields.map { "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", ")
            case .json: "JSON"
            case .opaque: "a Swift value that equals itself"
            }
        return isNullable && type != .json ? phrase + " or null" : phrase
    }

    /// The unspecified case comes last, and where UIKit has none it is still understood.
    private static func listing(_ names: [String], alias: Bool) -> String {
        let shownMax = 16
        var shown = names.filter { $0 != "unspecified" }
        if shown.count > shownMax { shown = shown.prefix(shownMax) + ["…"] }
        if alias || names.contains("unspecified") { shown.append("unspecified") }
        return "one of " + shown.joined(separator: ", ")
    }

    /// The raw value of a case. For a system trait `unspecified` is always understood: it is an
    /// alias of `unknown` and `none` where UIKit has no such case. O(cases).
    public func value(ofCase name: String) -> TraitValue? {
        switch type {
        case .enumeration(let cases):
            if let match = cases.first(where: { TraitValue.isSameUTF8($0.name, name) }) {
                return .int(match.raw)
            }
        case .stringEnumeration(let cases):
            if let match = cases.first(where: { TraitValue.isSameUTF8($0.name, name) }) {
                return .string(match.raw)
            }
        default: break
        }
        return name == "unspecified" ? unspecifiedValue : nil
    }

    /// The name of the case with this raw value; nil for raw values outside the cases.
    public func caseName(of value: TraitValue) -> String? {
        switch (type, value) {
        case (.enumeration(let cases), .int(let raw)):
            cases.first { $0.raw == raw }?.name
        case (.stringEnumeration(let cases), .string(let raw)):
            cases.first { TraitValue.isSameUTF8($0.raw, raw) }?.name
        default: nil
        }
    }
}
