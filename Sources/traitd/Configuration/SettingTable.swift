// All settings of `traitd serve`: its options, found by the same mirror in which ArgumentParser
// finds them, and the limits. So a new one can be set by the environment and by a file, and is shown,
// without a change here.

import ArgumentParser
import Ledger

/// The properties of a setting without its value.
struct SettingShape: Sendable, Hashable {
    /// The option without its dashes, `health-listen`, or the name that `--limit` takes.
    let name: String
    var isFlag = false
    /// Whether it may be repeated.
    var isList = false
    var isLimit = false

    /// What names it on the command line: `--health-listen`, `--limit nodes-max`.
    var option: String { isLimit ? "--limit \(name)" : "--\(name)" }

    /// The argument that sets it.
    func argument(_ value: String) -> String {
        "--\(isLimit ? "limit=" : "")\(name)=\(value)"
    }

    /// In a file: `healthListen`.
    var key: String {
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { text, word in
            text + word.prefix(1).uppercased() + word.dropFirst()
        }
    }

    /// In the environment: `TRAITD_HEALTH_LISTEN`.
    var variable: String {
        Self.variablePrefix
            + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    static let variablePrefix = "TRAITD_"
}

enum SettingTable {
    /// Options that say what to do once, and are no settings.
    private static let others: Set = ["config", "print-config", "check-config"]

    /// In the order in which the help lists the options; the limits are where `--limit` is.
    static let all: [SettingShape] = shapes(of: Serve()).flatMap { shape in
        if others.contains(shape.name) { return [SettingShape]() }
        guard shape.name == "limit" else { return [shape] }
        return LimitOptions.settable.map { SettingShape(name: $0.settingName, isLimit: true) }
    }

    /// The settings of a parsed command with their values; an option without a value and a default has
    /// none.
    static func values(of command: Serve) -> [String: String] {
        var values: [String: String] = [:]
        forEachOption(of: command) { values[$0] = $1.valueText }
        let limits = command.limiting.limits
        for limit in LimitOptions.settable {
            let value = limit.get(limits)
            values[limit.settingName] = value == .max ? "none" : "\(value)"
        }
        return values
    }

    /// The first option of a group without defaults that has a value.
    static func firstGiven(of group: some ParsableArguments) -> String? {
        var given: String?
        forEachOption(of: group) { name, option in
            if given == nil, let text = option.valueText, text != "false" { given = name }
        }
        return given
    }

    private static func shapes(of command: Serve) -> [SettingShape] {
        var shapes: [SettingShape] = []
        forEachOption(of: command) { name, option in
            shapes.append(
                SettingShape(
                    name: name, isFlag: type(of: option).isFlag, isList: type(of: option).isList))
        }
        return shapes
    }

    private static func forEachOption(
        of arguments: Any, _ body: (String, any SettingOption) -> Void
    ) {
        for child in Mirror(reflecting: arguments).children {
            if let option = child.value as? any SettingOption, let label = child.label {
                body(name(label), option)
            } else if let group = child.value as? any SettingGroup {
                forEachOption(of: group.arguments, body)
            }
        }
    }

    /// `_healthListen` is `health-listen`, as ArgumentParser has it.
    private static func name(_ label: String) -> String {
        label.drop { $0 == "_" }.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
    }
}

/// The common interface of the property wrappers of ArgumentParser.
private protocol SettingOption {
    static var isFlag: Bool { get }
    static var isList: Bool { get }
    /// The value as an option would be given it; nil without one.
    var valueText: String? { get }
}

private protocol SettingGroup {
    var arguments: Any { get }
}

extension Option: SettingOption {
    fileprivate static var isFlag: Bool { false }
    fileprivate static var isList: Bool { Value.self is any ListValue.Type }
    fileprivate var valueText: String? { SettingText.text(wrappedValue) }
}

extension Flag: SettingOption {
    fileprivate static var isFlag: Bool { true }
    fileprivate static var isList: Bool { false }
    fileprivate var valueText: String? { SettingText.text(wrappedValue) }
}

extension OptionGroup: SettingGroup {
    // Before parsing there is no wrapped value; the declarations are the same in a new one.
    fileprivate var arguments: Any { isParsed ? wrappedValue : Value() }

    private var isParsed: Bool {
        Mirror(reflecting: self).children.contains { child in
            guard child.label == "_parsedValue" else { return false }
            return Mirror(reflecting: child.value).children.first?.label == "value"
        }
    }
}

private protocol ListValue {
    var texts: [String] { get }
}

extension Array: ListValue {
    fileprivate var texts: [String] { compactMap { SettingText.text($0) } }
}

private protocol OptionalValue {
    var held: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var held: Any? { self }
}

private enum SettingText {
    /// Lists are separated by commas; an empty one has no text.
    static func text(_ value: Any) -> String? {
        if let optional = value as? any OptionalValue { return optional.held.flatMap(text) }
        if let list = value as? any ListValue {
            return list.texts.isEmpty ? nil : list.texts.joined(separator: ",")
        }
        if let size = value as? MemorySize { return "\(size.bytes)" }
        if let choice = value as? any RawRepresentable, let name = choice.rawValue as? String {
            return name
        }
        return "\(value)"
    }
}
