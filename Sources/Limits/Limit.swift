// Describes a limit: its name, bounds and texts. Settings, docs/limits.md and refusals are made from
// the tables of these descriptions.

/// The consequence of exceeding a limit.
package enum LimitConsequence: Sendable {
    /// A request is refused with this status and this code.
    case refused(status: Int, code: StaticString)
    /// Something else, in a few words.
    case effect(StaticString)
}

/// One limit of `Root`.
package struct Limit<Root>: Sendable {
    /// As refusals name it, the unit last.
    package let name: StaticString
    /// The values that it may be set to, in the unit of its name; nil for a constant. The default may
    /// lie outside: `Int.max` means that there is no limit.
    package let bounds: ClosedRange<Int>?
    package let beyond: LimitConsequence
    /// The limited quantity, as a sentence.
    package let help: String
    /// Where it is kept, in the structure that declares it.
    package let property: any AnyKeyPath & Sendable
    package let get: @Sendable (Root) -> Int
    package let set: @Sendable (inout Root, Int) -> Void
}

extension Limit {
    /// A limit that is kept in the unit of its name.
    package init(
        _ name: StaticString, _ property: any WritableKeyPath<Root, Int> & Sendable,
        _ bounds: ClosedRange<Int>? = nil, beyond: LimitConsequence, help: String
    ) {
        self.init(
            name: name, bounds: bounds, beyond: beyond, help: help, property: property,
            get: { $0[keyPath: property] }, set: { $0[keyPath: property] = $1 })
    }

    /// A time in seconds; fractions count as whole ones.
    package init(
        _ name: StaticString, seconds property: any WritableKeyPath<Root, Double> & Sendable,
        _ bounds: ClosedRange<Int>? = nil, beyond: LimitConsequence, help: String
    ) {
        self.init(
            name: name, bounds: bounds, beyond: beyond, help: help, property: property,
            get: { Int(min(max($0[keyPath: property].rounded(.up), 0), 1_000_000_000)) },
            set: { $0[keyPath: property] = Double($1) })
    }

    /// A time that is kept in milliseconds and named in seconds.
    package init(
        _ name: StaticString, milliseconds property: any WritableKeyPath<Root, Int64> & Sendable,
        _ bounds: ClosedRange<Int>? = nil, beyond: LimitConsequence, help: String
    ) {
        self.init(
            name: name, bounds: bounds, beyond: beyond, help: help, property: property,
            get: { Int(clamping: $0[keyPath: property] / 1_000) },
            set: { $0[keyPath: property] = Int64($1) * 1_000 })
    }

    /// This limit as a limit of a structure that holds `Root`.
    package func within<Outer>(
        _ path: any WritableKeyPath<Outer, Root> & Sendable
    ) -> Limit<Outer> {
        Limit<Outer>(
            name: name, bounds: bounds, beyond: beyond, help: help, property: property,
            get: { get($0[keyPath: path]) }, set: { set(&$0[keyPath: path], $1) })
    }

    /// As `--limit` names it: `bodyBytesMax` is `body-bytes-max`.
    package var settingName: String {
        name.description.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
    }
}
