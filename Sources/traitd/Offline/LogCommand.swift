// `traitd log`: what an operator does with the log that servers share.

import ArgumentParser
import EtcdLog
import SessionLog

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Look at the log that servers share, and take it over after a restore.",
        subcommands: [LogStatusCommand.self, LogAdopt.self])
}

/// The log in etcd that a command names.
struct NamedLogOptions: ParsableArguments {
    @OptionGroup(title: "The log that servers share")
    var sharing: SharedLogOptions

    func validate() throws {
        _ = try settings()
    }

    func settings() throws -> EtcdLogOptions {
        guard let settings = try sharing.settings() else {
            throw ValidationError("Give --log, such as --log etcd=http://127.0.0.1:2379.")
        }
        return settings
    }
}
