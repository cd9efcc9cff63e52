// What etcd has: the versions of each key, by revision, down to the revision that was compacted.

/// One version of a key, or its deletion.
struct EtcdVersion {
    let mod: Int64
    /// The revision that made the key.
    let create: Int64
    /// The changes since the key was made; 0 for a deletion.
    let version: Int64
    let value: [UInt8]
    let lease: Int64

    var isDeletion: Bool { version == 0 }
}

final class EtcdHistory {
    let key: [UInt8]
    var versions: [EtcdVersion]

    init(_ key: [UInt8], _ versions: [EtcdVersion] = []) {
        self.key = key
        self.versions = versions
    }

    /// The version that a read at a revision finds.
    func version(at revision: Int64) -> EtcdVersion? {
        guard let found = versions.last(where: { $0.mod <= revision }), !found.isDeletion else {
            return nil
        }
        return found
    }

    var newest: EtcdVersion? {
        guard let last = versions.last, !last.isDeletion else { return nil }
        return last
    }
}

struct EtcdChange {
    let history: EtcdHistory
    let version: EtcdVersion
}

struct EtcdModelStore {
    private(set) var revision: Int64 = 1
    private(set) var compacted: Int64 = -1
    /// By key.
    private var histories: [EtcdHistory] = []
    /// What watches read, by revision.
    private(set) var changes: [EtcdChange] = []
    /// The changes that are sealed; what follows is of the transaction under way.
    private var sealedCount = 0
    /// The bytes of all versions.
    private(set) var bytes: Int64 = 0

    /// What a version takes beside its key and its value.
    static let bytesForEach: Int64 = 128

    /// The revision that reads see: within a transaction that has changed something, the one to come.
    var readRevision: Int64 { changes.count > sealedCount ? revision + 1 : revision }

    // MARK: - Reading

    /// The place of the first key that is not before `key`. O(log keys).
    private func place(_ key: [UInt8]) -> Int {
        var low = 0
        var high = histories.count
        while low < high {
            let middle = (low + high) / 2
            if histories[middle].key.precedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func history(_ key: [UInt8]) -> EtcdHistory? {
        let place = place(key)
        guard place < histories.count, histories[place].key == key else { return nil }
        return histories[place]
    }

    /// Calls `body` with the keys that there are, in their order. O(log keys + keys of the range).
    func forEach(
        in keys: EtcdKeys, at revision: Int64, _ body: (EtcdHistory, EtcdVersion) -> Void
    ) {
        var place = place(keys.key)
        while place < histories.count {
            let history = histories[place]
            guard keys.contains(history.key) else { return }
            if let version = history.version(at: revision) { body(history, version) }
            place += 1
        }
    }

    // MARK: - Changing

    mutating func put(_ key: [UInt8], _ value: [UInt8], lease: Int64) {
        let place = place(key)
        if place == histories.count || histories[place].key != key {
            histories.insert(EtcdHistory(key), at: place)
        }
        let before = histories[place].newest
        append(
            EtcdVersion(
                mod: revision + 1, create: before?.create ?? revision + 1,
                version: (before?.version ?? 0) + 1, value: value, lease: lease),
            to: histories[place])
    }

    /// Returns what was deleted.
    mutating func delete(_ keys: EtcdKeys) -> [EtcdChange] {
        var deleted: [EtcdChange] = []
        forEach(in: keys, at: .max) { deleted.append(EtcdChange(history: $0, version: $1)) }
        for change in deleted {
            append(
                EtcdVersion(mod: revision + 1, create: 0, version: 0, value: [], lease: 0),
                to: change.history)
        }
        return deleted
    }

    private mutating func append(_ version: EtcdVersion, to history: EtcdHistory) {
        history.versions.append(version)
        changes.append(EtcdChange(history: history, version: version))
        bytes += Self.bytes(history, version)
    }

    /// Ends the transaction under way. Returns its changes, which have one revision.
    mutating func seal() -> ArraySlice<EtcdChange> {
        let sealed = changes[sealedCount...]
        if !sealed.isEmpty { revision += 1 }
        sealedCount = changes.count
        return sealed
    }

    /// The changes from a revision on.
    func changes(from revision: Int64) -> ArraySlice<EtcdChange> {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].version.mod < revision { low = middle + 1 } else { high = middle }
        }
        return changes[low...]
    }

    /// Forgets what no read at the revision or later sees. O(versions).
    mutating func compact(to revision: Int64) {
        compacted = revision
        bytes = 0
        for history in histories {
            let kept = history.versions.lastIndex { $0.mod <= revision } ?? 0
            history.versions.removeFirst(kept)
            if let first = history.versions.first, first.isDeletion, first.mod <= revision {
                history.versions.removeFirst()
            }
            for version in history.versions { bytes += Self.bytes(history, version) }
        }
        histories.removeAll { $0.versions.isEmpty }
        // etcd 3.4 forgets deletions of the compacted revision itself.
        changes.removeAll { change in
            change.version.mod < revision
                || change.version.mod == revision
                    && change.history.versions.first?.mod != revision
        }
        sealedCount = changes.count
    }

    /// The same with histories of its own.
    var copy: EtcdModelStore {
        var copy = self
        copy.histories = histories.map { EtcdHistory($0.key, $0.versions) }
        copy.changes = changes.map { change in
            EtcdChange(
                history: copy.history(change.history.key) ?? change.history, version: change.version
            )
        }
        return copy
    }

    private static func bytes(_ history: EtcdHistory, _ version: EtcdVersion) -> Int64 {
        bytesForEach + Int64(history.key.count + version.value.count)
    }
}
