// States of the past that were rebuilt, by session and revision. Requests for the same wait for one rebuild. The
// result is kept for a minute after its last use, or until memory or room for another is short.

import Background
import Ledger
import Synchronization
import TraitJSON
import TraitSessions

/// Work that makes a result in steps of about a millisecond, restoring a state excepted.
protocol PastWork: AnyObject {
    /// The session that is there now.
    var origin: Session { get }
    /// The replay of the work; nil before and after.
    var replay: PastReplay? { get }
    /// Bytes of what it has made so far.
    var bytes: Int { get }
    /// Nil until the result is there.
    ///
    /// - Parameter memory: what was reserved for the work.
    func step(_ memory: MemoryReservation) throws(SessionError) -> PastResult?
}

extension PastWork {
    /// Bytes that it takes now.
    fileprivate var byteCount: Int { (replay?.state.countBytes().total ?? 0) + bytes }

    /// Bytes that the work will take, about: those of the present state, and one and a half times as many as those of
    /// its hierarchy for the text from which it is restored. With 100,000 values a rebuild took 43 MB, and the state
    /// 18.6 MB.
    fileprivate var estimatedBytes: Int {
        let present = origin.countBytesOrRecall()
        return present.hierarchy.total / 2 * 5 + present.rest
    }
}

/// Identifies a result: a state at a revision, those around its commit, changes through it, or replaced values.
struct PastKey: Hashable, Sendable {
    enum What: Hashable, Sendable {
        case state
        /// The states before and after the commit.
        case commit
        /// A state that belongs to reads of what is assumed: it is changed while they are answered.
        case assumable
        case changes(node: String, trait: String, from: Int64)
        case previous([Int64])
    }

    let uid: String
    let revision: Int64
    let what: What
}

/// A result: a `PastSession`, `PastCommit`, `ValueChanges` or `PreviousValues`.
struct PastResult: Sendable {
    let value: any Sendable
    let byteCount: Int
    /// What readers add to it.
    var rows: RowCache?

    var allBytes: Int { byteCount + (rows?.heldBytes ?? 0) }
}

/// The outcome of a request for a past state.
package enum PastFinding<Value> {
    case found(Value)
    /// The request is to be handled again when this is decided.
    case wait(PendingResponse)
}

