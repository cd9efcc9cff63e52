// What clients were told, and what it promises. A revision is a commit's place in its session, so answers are checked
// without a search: each shows at least what any client was shown before it began, and two answers for one revision show
// one state.

import SessionLog
import TraitEngine
import TraitJSON
import TraitSessions

/// What became of a write, by its value, which no other write has.
struct WriteFate {
    let order: WriteOrder
    /// How many requests without a common key had it.
    var copies = 1
    var acknowledged: [Int64] = []
    /// The revisions at which there was nothing to change.
    var unchanged: [Int64] = []
    var refusedCount = 0
}

final class History {
    private let world: World
    private(set) var shown: [String: Int64] = [:]
    /// When clients were shown more than before, in the scheduler's time.
    private var showings: [String: [(time: UInt64, revision: Int64)]] = [:]
    private var digests: [String: [Int64: StateDigest]] = [:]
    private(set) var reads: [String: [ReadAnswer]] = [:]
    private(set) var fates: [Int: WriteFate] = [:]
    /// The value of the write that a revision was acknowledged for.
    private var holders: [String: [Int64: Int]] = [:]
    private var nextValue = 1
    /// Reads of a time: the revision of the answer, and the newest one that was shown before the read began.
    private var timed: [String: [(time: Int64, revision: Int64, floor: Int64)]] = [:]

    init(_ world: World) { self.world = world }

    /// The newest revision that a client was shown; what begins now has to show it.
    func floor(_ session: String) -> Int64 { shown[session] ?? 0 }

    /// The newest revision that a client had been shown by a time of the scheduler.
    private func floor(_ session: String, at time: UInt64) -> Int64 {
        showings[session]?.last { $0.time <= time }?.revision ?? 0
    }

    private func show(_ revision: Int64, of session: String) {
        if revision <= floor(session) { return }
        shown[session] = revision
        showings[session, default: []].append((world.scheduler.now, revision))
    }

    func makeValue() -> Int {
        defer { nextValue += 1 }
        return nextValue
    }

    func begin(_ order: WriteOrder, copies: Int = 1) {
        fates[order.value] = WriteFate(order: order, copies: copies)
    }

    // MARK: - Answers

    func acknowledge(_ value: Int, _ revision: Int64, since floor: Int64, isRepeated: Bool) {
        guard let fate = fates[value] else { return }
        let session = fate.order.session
        let what = "write \(value) of '\(session)' was acknowledged as revision \(revision)"
        world.scheduler.trace.note(world.scheduler.now, what)
        if revision <= floor {
            world.found("\(what), and revision \(floor) was shown before it began")
        }
        if let holder = holders[session]?[revision], holder != value || !isRepeated {
            world.found("\(what), and so was write \(holder)")
        }
        if let condition = fate.order.ifRevision, revision != condition + 1 {
            world.found("\(what), and was for revision \(condition) only")
        }
        holders[session, default: [:]][revision] = value
        if !fate.acknowledged.contains(revision) { fates[value]?.acknowledged.append(revision) }
        show(revision, of: session)
        world.tally.add("commits acknowledged")
    }

    func refuse(_ value: Int, _ code: SessionErrorCode) {
        fates[value]?.refusedCount += 1
        world.tally.add("write refused \(code)")
    }

    func unchanged(_ value: Int, _ revision: Int64, since floor: Int64) {
        guard let session = fates[value]?.order.session else { return }
        if revision < floor {
            world.found(
                "write \(value) of '\(session)' was answered at revision \(revision), and \(floor) was shown before it began"
            )
        }
        fates[value]?.unchanged.append(revision)
        show(revision, of: session)
        world.tally.add("write unchanged")
    }

    func read(_ session: String, _ answer: ReadAnswer, since floor: Int64, at replica: Int) {
        let what = "a read of '\(session)' at replica \(replica) shows revision \(answer.revision)"
        world.scheduler.trace.note(world.scheduler.now, what)
        if answer.revision < floor {
            world.found("\(what), and revision \(floor) was shown before it began")
        }
        check(answer.digest, of: session, answer.revision, what)
        reads[session, default: []].append(answer)
        show(answer.revision, of: session)
        world.tally.add("reads")
    }

    /// - Parameter time: of the scheduler, before which the replica knew all that the log had.
    func readLocally(_ session: String, _ answer: ReadAnswer, knownAt time: UInt64, at replica: Int)
    {
        let what =
            "a local read of '\(session)' at replica \(replica) shows revision \(answer.revision)"
        if answer.revision < floor(session, at: time) {
            world.found("\(what), and \(floor(session, at: time)) was shown before that was known")
        }
        check(answer.digest, of: session, answer.revision, what)
        reads[session, default: []].append(answer)
        show(answer.revision, of: session)
        world.tally.add("local reads")
    }

