// The options that set limits: one for each limit whose table entry has bounds.
//
// ArgumentParser finds the options of a type through its mirror, and gives their values to
// `init(from:)` under the same labels. So a mirror and a decoder that walk the tables take the place
// of some thirty declared properties.

import ArgumentParser
import Limits
import TraitService

struct LimitOptions: ParsableArguments, CustomReflectable {
    private static let settable = AllLimits.all.filter { $0.bounds != nil }

    /// The values as parsed; the defaults until then. In the order of `settable`.
    private var values: [LimitValue]

    init() {
        let defaults = AllLimits()
        values = Self.settable.map { LimitValue($0.get(defaults)) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Label.self)
        values = try Self.settable.map { limit in
            try container.decode(Option<LimitValue>.self, forKey: Label(limit)).wrappedValue
        }
    }

    var customMirror: Mirror {
        let options = zip(Self.settable, values).map { limit, value in
            Option(
                wrappedValue: value, name: .customLong(limit.optionName),
                help: ArgumentHelp("\(limit.help)", valueName: limit.unit))
        }
        let labels = Self.settable.map { Label($0).stringValue }
        return Mirror(
            self, children: zip(labels, options).map { (label: $0, value: $1) },
            displayStyle: .struct)
    }

    func validate() throws {
        let defaults = AllLimits()
        for (limit, value) in zip(Self.settable, values) {
            guard let bounds = limit.bounds else { continue }
            let range = "from \(bounds.lowerBound) to \(bounds.upperBound)"
            if let text = value.unread {
                throw ValidationError(
                    "--\(limit.optionName) takes a whole number \(range), not '\(text)'.")
            }
            if !bounds.contains(value.value), value.value != limit.get(defaults) {
                throw ValidationError("--\(limit.optionName) goes \(range).")
            }
        }
    }

    /// The values as they are shown, by option.
    var texts: [String: String] {
        Dictionary(
            uniqueKeysWithValues: zip(Self.settable, values).map { limit, value in
                (limit.optionName, "\(value)")
            })
    }

    /// The limits that were asked for.
    var limits: AllLimits {
        var limits = AllLimits()
        for (limit, value) in zip(Self.settable, values) { limit.set(&limits, value.value) }
        return limits
    }

    /// The place of an option's value among what was parsed.
    private struct Label: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ limit: Limit<AllLimits>) { stringValue = limit.name.description }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Whole numbers of options.
enum WholeNumber {
    /// The number; for one beyond `Int`, about the nearest `Int`, so that the range of the option refuses it.
    /// Nil for a text that is no whole number.
    static func read(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text.hasPrefix("-") ? .min : .max - 1
    }

    /// The number of an option that is no limit, as `read` reads it. Throws for other texts.
    static func checked(_ text: String) throws -> Int {
        guard let number = read(text) else { throw ValidationError("it has to be a whole number.") }
        return number
    }
}

/// The value of a limit; in the help, a default of `Int.max` reads as none.
private struct LimitValue: ExpressibleByArgument, Decodable {
    let value: Int
    /// The text of the option when it is no whole number. `validate` refuses it with the range.
    private(set) var unread: String?

    init(_ value: Int) { self.value = value }

    init(argument: String) {
        let number = WholeNumber.read(argument)
        value = number ?? 0
        if number == nil { unread = argument }
    }

    /// ArgumentParser's decoder holds a value of this type already.
    init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode(Self.self)
    }

    var defaultValueDescription: String { value == .max ? "no limit" : "\(value)" }
}

extension LimitValue: CustomStringConvertible {
    /// As `--print-config` shows it.
    var description: String { value == .max ? "none" : "\(value)" }
}
