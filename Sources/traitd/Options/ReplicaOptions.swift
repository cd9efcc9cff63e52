// How `traitd serve` answers over a log that servers share.

import ArgumentParser
import EtcdLog

struct ReplicaOptions: ParsableArguments {
    enum Consistency: String, ExpressibleByArgument, CaseIterable {
        case strong, local
    }

    @Option(
        help: ArgumentHelp(
            "Whether reads ask etcd for the newest state: strong, or local for what this server knows. A request's consistency= wins. (default: strong)",
            valueName: "strong|local"))
    var readConsistency: Consistency?

    @Flag(help: "Stay ready while etcd does not answer, for local reads and streams.")
    var readyWithoutLog = false

    @Option(
        help: ArgumentHelp(
            "The name of this server in 'traitd log status', metrics and logs. (default: random)",
            valueName: "name"))
    var replicaId: String?

    @Option(
        help: ArgumentHelp(
            "The file that names the entries which this server applies, so that an entry that ends the server twice is refused afterwards.",
            valueName: "path"))
    var crashMark: String?

    func validate() throws {
        if let replicaId, !ReplicaName.isValid(replicaId) {
            throw ValidationError(
                "--replica-id has 1 to 64 letters (a-z, A-Z), digits, dots, hyphens and underscores, and begins with a letter or a digit."
            )
        }
    }
}