    func readPast(_ session: String, _ answer: ReadAnswer, at replica: Int) {
        let what =
            "the past of '\(session)' at replica \(replica) shows revision \(answer.revision)"
        check(answer.digest, of: session, answer.revision, what)
        reads[session, default: []].append(answer)
        world.tally.add("reads of the past")
    }

    func note(_ session: String, _ revision: Int64, at time: Int64, since floor: Int64) {
        timed[session, default: []].append((time, revision, floor))
        world.tally.add("reads of a time")
    }

    private func check(_ digest: StateDigest, of session: String, _ revision: Int64, _ what: String)
    {
        if let known = digests[session]?[revision], known != digest {
            world.found("\(what) with another digest than an answer before")
        }
        digests[session, default: [:]][revision] = digest
    }

    // MARK: - At the end

    /// Compares all answers with a session's whole log.
    func check(_ session: String, _ entries: [LogEntry]) {
        var state = LoggedState(
            isMarked: world.marked.contains(session), clocksDiffer: world.clocksDiffer)
        var states = [state.values]
        var places: [Int: [Int64]] = [:]
        var time: Int64 = 0
        for entry in entries {
            let revision = entry.revision
            if entry.time < time {
                world.found("revision \(revision) of '\(session)' is older than the one before")
            }
            time = entry.time
            let (values, fault) = state.follow(entry)
            if let fault { world.found("revision \(revision) of '\(session)' \(fault)") }
            for value in values { places[value, default: []].append(revision) }
            states.append(state.values)
        }
        for (value, fate) in fates where fate.order.session == session {
            check(value, fate, places[value] ?? [])
            if case .revert(let target) = fate.order.kind {
                checkRevert(to: target, fate, states)
            }
        }
        checkTimes(session, entries)
        for read in reads[session] ?? [] {
            guard Int(read.revision) < states.count else {
                world.found(
                    "'\(session)' was shown at revision \(read.revision), which is not in the log")
            }
            if states[Int(read.revision)] != read.values {
                world.found(
                    "'\(session)' was shown as \(read.values) at revision \(read.revision); the log has \(states[Int(read.revision)])"
                )
            }
        }
        for (kind, count) in state.tally { world.tally.add(kind, count) }
        checkEnds(session, state)
    }

    /// A revert leads to the values of the earlier revision, but for those that end by themselves.
    private func checkRevert(to target: Int64, _ fate: WriteFate, _ states: [[[Int]]]) {
        for revision in fate.acknowledged + fate.unchanged {
            let (found, wanted) = (states[Int(revision)], states[Int(target)])
            if found.map(\.first) == wanted.map(\.first) { continue }
            world.found(
                "a revert of '\(fate.order.session)' to \(target) leads to \(found) and not to \(wanted) at \(revision)"
            )
        }
        world.tally.add("reverts", fate.acknowledged.count)
    }

    /// A server that begins with a snapshot whose entry is gone takes its own present for its time, and the entry may be
    /// of a server whose clock was ahead.
    private func checkTimes(_ session: String, _ entries: [LogEntry]) {
        for read in timed[session] ?? [] {
            let next = Int(read.revision)
            let isLate = entries[next - 1].time > read.time + world.clocksDiffer
            let isEarly = read.revision < read.floor && entries[next].time <= read.time
            guard isLate || isEarly else { continue }
            world.found(
                "'\(session)' at the time \(read.time) was shown as revision \(read.revision) of \(entries[next - 1].time), with \(read.floor) known"
            )
        }
    }

    /// Of what ends by itself nothing is left whose time was over a while ago.
    private func checkEnds(_ session: String, _ state: LoggedState) {
        let now = world.earliestWallMilliseconds
        for (place, end) in state.ends where end < now - Self.endMax {
            world.found(
                "'\(session)' still has a value of \(place) that ended at \(end), and it is \(now)")
        }
        for (id, end) in state.leases where end < now - Self.leaseEndMax {
            world.found(
                "'\(session)' still has the registration \(id), whose lease was over at \(end), and it is \(now)"
            )
        }
    }

    /// Milliseconds. The end of a lease that was refused is tried again after ten seconds.
    private static let endMax: Int64 = 3_000
    private static let leaseEndMax: Int64 = 13_000

    private func check(_ value: Int, _ fate: WriteFate, _ places: [Int64]) {
        let session = fate.order.session
        for revision in fate.acknowledged where !places.contains(revision) {
            world.found(
                "write \(value) of '\(session)' was acknowledged as revision \(revision), and is in the log at \(places)"
            )
        }
        if places.count > fate.copies {
            world.found("write \(value) of '\(session)' is in the log at \(places)")
        }
        if places.count > fate.copies - fate.refusedCount {
            world.found(
                "write \(value) of '\(session)' was refused, and is in the log at \(places)")
        }
    }
}
