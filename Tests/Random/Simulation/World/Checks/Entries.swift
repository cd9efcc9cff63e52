// What the logs of all replicas have told of entries: one revision is one entry, whoever tells it.

import SessionLog
import Synchronization

final class ToldEntries {
    private let world: World
    /// Each session's entries by revision, from 1 on; nil for one that no server has answered.
    private(set) var byName: [String: [LogEntry?]] = [:]

    init(_ world: World) { self.world = world }

    func collector(of replica: Int) -> any LogFollower { Collector(self, replica) }

    func take(_ entries: [LogEntry], of session: LogSession, from teller: String) {
        // Names of sessions that are deleted come again.
        guard world.names.contains(session.name) else { return }
        var known = byName[session.name] ?? []
        defer { byName[session.name] = known }
        for entry in entries {
            let place = Int(entry.revision) - 1
            while known.count <= place { known.append(nil) }
            guard let present = known[place] else {
                known[place] = entry
                continue
            }
            if present.checksum != entry.checksum {
                world.found(
                    "revision \(entry.revision) of '\(session.name)' is two entries; \(teller) tells the second one"
                )
            }
        }
    }

    private final class Collector: LogFollower, @unchecked Sendable {
        private let all: ToldEntries
        private let replica: Int

        init(_ all: ToldEntries, _ replica: Int) {
            self.all = all
            self.replica = replica
        }

        func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool) {
            all.take(entries, of: session, from: "replica \(replica)")
        }

        func lostTrack(of session: LogSession) {}
    }
}