/// The results of one store.
package final class PastStates: Attachment {
    /// One result that is being made, in the turns of that caller among those that wait for it which has had least.
    ///
    /// Unchecked: one thread at a time carries out the job. The mutex of the owner guards the variables, but for the
    /// reservation.
    private final class Job: @unchecked Sendable {
        let key: PastKey
        let work: any PastWork
        /// The caller that pays for the memory.
        let caller: MemoryAccount?
        /// In whose turns it is carried out.
        var turnsOf: MemoryAccount?
        /// Counts the changes of that. What is left of the job in the lines of others does nothing.
        var number = 0
        var isUnderWay = false
        var waiting: [PendingResponse] = []
        /// Bytes that it takes, as of its last step.
        var bytes = 0
        var reservation: MemoryReservation?

        init(_ key: PastKey, _ work: any PastWork, _ caller: MemoryAccount?) {
            self.key = key
            self.work = work
            self.caller = caller
            turnsOf = caller
        }
    }

    /// One result that is there. The caller's account has its bytes as long as it is kept.
    ///
    /// Unchecked: the mutex of the owner guards the variables.
    private final class Kept: @unchecked Sendable {
        let result: PastResult
        let caller: MemoryAccount?
        var lastUse: Int64
        /// Requests that wait for it and have not come back. Some never do: their clients are gone.
        var unclaimed: Int

        /// A request that waits comes back within so many milliseconds, or not at all.
        private static let awaitedMilliseconds: Int64 = 5_000

        func isAwaited(at now: Int64) -> Bool {
            unclaimed > 0 && now - lastUse < Self.awaitedMilliseconds
        }

        init(_ result: PastResult, _ caller: MemoryAccount?, now: Int64, unclaimed: Int) {
            self.result = result
            self.caller = caller
            lastUse = now
            self.unclaimed = unclaimed
            caller?.work.change(by: result.byteCount)
        }

        deinit { caller?.work.change(by: -result.byteCount) }
    }

    private struct State {
        var kept: [PastKey: Kept] = [:]
        var jobs: [PastKey: Job] = [:]
        /// How many jobs each caller has.
        var counts: [ObjectIdentifier?: Int] = [:]
        var bytes = 0

        mutating func add(_ job: Job) {
            jobs[job.key] = job
            counts[job.caller.map(ObjectIdentifier.init), default: 0] += 1
        }

        mutating func remove(_ job: Job) {
            guard jobs.removeValue(forKey: job.key) != nil else { return }
            let caller = job.caller.map(ObjectIdentifier.init)
            let count = counts[caller] ?? 1
            counts[caller] = count > 1 ? count - 1 : nil
        }

        mutating func drop(_ key: PastKey) -> Kept? {
            guard let kept = kept.removeValue(forKey: key) else { return nil }
            bytes -= kept.result.byteCount
            return kept
        }
    }

    private let state = Mutex(State())
    private let limits: ServiceLimits
    private let environment: SessionEnvironment

    private static let keptMilliseconds: Int64 = 60_000

    init(_ limits: ServiceLimits, _ environment: SessionEnvironment) {
        self.limits = limits
        self.environment = environment
    }

    /// The bytes of all results, and of what is being made.
    package var heldBytes: Int {
        state.withLock { state in
            state.kept.values.reduce(0) { $0 + $1.result.allBytes }
                + state.jobs.values.reduce(0) { $0 + $1.bytes }
        }
    }

    /// How many results are kept.
    package var count: Int { state.withLock { $0.kept.count } }

    // MARK: - Asking

    /// The result of that key, or what to wait for. O(1).
    ///
    /// - Throws: `tooManyReads` when `pastWaitingMax` others of the caller wait.
    func find<Value: Sendable>(
        _ key: PastKey, for caller: MemoryAccount?, _ work: () -> any PastWork
    ) throws(SessionError) -> PastFinding<Value> {
        let now = environment.uptime()
        let max = limits.pastWaitingMax
        let (finding, begun) = state.withLock { state -> (PastFinding<Value>?, Job?) in
            // The key says which kind of result there is.
            if let kept = state.kept[key], let value = kept.result.value as? Value {
                kept.lastUse = now
                if kept.unclaimed > 0 { kept.unclaimed -= 1 }
                return (.found(value), nil)
            }
            let response = PendingResponse(revision: .max)
            if let job = state.jobs[key] {
                job.waiting.append(response)
                guard ReadThreads.past.isAhead(caller, of: job.turnsOf) else {
                    return (.wait(response), nil)
                }
                job.turnsOf = caller
                if job.isUnderWay { return (.wait(response), nil) }
                job.number += 1
                return (.wait(response), job)
            }
            let count = state.counts[caller.map(ObjectIdentifier.init)] ?? 0
            if count >= limits.pastRebuildsMax + max { return (nil, nil) }
            let job = Job(key, work(), caller)
            job.waiting.append(response)
            state.add(job)
            return (.wait(response), job)
        }
        if let begun { start(begun) }
        guard let finding else {
            throw SessionError.limit(
                .tooManyReads,
                "\(limits.pastRebuildsMax) revisions are being rebuilt for you, and pastWaitingMax=\(max) others wait. Try again.",
                name: "pastWaitingMax", value: max)
        }
        return finding
    }

    // MARK: - Working

    /// Puts a job into the line of the caller in whose turns it is carried out.
    private func start(_ job: Job) {
        let (caller, number) = state.withLock { _ in (job.turnsOf, job.number) }
        ReadThreads.past.run(for: caller, begunMax: limits.pastRebuildsMax) { [self] _ in
            guard begin(job, number) else { return false }
            guard let goesOn = step(job) else { return false }
            let isMoved = state.withLock { _ in
                job.isUnderWay = false
                if goesOn, job.turnsOf === caller { return false }
                job.number += 1
                return true
            }
            if !isMoved { return true }
            if goesOn {
                start(job)
            } else {
                // A thread that waited for a session would be missing for others.
                job.work.origin.nowOrLater { [weak self] _, _ in self?.start(job) }
            }
            return false
        }
    }

    /// Whether the job goes on. It ends with the last client that waits for it.
    private func begin(_ job: Job, _ number: Int) -> Bool {
        state.withLock { state in
            guard job.number == number, !job.isUnderWay, state.jobs[job.key] === job else {
                return false
            }
            job.waiting.removeAll(where: \.isAbandoned)
            job.isUnderWay = !job.waiting.isEmpty
            if !job.isUnderWay { state.remove(job) }
            return job.isUnderWay
        }
    }

    /// Whether the job can go on at once, as its session is free; nil when it is over.
    private func step(_ job: Job) -> Bool? {
        guard job.work.origin.withStateIfFree({ _ in true }) == true else { return false }
        do throws(SessionError) {
            if job.reservation == nil { job.reservation = try reserve(job) }
            guard let reservation = job.reservation else { return nil }
            let result = try job.work.step(reservation)
            let bytes = result?.byteCount ?? job.work.byteCount
            state.withLock { _ in job.bytes = bytes }
            reservation.settle(through: bytes)
            if bytes > limits.pastBytesMax { throw tooLarge(bytes) }
            guard let result else { return true }
            finish(job, result)
        } catch {
            if let rest = Self.result(of: job.key, without: error) {
                finish(job, rest)
            } else {
                finish(job, error)
            }
        }
        return nil
    }

    /// The result of a job that cannot be carried out; nil where the requests get the error. A page of the history is
    /// shown without what its operations replaced.
    private static func result(of key: PastKey, without error: SessionError) -> PastResult? {
        guard case .previous = key.what else { return nil }
        switch error.code {
        case .historyGone, .memoryFull, .outOfMemory:
            return PastResult(value: PreviousValues(operations: [:]), byteCount: 1_024)
        default: return nil
        }
    }

    /// A rebuild of fewer bytes does not wait for others.
    private static let finishedBytesMax = 1_048_576

    private func reserve(_ job: Job) throws(SessionError) -> MemoryReservation {
        let bytes = min(job.work.estimatedBytes, limits.pastBytesMax)
        // Else rebuilds begin more quickly than the states of those before are given back.
        if bytes > Self.finishedBytesMax { Disposal.finish() }
        if let reservation = environment.memory.reserveForReading(bytes, for: job.caller) {
            return reservation
        }
        // Stored past states make room for the requested one, but for those that requests wait for.
        let now = environment.uptime()
        remove { !$0.isAwaited(at: now) }
        Disposal.finish()
        return try environment.memory.reserving(bytes, for: job.caller)
    }

    private func tooLarge(_ bytes: Int) -> SessionError {
        SessionError.limit(
            .memoryFull,
            "The past of this revision takes more than pastBytesMax=\(limits.pastBytesMax) bytes. Start the server with a larger --limit past-bytes-max.",
            name: "pastBytesMax", value: limits.pastBytesMax
        ).with(option: "--limit past-bytes-max", limits.pastBytesMax, held: bytes)
    }

    private func finish(_ job: Job, _ result: PastResult) {
        job.reservation?.settle()
        let now = environment.uptime()
        let (waiting, dropped) = state.withLock { state in
            state.remove(job)
            let dropped = makeRoom(for: result.byteCount, at: now, in: &state)
            state.kept[job.key] = Kept(
                result, job.caller, now: now, unclaimed: job.waiting.count { !$0.isAbandoned })
            state.bytes += result.byteCount
            return (job.waiting, dropped)
        }
        withExtendedLifetime(dropped) {}
        PendingResponse.decide(waiting, .readAgain)
    }

    private func finish(_ job: Job, _ error: SessionError) {
        job.reservation?.release()
        let waiting = state.withLock { state in
            state.remove(job)
            return job.waiting
        }
        PendingResponse.decide(waiting, .refused(error))
    }

    // MARK: - Letting go

    /// Drops the results that were used longest ago when there is no room for another of so many bytes. Those that
    /// requests wait for stay for a few seconds, so only results that were just made are beyond the limits.
    /// O(n log n) in the number of results.
    private func makeRoom(for bytes: Int, at now: Int64, in state: inout State) -> [Kept] {
        let isCrowded = state.kept.count >= limits.pastResultsMax
        if !isCrowded, state.bytes + bytes <= limits.pastBytesMax { return [] }
        // Some more are dropped at once, so that not each new result has to sort all.
        let most = isCrowded ? limits.pastResultsMax * 7 / 8 : limits.pastResultsMax
        let oldestFirst = state.kept.filter { !$0.value.isAwaited(at: now) }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        var dropped: [Kept] = []
        for (key, _) in oldestFirst
        where state.kept.count > most || state.bytes + bytes > limits.pastBytesMax {
            if let kept = state.drop(key) { dropped.append(kept) }
        }
        return dropped
    }

    /// Drops the results that were not used for a minute. To be called about once a second.
    package func removeExpired() {
        let end = environment.uptime() - Self.keptMilliseconds
        remove { $0.lastUse < end }
    }

    /// Drops all results: memory is short. Returns their bytes.
    @discardableResult
    package func removeAll() -> Int { remove { _ in true } }

    @discardableResult
    private func remove(where isOver: (Kept) -> Bool) -> Int {
        let dropped = state.withLock { state -> [Kept] in
            state.kept.filter { isOver($0.value) }.keys.compactMap { state.drop($0) }
        }
        return dropped.reduce(0) { $0 + $1.result.byteCount }
    }
}

extension SessionStore {
    /// The states of the sessions' past that were rebuilt.
    package var past: PastStates { attachment.value { PastStates(limits, environment) } }
}
