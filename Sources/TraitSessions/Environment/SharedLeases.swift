// Leases of sessions that several processes serve: the notes of this process for the others, and their notes.

import SessionLog
import Synchronization

/// Belongs to a store. Its lock is taken while those of sessions are held, and no other one while this is held.
final class SharedLeases: Sendable {
    private struct Seen {
        var state: LogLeases.State
        /// When a note of the lease came last, in milliseconds of `SessionEnvironment.uptime`.
        var renewedAt: Int64
    }

    private struct State {
        var untold: [LogLease: LeaseNote] = [:]
        var seen: [LogLease: Seen] = [:]
        var mark: Int64?
    }

    private let process: String
    private let environment: SessionEnvironment
    private let state = Mutex(State())

    /// Longer than the `ttl` of any registration, in milliseconds.
    private static let ttlMax: Int64 = 604_800_000

    init(process: String, _ environment: SessionEnvironment) {
        self.process = process
        self.environment = environment
    }

    // MARK: - Notes of this process

    /// Adds a note of a lease to the next question to the log, from which the other processes read it.
    func note(_ lease: LogLease, _ note: LeaseNote) {
        state.withLock { $0.untold[lease] = note }
    }

    /// The notes that the log does not have yet; nil for none. `settle` follows.
    func takeUntold() -> LeaseNotes? {
        let untold = state.withLock { state in
            defer { state.untold = [:] }
            return state.untold
        }
        if untold.isEmpty { return nil }
        var notes = LeaseNotes(process: process)
        notes.byLease = untold
        return notes
    }

    /// Takes over the log's answer. Notes that may not be in the log are sent again.
    func settle(_ question: LogQuestion, _ answer: Result<LogHeads, LogFailure>) {
        switch answer {
        case .success(let heads):
            guard let leases = heads.leases else { return }
            // Outside of the lock, for which shards wait: answers come one after another.
            let before = state.withLock(\.seen)
            let now = environment.uptime()
            let seen = Self.merged(before, leases, at: now)
            // Those of registrations that ended while no process knew them.
            let over = leases.states.keys.filter {
                seen[$0].map { !$0.state.isHeld && now - $0.renewedAt > Self.ttlMax } ?? false
            }
            state.withLock { state in
                state.seen = seen
                state.mark = leases.mark
                for lease in over where state.untold[lease] == nil { state.untold[lease] = .gone }
            }
        case .failure:
            guard let notes = question.leaseNotes else { return }
            state.withLock { $0.untold.merge(notes.byLease) { newer, _ in newer } }
        }
    }

    // MARK: - Notes of the other processes

    /// Notes that came later than those known here have greater changes; nil while that is not known, and no lease
    /// may be ended.
    var mark: Int64? { state.withLock(\.mark) }

    /// The notes that are known here are not the newest ones.
    func forgetMark() { state.withLock { $0.mark = nil } }

    /// When some process renewed a lease last, as this process has seen it; nil if no note of it is known.
    func renewal(of lease: LogLease) -> Int64? {
        state.withLock { state in
            state.seen[lease].map { $0.state.isHeld ? environment.uptime() : $0.renewedAt }
        }
    }

    /// The states of all leases after another answer. O(leases).
    private static func merged(
        _ before: [LogLease: Seen], _ leases: LogLeases, at now: Int64
    ) -> [LogLease: Seen] {
        var seen = before
        for (lease, told) in leases.states {
            let last = seen[lease]
            // A lease is new, was renewed, or was held by a process that has died.
            let isRenewed =
                told.isHeld || last.map { told.change > $0.state.change || $0.state.isHeld } ?? true
            seen[lease] = Seen(state: told, renewedAt: isRenewed ? now : last?.renewedAt ?? now)
        }
        for (lease, last) in before where leases.states[lease] == nil {
            if last.state.isHeld {
                seen[lease]?.state.isHeld = false
                seen[lease]?.renewedAt = now
            } else if now - last.renewedAt > ttlMax {
                seen[lease] = nil
            }
        }
        return seen
    }
}
