// The sources of settings: an option, else the environment, else a file, else the default. Settings
// from the environment and the file are put among the arguments before these are parsed, so that
// the same code reads and checks every value.

import ArgumentParser
import Glibc
import Synchronization
import TraitService
import TraitSessions

/// The settings that the environment and a file give, by option.
struct Configuration: Sendable {
    struct Given: Sendable {
        let values: [String]
        /// `TRAITD_PORT`, or the path of the file.
        let source: String
    }

    /// Empty when nothing is given.
    private(set) var given: [String: Given] = [:]

    /// The settings with which this process was started, for those that show them.
    static let current = Mutex(Configuration())

    /// - Parameters:
    ///   - arguments: what follows the command; options among them win.
    ///   - environment: the variables of the process.
    /// - Throws: `ValidationError` for what is no setting, `Fault` for a file that cannot be read.
    static func read(
        arguments: [String], environment: [String: String]
    ) throws -> Configuration {
        var configuration = Configuration()
        let names = optionNames(in: arguments)
        var variables = try Self.variables(environment)
        let path = value(of: "config", in: arguments) ?? variables.removeValue(forKey: "config")
        if let path {
            for (name, values) in try ConfigurationFile.read(path) where !names.contains(name) {
                configuration.given[name] = Given(values: values, source: path)
            }
        }
        for shape in SettingTable.all where !names.contains(shape.name) {
            guard let text = variables[shape.name] else { continue }
            configuration.given[shape.name] = Given(
                values: shape.isList
                    ? text.parts(at: UInt8(ascii: ",")).filter { !$0.isEmpty }.map(\.trimmed)
                    : [text],
                source: shape.variable)
        }
        return configuration
    }

    /// The settings as options, for the parser.
    ///
    /// - Throws: `ValidationError` for a flag that is neither true nor false.
    func arguments() throws -> [String] {
        try SettingTable.all.flatMap { shape -> [String] in
            guard let given = given[shape.name] else { return [] }
            guard shape.isFlag else { return given.values.map { "--\(shape.name)=\($0)" } }
            switch given.values.first?.lowercased() {
            case "true", "1", "yes", "on": return ["--\(shape.name)"]
            case "false", "0", "no", "off": return []
            default:
                throw ValidationError(
                    "\(shape.name) takes true or false (also 1, yes, on, 0, no, off) in \(given.source), not "
                        + "'\(given.values.joined(separator: ","))'.")
            }
        }
    }

    /// Which of the settings that a message names do not come from an option, and where from.
    func origins(in message: String) -> [String] {
        given.sorted { $0.key < $1.key }.compactMap { name, given in
            message.contains("--\(name)") ? "--\(name) comes from \(given.source)." : nil
        }
    }

    /// Each setting with its value and where it comes from; tokens are hidden.
    func shown(_ command: Serve, options: Set<String>) -> [Observability.Setting] {
        let values = SettingTable.values(of: command).merging(command.effectiveDefaults) { $1 }
        return SettingTable.all.map { shape in
            let source =
                given[shape.name]?.source ?? (options.contains(shape.name) ? "option" : "default")
            return Observability.Setting(
                name: shape.key, value: SafeText.hidingSecrets(values[shape.name] ?? ""),
                source: SafeText.hidingSecrets(source))
        }
    }

    // MARK: - Options

    /// The arguments, with `--name=value` in two if the value begins with a combining character: the parser
    /// would take that character and the `=` for one character of the name.
    static func separated(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        return arguments[..<end].flatMap { argument -> [String] in
            guard argument.begins(with: "--"),
                let place = argument.utf8.firstIndex(of: UInt8(ascii: "=")),
                argument[place...].first != "=", let pair = argument.cut(at: UInt8(ascii: "="))
            else { return [argument] }
            return [pair.before, pair.after]
        } + arguments[end...]
    }

    /// The long options among arguments: those of this command have no others but `-h`.
    static func optionNames(in arguments: [String]) -> Set<String> {
        Set(
            arguments.prefix { $0 != "--" }.filter { $0.begins(with: "--") }.map {
                String(
                    decoding: $0.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self
                )
            })
    }

    private static func value(of name: String, in arguments: [String]) -> String? {
        var value: String?
        for (index, argument) in arguments.enumerated() {
            if argument.begins(with: "--\(name)=") {
                value = argument.cut(at: UInt8(ascii: "="))?.after
            } else if argument == "--\(name)", index + 1 < arguments.count {
                value = arguments[index + 1]
            }
        }
        return value
    }

    // MARK: - The environment

    /// The variables that are settings, by option.
    private static func variables(_ environment: [String: String]) throws -> [String: String] {
        let known = Dictionary(
            uniqueKeysWithValues: (SettingTable.all.map { ($0.variable, $0.name) })
                + [(configVariable, "config")])
        var found: [String: String] = [:]
        for (variable, value) in environment.sorted(by: { $0.key < $1.key })
        where variable.begins(with: SettingShape.variablePrefix)
            && variable != ServerOptions.tokenVariable && !isServiceLink(variable, value)
        {
            guard let name = known[variable] else {
                throw ValidationError(
                    "\(variable) is no setting." + didYouMean(variable, among: known.keys.sorted())
                        + " `traitd serve --print-config` lists all.")
            }
            found[name] = value
        }
        return found
    }

    private static let configVariable = "TRAITD_CONFIG"

    /// Whether Kubernetes sets the variable, in pods for a service named traitd unless `enableServiceLinks`
    /// is off: `TRAITD_SERVICE_HOST`, `TRAITD_PORT=tcp://10.0.0.1:80`, `TRAITD_PORT_80_TCP_ADDR`.
    private static func isServiceLink(_ variable: String, _ value: String) -> Bool {
        variable.begins(with: "TRAITD_SERVICE_") || variable.begins(with: "TRAITD_PORT_")
            || (variable == "TRAITD_PORT" && value.contains("://"))
    }

    static func didYouMean(_ name: String, among known: [String]) -> String {
        Suggestion.nearest(to: name, among: known).map { " Did you mean \($0)?" } ?? ""
    }

    /// The environment of this process.
    static func processEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        // clearenv() leaves no list at all.
        let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        guard var entry = list else { return [:] }
        while let text = entry.pointee {
            if let pair = String(cString: text).cut(at: UInt8(ascii: "=")) {
                variables[pair.before] = pair.after
            }
            entry += 1
        }
        return variables
    }
}

extension String {
    fileprivate var trimmed: String {
        var bytes = utf8[...]
        while bytes.first == 0x20 { bytes = bytes.dropFirst() }
        while bytes.last == 0x20 { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
