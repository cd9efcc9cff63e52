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
    /// Of `changed`: what the nodes show now of these traits; nothing for a node that the operations make.
    public let previous: [String: [String: TraitValue]]
    /// Of `changed`: how many nodes would differ.
    public let count: Int64?

    package init?(_ body: TraitValue) {
        guard let revision = body["revision"]?.integer, let nodes = body["nodes"]?.array else {
            return nil
        }
        guard let values = shown(nodes, "traits") else { return nil }
        (self.revision, self.values) = (revision, values)
        count = body["count"]?.integer
        previous = count == nil ? [:] : shown(nodes, "previous", orNone: [:]) ?? [:]
    }
}

/// What nodes show under one combination of assumptions.
public struct TraitVariant: Sendable, Hashable {
    /// The place in the answer, from 0.
    public let row: Int64
    /// The value of each axis, by the name of the axis.
    public let labels: [String: TraitValue]
    /// With `distinct`, how many combinations the row stands for; else nil.
    public let combinations: Int64?
    /// Values by node and trait.
    public let values: [String: [String: TraitValue]]
    /// The whole row, for example with colours and images.
    public let body: TraitValue

    package init?(_ body: TraitValue) {
        guard let row = body["row"]?.integer, let labels = body["labels"]?.object,
            let nodes = body["nodes"]?.array, let values = shown(nodes, "traits")
        else { return nil }
        self.row = row
        self.labels = Dictionary(labels.map { ($0.name, $0.value) }) { _, last in last }
        combinations = body["combinations"]?.integer
        self.values = values
        self.body = body
    }
}

/// A member of each node, by node; nil where one lacks it.
private func shown(
    _ nodes: [TraitValue], _ member: String, orNone none: TraitObject? = nil
) -> [String: [String: TraitValue]]? {
    var values: [String: [String: TraitValue]] = [:]
    for shown in nodes {
        guard let node = shown["node"]?.string, let traits = shown[member]?.object ?? none else {
            return nil
        }
        values[node] = Dictionary(traits.map { ($0.name, $0.value) }) { _, last in last }
    }
    return values
}
