// The command `traitd`: its subcommands, and the sources of its settings.

import ArgumentParser
import Glibc
import JSONCodec
import Logging
import SessionViews
import TraitService
import TraitSessions

struct Traitd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "traitd",
        abstract:
            "Holds named hierarchies, resolves traits in them as UIKit does, and streams what changes.",
        discussion: """
            Without a subcommand, traitd runs `serve`. `traitd serve --help` lists its options. Each \
            option and each limit can also be given as a variable (--port as TRAITD_PORT) or as a member \
            of the JSON file that --config or TRAITD_CONFIG names (\"port\": 8080): an option wins over a \
            variable, a variable over the file. `traitd serve --print-config` shows each setting in effect \
            and its source, and `traitd serve --check-config` all that is wrong with them. A running server \
            describes its interface at /openapi.yaml.

            traitd                            sessions in memory, at http://127.0.0.1:8080
            traitd --data-dir ~/sessions      sessions that survive a restart and a crash
            traitd --load mail.json           with a session from a file
            traitd --version --json           the version, the commit and its time, as JSON
            """,
        version: Version.text,
        subcommands: [
            Serve.self, HealthCheck.self, TokenCommand.self, Check.self, Recover.self, Export.self,
            Import.self, Backup.self, LogCommand.self, Apply.self, History.self, RevertCommand.self,
            Render.self, ConvertCommand.self, Top.self,
        ],
        defaultSubcommand: Serve.self)
}

@main
enum Main {
    static func main() {
        reserveStandardDescriptors()
        ProcessSpace.prepare { bytes in
            say(
                "traitd: the system refuses \(bytes) bytes of memory more; raise ulimit -v and -d, or the memory of the machine"
            )
            _exit(Exit.refusedBySystem)
        }
        var configuration = Configuration()
        do {
            let arguments = try ProcessArguments.read()
            if arguments.sorted() == ["--json", "--version"] {
                try printLine(Version.json)
                exit(0)
            }
            try checkCommand(arguments)
            var given = arguments
            if readsSettings(arguments) {
                if !isHealthCheck(arguments) { try LimitOptions.checkForm(arguments) }
                configuration = Configuration.read(
                    arguments: arguments, environment: Configuration.processEnvironment())
                if Configuration.optionNames(in: arguments).contains("check-config") {
                    try ConfigurationCheck.run(arguments, configuration)
                }
                try configuration.checkNames()
                if !isHealthCheck(arguments) { given += try configuration.arguments() }
                Configuration.current.withLock { [configuration] in $0 = configuration }
            }
            var command = try Traitd.parseAsRoot(Configuration.separated(given))
            try command.run()
        } catch {
            if let fault = Fault(error) { end(with: fault) }
            if Traitd.exitCode(for: error) == .success {
                do {
                    try printLine(Traitd.fullMessage(for: error))
                    exit(0)
                } catch { end(with: error) }
            }
            // A value may be wrong that the arguments do not show.
            for origin in configuration.origins(in: Traitd.message(for: error)) {
                say("\(origin.setting.option) comes from \(origin.source).")
            }
            // Some of the text is what was given, with the secrets that are in it.
            let text = SafeText.hidingSecrets(Traitd.fullMessage(for: error))
            if !text.isEmpty { say(text) }
            exit(Traitd.exitCode(for: error).rawValue)
        }
    }

    private static func end(with fault: Fault) -> Never {
        fault.tell()
        exit(fault.code)
    }

    /// The parser of arguments takes a word that is no command for an argument of `serve`.
    private static func checkCommand(_ arguments: [String]) throws {
        var command: any ParsableCommand.Type = Traitd.self
        for word in arguments where word != "help" {
            let known = command.configuration.subcommands
            if word.hasPrefix("-") || known.isEmpty { return }
            guard let next = known.first(where: { $0._commandName == word }) else {
                let name = command == Traitd.self ? "traitd" : "traitd \(command._commandName)"
                throw Fault(
                    "'\(word)' is no command of \(name)."
                        + Configuration.didYouMean(word, among: known.map { $0._commandName })
                        + " `\(name) --help` lists all.",
                    code: ExitCode.validationFailure.rawValue, label: "Error: ")
            }
            command = next
        }
    }

    /// Takes the numbers of standard descriptors that are closed. A socket or a file with such a number would get what
    /// is printed and logged. Writing to these descriptors still fails.
    private static func reserveStandardDescriptors() {
        var descriptor = STDIN_FILENO
        while (STDIN_FILENO...STDERR_FILENO).contains(descriptor) {
            descriptor = open("/dev/null", O_RDONLY)
        }
        if descriptor >= 0 { close(descriptor) }
    }

    private static func isHealthCheck(_ arguments: [String]) -> Bool {
        arguments.first == HealthCheck.configuration.commandName
    }

    /// Whether these arguments are for a command with settings, and not for some text of the parser's.
    private static func readsSettings(_ arguments: [String]) -> Bool {
        let texts: Set = ["-h", "--help", "-help", "--version", "--help-hidden"]
        if arguments.contains(where: texts.contains) { return false }
        guard let first = arguments.first, !first.hasPrefix("-") else { return true }
        return first == Serve._commandName || isHealthCheck(arguments)
    }
}
