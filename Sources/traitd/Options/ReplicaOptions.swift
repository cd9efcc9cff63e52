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
            "A revision that this server does not apply, as it ends the server. The session stays before it; the others are served. May be repeated.",
            valueName: "uid:revision"))
    var refuse: [RefusedRevision] = []

    /// The lowest revision of each session.
    var refusals: [String: Int64] {
        Dictionary(refuse.map { ($0.uid, $0.revision) }, uniquingKeysWith: min)
    }

    func validate() throws {
        if let replicaId, !ReplicaName.isValid(replicaId) {
            throw ValidationError(
                "--replica-id has 1 to 64 letters (a-z, A-Z), digits, dots, hyphens and underscores, and begins with a letter or a digit."
            )
        }
    }
}

/// The uid of a session and a revision of it, with a colon between.
struct RefusedRevision: ExpressibleByArgument, CustomStringConvertible {
    let uid: String
    let revision: Int64

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let revision = Int64(parts[1]), revision > 0
        else { return nil }
        uid = String(parts[0])
        self.revision = revision
    }

    var description: String { "\(uid):\(revision)" }
}
