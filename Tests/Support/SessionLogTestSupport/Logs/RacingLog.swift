// Another writer, at the worst moment: between what this writer has read and what it appends.

import SessionLog
import Synchronization

/// Runs what the test says just before an append reaches the log below.
///
/// Two writers over one log: give one of them `RacingLog(shared)` and the other one `shared`.
package final class RacingLog: LogWrapper {
    package typealias Race = @Sendable (any SessionLog) -> Void

    package let base: any SessionLog
    private let races = Mutex<[Race]>([])

    package init(_ base: any SessionLog = MemoryLog()) {
        self.base = base
    }

    /// Adds what the other writer does before the next append that no race is planned for yet.
    package func beforeNextAppend(_ race: @escaping Race) {
        races.withLock { $0.append(race) }
    }

    /// Races that have not been run.
    package var racesLeft: Int { races.withLock { $0.count } }

    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        let race = races.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        race?(base)
        return base.append(batch)
    }
}
