// The answers that calls give as values.

/// The answer to a write.
public struct TraitCommit: Sendable, Hashable {
    /// The session's revision after the write.
    public let revision: Int64
    /// What identifies the session, also if another one gets its name later.
    public let uid: String
    /// How many registrations the commit notifies.
    public let notified: Int64
    /// Whether the write changed nothing, so that there was no commit.
    public let isUnchanged: Bool
    /// Whether the write was a dry run.
    public let isDryRun: Bool
    /// Of a dry run of `apply`: what carries out exactly this plan.
    public let planToken: String?
    /// The whole answer.
    public let body: TraitValue

    package init?(_ body: TraitValue) {
        guard let revision = body["revision"]?.integer, let uid = body["uid"]?.string else {
            return nil
        }
        self.revision = revision
        self.uid = uid
        self.body = body
        notified = body["notified"]?.integer ?? 0
        isUnchanged = body["unchanged"]?.bool ?? false
        isDryRun = body["dryRun"]?.bool ?? false
        planToken = body["planToken"]?.string
    }
}

/// What traits resolve to, all at one revision.
public struct TraitResolution: Sendable, Hashable {
    /// The revision at which the values were read.
    public let revision: Int64
    /// Values by node and trait.
    public let values: [String: [String: TraitValue]]

    package init?(_ body: TraitValue) {
        guard let revision = body["revision"]?.integer, let nodes = body["nodes"]?.array else {
            return nil
        }
        var values: [String: [String: TraitValue]] = [:]
        for resolved in nodes {
            guard let node = resolved["node"]?.string, let traits = resolved["traits"]?.object
            else { return nil }
            values[node] = Dictionary(traits.map { ($0.name, $0.value) }) { _, last in last }
        }
        (self.revision, self.values) = (revision, values)
    }
}
