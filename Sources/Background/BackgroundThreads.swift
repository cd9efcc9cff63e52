// A pool of threads for long work. Their priority is below that of the event loops, so that the
// system prefers an event loop where all processors are busy. The threads are started before the
// first work item comes, since a new thread takes the processor from the thread that starts it.

import DequeModule
import Glibc
import Synchronization

/// Threads that carry out work items. Callers take turns (`CallerTurns`); the items of one caller are carried out in the
/// order of their arrival. When this object is released, the threads finish the waiting work items and end.
///
/// `count` items are carried out at a time. As many more of callers that are ahead begin at once, so that these do not
/// wait for the end of work that cannot be interrupted. Work that can be offers its turn (`Turn.offer`).
package final class BackgroundThreads: Sendable {
    package typealias Work = @Sendable (Turn) -> Bool

    /// The turn of the thread that carries out an item.
    ///
    /// Unchecked: the variables belong to the thread that has the turn.
    package final class Turn: @unchecked Sendable {
        fileprivate let shared: Shared
        fileprivate let resumed = Signal()
        fileprivate var caller: ObjectIdentifier?
        /// Until when the caller was charged, in monotonic nanoseconds.
        fileprivate var charged: UInt64 = 0

        fileprivate init(_ shared: Shared) { self.shared = shared }

        /// Lets callers go first that have had less, and returns when it is this one's turn again. Most calls only read
        /// the clock.
        ///
        /// - Returns: whether a millisecond was over.
        package func offer() -> Bool {
            if Uptime.monotonic &- charged < Shared.turnNanoseconds {
                return false
            }
            guard shared.pause(self) else { return true }
            resumed.wait()
            charged = Uptime.monotonic
            return true
        }
    }

    fileprivate struct Item {
        enum Kind {
            case work(Work)
            /// Work that has offered its turn.
            case paused(Turn)
        }
        let kind: Kind
        let caller: ObjectIdentifier?
    }

    /// The items of one caller that have begun, and those that wait until one of these ends.
    fileprivate struct Line {
        var begun = 0
        var waiting = Deque<Work>()
    }

    /// The state that the threads refer to, in place of this object, so that this object can be
    /// released.
    fileprivate final class Shared: Sendable {
        struct State {
            var turns = CallerTurns<Item>(credit: Shared.creditNanoseconds)
            var lines: [ObjectIdentifier?: Line] = [:]
            /// Work that has a turn, and no thread yet.
            var ready = Deque<Item>()
            /// Turns that were given.
            var running = 0
            /// Those of the server's own work.
            var ownRunning = 0
            /// Threads that wait for work, or will.
            var idle = 0
            var threadCount = 0
            var isOver = false

            mutating func change(_ count: Int, _ caller: ObjectIdentifier?) {
                running += count
                if caller == nil { ownRunning += count }
            }
        }

        let state = Mutex(State())
        /// Held while threads are started.
        let starting = Mutex(())
        /// Signalled once for each item that is ready, and once for each thread at the end.
        let arrival = Signal()
        let count: Int

        /// An item has its turn for so long, if others wait.
        static let turnNanoseconds: UInt64 = 1_000_000
        /// A caller that has had nothing for a while has so much before others have their turns again.
        static let creditNanoseconds: Int64 = 2_000_000_000
        /// Work that is interrupted keeps its thread. Beyond so many threads none is.
        static let threadsMax = 32

        let niceness: Int32

        init(count: Int, niceness: Int32) {
            self.count = count
            self.niceness = niceness
        }

        private static var now: Int64 { Int64(clamping: Uptime.monotonic) }

        func add(_ work: @escaping Work, of caller: ObjectIdentifier?, _ begunMax: Int) {
            state.withLock { state in
                if state.lines[caller, default: Line()].begun >= begunMax {
                    state.lines[caller]?.waiting.append(work)
                } else {
                    if state.lines[caller] == nil {
                        state.turns.endRest(of: caller, at: Self.now)
                    }
                    state.lines[caller, default: Line()].begun += 1
                    state.turns.add(Item(kind: .work(work), caller: caller), of: caller)
                    giveTurns(&state)
                }
            }
        }

        /// Gives turns to the next callers while there are any.
        private func giveTurns(_ state: inout State) {
            while let next = state.turns.peek() {
                // What comes first does not hold up callers that are ahead.
                let mayBeMore = next.caller == nil ? state.ownRunning < count : next.isAhead
                guard state.running < count || mayBeMore && state.running < 2 * count else {
                    return
                }
                if case .work = next.item.kind, state.idle == 0 { return }
                guard let item = state.turns.next(charging: 0)?.item else { return }
                state.change(1, item.caller)
                switch item.kind {
                case .paused(let turn): turn.resumed.signal()
                case .work:
                    state.idle -= 1
                    state.ready.append(item)
                    arrival.signal()
                }
            }
        }

        private func charge(_ turn: Turn, _ state: inout State) {
            let now = Uptime.monotonic
            state.turns.charge(Int64(clamping: now &- turn.charged), to: turn.caller)
            turn.charged = now
        }

        /// Takes the turn away when another caller has had less, or too many turns were given. Returns whether the
        /// thread has to wait for its next turn.
        func pause(_ turn: Turn) -> Bool {
            if let pauses = state.withLock({ takeAway(turn, &$0) }) { return pauses }
            // This thread waits, so another one has to be there.
            guard BackgroundThreads.startThread(self, most: Self.threadsMax) else { return false }
            return state.withLock { takeAway(turn, &$0) } ?? false
        }

        /// Returns nil when a thread is missing.
        private func takeAway(_ turn: Turn, _ state: inout State) -> Bool? {
            charge(turn, &state)
            guard let excess = state.turns.excess(of: turn.caller) else { return false }
            let isSurplus = state.running > count && !state.turns.isAhead(turn.caller)
            guard excess > Int64(Self.turnNanoseconds) || isSurplus else { return false }
            if state.idle == 0, case .work? = state.turns.peek()?.item.kind { return nil }
            state.change(-1, turn.caller)
            state.turns.add(
                Item(kind: .paused(turn), caller: turn.caller), of: turn.caller, first: true)
            giveTurns(&state)
            return true
        }

        private func finish(_ item: Item, _ turn: Turn, hasMore: Bool) {
            state.withLock { state in
                charge(turn, &state)
                state.change(-1, item.caller)
                state.idle += 1
                if hasMore {
                    state.turns.add(item, of: item.caller)
                } else if let work = state.lines[item.caller]?.waiting.popFirst() {
                    state.turns.add(Item(kind: .work(work), caller: item.caller), of: item.caller)
                } else {
                    state.lines[item.caller]?.begun -= 1
                    if state.lines[item.caller]?.begun == 0 {
                        state.lines[item.caller] = nil
                        state.turns.rest(item.caller, since: Self.now)
                    }
                }
                giveTurns(&state)
                if state.isOver, state.running == 0 { signalEnd(state) }
            }
        }

        func signalEnd(_ state: State) { for _ in 0..<state.threadCount { arrival.signal() } }

        /// The loop of a thread.
        func serve() {
            let turn = Turn(self)
            while true {
                arrival.wait()
                let (item, isOver) = state.withLock {
                    ($0.ready.popFirst(), $0.isOver && $0.running == 0)
                }
                if let item, case .work(let work) = item.kind {
                    turn.caller = item.caller
                    turn.charged = Uptime.monotonic
                    let hasMore = work(turn)
                    finish(item, turn, hasMore: hasMore)
                } else if isOver {
                    return
                }
            }
        }
    }

    /// RLIMIT_DATA counts stacks, and half of the threads are there for callers that come while others work. Recursion
    /// in their work is bounded by the depth of JSON, which takes far less.
    private static let stackBytes = 4 << 20
    /// Linux's `SCHED_BATCH`, which Swift's Glibc does not export. A thread of that policy waits for a
    /// processor when it has work; any other could take it from an event loop in the middle of a turn.
    static let policy: Int32 = 3

    private let own: Shared
    /// Threads by the number of their simulated process, which end when it is killed.
    private let simulated = Mutex<[Int: Shared]>([:])

    /// - Parameters:
    ///   - count: how many items are carried out at a time; at least one.
    ///   - niceness: that of the threads, relative to the process.
    package init(count: Int, niceness: Int32 = 5) {
        own = Shared(count: max(1, count), niceness: niceness)
    }

    deinit {
        for shared in simulated.withLock({ [own] + $0.values }) {
            shared.state.withLock { state in
                state.isOver = true
                if state.running == 0 { shared.signalEnd(state) }
            }
        }
    }

    /// The threads of this process.
    private var shared: Shared {
        guard let machine = Machines.simulated else { return own }
        return simulated.withLock { all in
            if let known = all[machine.processNumber] { return known }
            let made = Shared(count: own.count, niceness: own.niceness)
            all[machine.processNumber] = made
            return made
        }
    }

    /// Starts the threads that are missing. They inherit the signal mask of the caller. To be
    /// called before an event loop serves, since the caller waits for each thread to start.
    package func prepare() { while Self.startThread(shared, most: 2 * shared.count) {} }

    /// Starts a thread. Returns false when there are `most`, or the system starts none.
    private static func startThread(_ shared: Shared, most: Int) -> Bool {
        shared.starting.withLock { _ in
            guard shared.state.withLock({ $0.threadCount }) < most else { return false }
            guard makeThread(Unmanaged.passRetained(shared).toOpaque()) else {
                Unmanaged.passUnretained(shared).release()
                return false
            }
            shared.state.withLock {
                $0.threadCount += 1
                $0.idle += 1
            }
            return true
        }
    }

    /// Calls `work` on one of the threads until it returns false. Between two calls the threads
    /// take the other waiting work items. O(1) when the threads were prepared.
    package func run(_ work: @escaping @Sendable () -> Bool) { run(for: nil) { _ in work() } }

    /// Calls `work` on one of the threads, in the turns of its caller, until it returns false.
    ///
    /// - Parameters:
    ///   - caller: an object that stands for the caller; nil for the server's own work.
    ///   - begunMax: how many items of one caller take turns, as each may hold memory from its first call on. Further
    ///     ones wait until one ends.
    package func run(for caller: AnyObject?, begunMax: Int = 16, _ work: @escaping Work) {
        if shared.state.withLock({ $0.threadCount }) < 2 * shared.count { prepare() }
        if shared.state.withLock({ $0.threadCount }) > 0 {
            return shared.add(work, of: caller.map(ObjectIdentifier.init), max(1, begunMax))
        }
        // The system starts no thread, so the calling thread does the work.
        let turn = Turn(shared)
        turn.charged = .max
        while work(turn) {}
    }

    /// Whether a caller has had less than another one of late.
    package func isAhead(_ caller: AnyObject?, of other: AnyObject?) -> Bool {
        shared.state.withLock { state in
            state.turns.cost(of: caller.map(ObjectIdentifier.init))
                < state.turns.cost(of: other.map(ObjectIdentifier.init))
        }
    }

    private static func makeThread(_ context: UnsafeMutableRawPointer) -> Bool {
        if let machine = Machines.simulated {
            let shared = Unmanaged<Shared>.fromOpaque(context).takeRetainedValue()
            machine.start { shared.serve() }
            return true
        }
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        guard pthread_create(&thread, &attributes, { enterBackgroundThread($0) }, context) == 0
        else { return false }
        pthread_detach(thread)
        return true
    }
}

private func enterBackgroundThread(
    _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let shared = Unmanaged<BackgroundThreads.Shared>.fromOpaque(context).takeRetainedValue()
    // On Linux both change the calling thread alone. Where they are forbidden, the thread is like any other. A new
    // thread has the niceness of the one that starts it, so that of the process's first thread counts.
    var parameters = sched_param()
    sched_setscheduler(0, BackgroundThreads.policy, &parameters)
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    setpriority(process, 0, getpriority(process, id_t(getpid())) + shared.niceness)
    shared.serve()
    return nil
}
