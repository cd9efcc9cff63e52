// States of the past that were rebuilt, by session and revision. Requests for the same wait for one rebuild. The
// result is kept for a minute after its last use, or until memory or room for another is short.

import Background
import DequeModule
import Ledger
import Synchronization

/// Work that makes a result in steps of about a millisecond, restoring a state excepted.
protocol PastWork: AnyObject {
    /// The session that is there now.
    var origin: Session { get }
    /// The replay of the work; nil before and after.
    var replay: PastReplay? { get }
    /// Bytes of what it has made so far.
    var bytes: Int { get }
    /// Nil until the result is there.
    func step() throws(SessionError) -> PastResult?
}

extension PastWork {
    /// Bytes that it takes now.
    fileprivate var byteCount: Int { (replay?.state.countBytes().total ?? 0) + bytes }

    /// Bytes that the work will take, about: as many as the present state.
    fileprivate var estimatedBytes: Int { origin.countBytesOrRecall().hierarchy.total }
}

/// Identifies a result: a state at a revision, changes through it, or replaced values.
struct PastKey: Hashable, Sendable {
    enum What: Hashable, Sendable {
        case state
        case changes(node: String, trait: String, from: Int64)
        case previous([Int64])
    }

    let uid: String
    let revision: Int64
    let what: What
}

/// A result: a `PastSession`, `ValueChanges` or `PreviousValues`.
struct PastResult: Sendable {
    let value: any Sendable
    let byteCount: Int
}

/// The outcome of a request for a past state.
package enum PastFinding<Value> {
    case found(Value)
    /// The request is to be handled again when this is decided.
    case wait(PendingResponse)
}

/// The results of one store.
package final class PastStates: Sendable {
    /// One result that is being made.
    ///
    /// Unchecked: one thread at a time carries out the job, and the mutex of the owner guards `waiting`.
    private final class Job: @unchecked Sendable {
        let key: PastKey
        let work: any PastWork
        let caller: MemoryAccount?
        var waiting: [PendingResponse] = []
        var reservation: MemoryReservation?

        init(_ key: PastKey, _ work: any PastWork, _ caller: MemoryAccount?) {
            self.key = key
            self.work = work
            self.caller = caller
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
        /// Jobs that wait for one of those under way.
        var queue = Deque<Job>()
        var running = 0
        var bytes = 0

        mutating func drop(_ key: PastKey) -> Kept? {
            guard let kept = kept.removeValue(forKey: key) else { return nil }
            bytes -= kept.result.byteCount
            return kept
        }
    }

    private let state: Mutex<State>
    private let limits: ServiceLimits
    private let environment: SessionEnvironment

    private static let keptMilliseconds: Int64 = 60_000

    init(_ limits: ServiceLimits, _ environment: SessionEnvironment) {
        self.limits = limits
        self.environment = environment
        state = Mutex(State())
    }

    /// The bytes of all results.
    var byteCount: Int { state.withLock { $0.bytes } }

    /// How many results are kept.
    package var count: Int { state.withLock { $0.kept.count } }

    // MARK: - Asking

    /// The result of that key, or what to wait for. O(1).
    ///
    /// - Throws: `tooManyReads` when `pastWaitingMax` others wait.
    func find<Value: Sendable>(
        _ key: PastKey, for caller: MemoryAccount?, _ work: () -> any PastWork
    ) throws(SessionError) -> PastFinding<Value> {
        let now = environment.uptime()
        let max = limits.pastWaitingMax
        let (finding, first) = state.withLock { state -> (PastFinding<Value>?, Job?) in
            // The key says which kind of result there is.
            if let kept = state.kept[key], let value = kept.result.value as? Value {
                kept.lastUse = now
                if kept.unclaimed > 0 { kept.unclaimed -= 1 }
                return (.found(value), nil)
            }
            let response = PendingResponse(revision: .max)
            if let job = state.jobs[key] {
                job.waiting.append(response)
                return (.wait(response), nil)
            }
            let isFree = state.running < limits.pastRebuildsMax
            if !isFree, state.queue.count >= max { return (nil, nil) }
            let job = Job(key, work(), caller)
            job.waiting.append(response)
            state.jobs[key] = job
            if isFree {
                state.running += 1
            } else {
                state.queue.append(job)
            }
            return (.wait(response), isFree ? job : nil)
        }
        if let first { start(first) }
        guard let finding else {
            throw SessionError.limit(
                .tooManyReads,
                "\(limits.pastRebuildsMax) revisions are being rebuilt, and pastWaitingMax=\(max) others wait. Try again.",
                name: "pastWaitingMax", value: max)
        }
        return finding
    }

    // MARK: - Working

    private func start(_ job: Job) {
        ReadThreads.past.run { [self] in
            do throws(SessionError) {
                if job.reservation == nil { job.reservation = try reserve(job) }
                let result = try job.work.step()
                let bytes = result?.byteCount ?? job.work.byteCount
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
            return false
        }
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

    private func reserve(_ job: Job) throws(SessionError) -> MemoryReservation {
        let bytes = min(job.work.estimatedBytes, limits.pastBytesMax)
        if let reservation = environment.memory.reserve(bytes, for: job.caller) {
            return reservation
        }
        // Stored past states make room for the requested one.
        removeAll()
        return try environment.memory.reserving(bytes, for: job.caller)
    }

    private func tooLarge(_ bytes: Int) -> SessionError {
        SessionError.limit(
            .memoryFull,
            "The past of this revision takes more than pastBytesMax=\(limits.pastBytesMax) bytes. Start the server with a larger --past-bytes-max.",
            name: "pastBytesMax", value: limits.pastBytesMax
        ).with(option: "--past-bytes-max", limits.pastBytesMax, held: bytes)
    }

    private func finish(_ job: Job, _ result: PastResult) {
        job.reservation?.settle()
        let now = environment.uptime()
        let (waiting, dropped, next) = state.withLock { state in
            state.jobs[job.key] = nil
            let dropped = makeRoom(for: result.byteCount, at: now, in: &state)
            state.kept[job.key] = Kept(
                result, job.caller, now: now, unclaimed: job.waiting.count)
            state.bytes += result.byteCount
            return (job.waiting, dropped, takeNext(in: &state))
        }
        if let next { start(next) }
        withExtendedLifetime(dropped) {}
        PendingResponse.decide(waiting, .readAgain)
    }

    private func finish(_ job: Job, _ error: SessionError) {
        job.reservation?.release()
        let (waiting, next) = state.withLock { state in
            state.jobs[job.key] = nil
            return (job.waiting, takeNext(in: &state))
        }
        if let next { start(next) }
        PendingResponse.decide(waiting, .refused(error))
    }

    /// The job that takes the place of one that is over. It is started without the mutex.
    private func takeNext(in state: inout State) -> Job? {
        state.running -= 1
        let next = state.queue.popFirst()
        if next != nil { state.running += 1 }
        return next
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
        remove { $0 < end }
    }

    /// Drops all results: memory is short. Returns their bytes.
    @discardableResult
    package func removeAll() -> Int { remove { _ in true } }

    @discardableResult
    private func remove(where isOver: (_ lastUse: Int64) -> Bool) -> Int {
        let dropped = state.withLock { state -> [Kept] in
            state.kept.filter { isOver($0.value.lastUse) }.keys.compactMap { state.drop($0) }
        }
        return dropped.reduce(0) { $0 + $1.result.byteCount }
    }
}
