// The option that sets limits: those whose table entries have bounds.

import ArgumentParser
import Limits
import SessionViews
import TraitService
import TraitSessions

struct LimitOptions: ParsableArguments {
    static let settable = AllLimits.all.filter { $0.bounds != nil }

    @Option(
        help: ArgumentHelp(
            "Set a limit, as nodes-max=1000. May be repeated.",
            discussion:
                "docs/limits.md lists the names and ranges. `traitd serve --print-config` shows all "
                + "values; there nodes-max is nodesMax, as in a file.",
            valueName: "name=value"),
        completion: .list(Self.settable.map { "\($0.settingName)=" }))
    var limit: [String] = []

    func validate() throws {
        for text in limit { _ = try Self.read(text) }
    }

    /// All limits, with those that were given. The last value of a limit wins.
    var limits: AllLimits {
        var limits = AllLimits()
        // `validate` has refused what cannot be read.
        for case let given? in limit.map({ try? Self.read($0) }) {
            given.limit.set(&limits, given.value)
        }
        return limits
    }

    private static func read(_ text: String) throws -> (limit: Limit<AllLimits>, value: Int) {
        guard let pair = text.cut(at: UInt8(ascii: "=")) else {
            throw ValidationError("--limit takes name=value, as nodes-max=1000, not '\(text)'.")
        }
        let name = pair.before
        guard let limit = settable.first(where: { $0.settingName == name }),
            let bounds = limit.bounds
        else {
            let isConstant = AllLimits.all.contains { $0.settingName == name }
            throw ValidationError(
                isConstant
                    ? "--limit: '\(name)' is a constant."
                    : "--limit: '\(name)' is no limit."
                        + Configuration.didYouMean(name, among: settable.map(\.settingName)))
        }
        let range = "from \(bounds.lowerBound) to \(bounds.upperBound)"
        guard let value = WholeNumber.read(pair.after) else {
            throw ValidationError(
                "--limit \(name) takes a whole number \(range), not '\(pair.after)'.")
        }
        guard bounds.contains(value) || value == limit.get(AllLimits()) else {
            throw ValidationError("--limit \(name) goes \(range).")
        }
        return (limit, value)
    }

    /// - Throws: what to write for a limit that is given as an option of its own.
    static func checkForm(_ arguments: [String]) throws(Fault) {
        let options = Configuration.optionNames(in: arguments)
        for name in settable.map(\.settingName) where options.contains(name) {
            let value = Configuration.values(of: name, in: arguments).last ?? "N"
            throw Fault(
                "Unknown option '--\(name)'. Write --limit \(name)=\(value).",
                code: ExitCode.validationFailure.rawValue, label: "Error: ")
        }
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
