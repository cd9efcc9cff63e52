// The sources of settings: an option, else the environment, else a file, else the default. Settings
// from the environment and the file are put among the arguments before these are parsed, so that
// the same code reads and checks every value.

import ArgumentParser
import Glibc
import SessionViews
import Synchronization
import TraitJSON
import TraitService
import TraitSessions

/// The settings that the environment and a file give, by option.
struct Configuration: Sendable {
    struct Given: Sendable {
        let values: [String]
        /// `TRAITD_PORT`, or the path of the file and the line in it: `traitd.json:3`.
        let source: String
    }

    /// Empty when nothing is given.
    private(set) var given: [String: Given] = [:]
    /// What is no setting, in variables and in the file.
    private(set) var faults: [Fault] = []

    /// The settings with which this process was started, for those that show them.
    static let current = Mutex(Configuration())

    /// - Parameters:
    ///   - arguments: what follows the command; options among them win.
    ///   - environment: the variables of the process.
    static func read(arguments: [String], environment: [String: String]) -> Configuration {
        var configuration = Configuration()
        let names = settingNames(in: arguments)
        var variables = configuration.variables(environment)
        let path =
            values(of: "config", in: arguments).last ?? variables.removeValue(forKey: "config")
        if let path {
            let file = ConfigurationFile.read(path)
            configuration.faults += file.faults
            for (name, member) in file.members where !names.contains(name) {
                configuration.given[name] = Given(
                    values: member.values, source: "\(path):\(member.line)")
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
            guard shape.isFlag else { return given.values.map(shape.argument) }
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

    /// - Throws: all that is no setting.
    func checkNames() throws(Fault) {
        guard let first = faults.first else { return }
        throw Fault(faults.flatMap(\.texts), code: first.code, label: first.label)
    }

    /// Which of the settings that a message names do not come from an option, and where from.
    func origins(in message: String) -> [(setting: SettingShape, source: String)] {
        // A flag is named without its dashes where it has another value than true and false.
        let words = Set(
            message.utf8.split { !Self.isOfName($0) }.map { String(decoding: $0, as: UTF8.self) })
        return SettingTable.all.compactMap { setting in
            let isNamed =
                words.contains(setting.option) || message.hasPrefix("\(setting.option) ")
                || message.hasPrefix("\(setting.name) ")
            return isNamed ? given[setting.name].map { (setting, $0.source) } : nil
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    mutating func remove(_ name: String) { given[name] = nil }

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

    /// The settings among arguments: the options, and the limits that `--limit` names.
    static func settingNames(in arguments: [String]) -> Set<String> {
        optionNames(in: arguments).union(
            values(of: "limit", in: arguments).compactMap {
                $0.cut(at: UInt8(ascii: "="))?.before
            })
    }

    static func values(of name: String, in arguments: [String]) -> [String] {
        arguments.indices.compactMap { index in
            if arguments[index] == "--\(name)" { return arguments.dropFirst(index + 1).first }
            guard arguments[index].begins(with: "--\(name)=") else { return nil }
            return arguments[index].cut(at: UInt8(ascii: "="))?.after
        }
    }

    // MARK: - The environment

    /// The variables that are settings, by option. The others are faults.
    private mutating func variables(_ environment: [String: String]) -> [String: String] {
        let known = Dictionary(
            uniqueKeysWithValues: (SettingTable.all.map { ($0.variable, $0.name) })
                + [(Self.configVariable, "config")])
        var found: [String: String] = [:]
        for (variable, value) in environment.sorted(by: { $0.key < $1.key })
        where variable.begins(with: SettingShape.variablePrefix)
            && variable != ServerOptions.tokenVariable && !Self.isServiceLink(variable, value)
        {
            guard let name = known[variable] else {
                faults.append(
                    Fault(
                        "\(variable) is no setting."
                            + Self.didYouMean(variable, among: known.keys.sorted())
                            + " `traitd serve --print-config` lists all.",
                        code: ExitCode.validationFailure.rawValue, label: "Error: "))
                continue
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
