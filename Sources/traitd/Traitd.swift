// The command: what `traitd` can be told to do.

import ArgumentParser

@main
struct Traitd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "traitd",
        abstract:
            "Holds named hierarchies, resolves traits in them as UIKit does, and streams what changes.",
        version: "traitd \(Version.current)",
        subcommands: [
            Serve.self, HealthCheck.self, TokenCommand.self, Check.self, Recover.self, Export.self,
            Import.self, Backup.self,
        ],
        defaultSubcommand: Serve.self)
}

enum Version {
    static let current = "0.1.0"
}
