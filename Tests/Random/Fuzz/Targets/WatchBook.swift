// Watches belong to whoever made them: a commit can end them, and undoing it bring them back.

import TraitEngine

/// The watches of a run, and at which revision those that are over came to their end.
struct WatchBook {
    private var endings: [(watch: RegistrationIndex, endedAt: Int64?)] = []

    mutating func add(_ source: inout ByteSource, _ hierarchy: Hierarchy) {
        guard endings.count < 6 else { return }
        let operations = EngineOperations(hierarchy)
        guard let node = operations.node(&source) else { return }
        let traits = operations.traits(&source)
        guard let watch = try? hierarchy.addWatch(node: node, traits: traits) else { return }
        endings.append((watch, nil))
    }

    mutating func remove(_ source: inout ByteSource, _ hierarchy: Hierarchy) {
        guard !endings.isEmpty else { return }
        hierarchy.removeWatch(endings.remove(at: source.below(endings.count)).watch)
    }

    mutating func note(_ commit: Commit) {
        let ended = Set(commit.endedRegistrations.map(\.registration))
        for index in endings.indices
        where endings[index].endedAt == nil && ended.contains(endings[index].watch) {
            endings[index].endedAt = commit.revision
        }
    }

    /// - Parameter gone: watches whose nodes went with the commit that was undone.
    mutating func undone(_ gone: [RegistrationIndex], revision: Int64) {
        endings.removeAll { gone.contains($0.watch) }
        for index in endings.indices where (endings[index].endedAt ?? 0) > revision {
            endings[index].endedAt = nil
        }
    }

    mutating func acknowledged(through revision: Int64) {
        endings.removeAll { $0.endedAt.map { $0 <= revision } ?? false }
    }
}
