// All threads of all simulated processes as fibers of one real thread, in an order that follows from a seed. Time is
// virtual: a step takes two microseconds, and when no thread can run it jumps to the next timer.

import Background
import CFibers
import SeededRandom

package final class Scheduler {
    /// How a run ended.
    package enum Outcome: Equatable {
        /// All clients are through.
        case finished
        /// A client waits, and nothing can happen any more. The text says what each thread waits for.
        case deadlock(String)
        /// A client is not through at the limit of time. The text is as above.
        case late(String)
    }

    /// What a step of a thread takes, in nanoseconds.
    package static let step: UInt64 = 2_000
    /// Virtual memory of a stack; only used pages cost anything.
    private static let stackBytes = 1 << 20
    /// The wall clock at time 0, in seconds since 1970.
    private static let epochSeconds: UInt64 = 1_800_000_000

    package let seed: UInt64
    package let trace: Trace
    /// Nanoseconds since the run began.
    package private(set) var now: UInt64 = 0
    package private(set) var steps: UInt64 = 0
    package private(set) var processes: [SimulatedProcess] = []

    private var schedule: SeededRandom
    private var outside: SeededRandom
    private var running: Unmanaged<Fiber>?
    var current: Fiber? { running?.takeUnretainedValue() }
    /// Whether a condition is asked; then nothing may give way.
    private var isAsking = false
    private var hasChanged = false
    private var fiberCount = 0
    private var clientCount = 0
    /// Without references of their own, which cost more than all else here: a fiber lives until its body is over.
    private var runnable: [Unmanaged<Fiber>] = []
    private var waiting: [Unmanaged<Fiber>] = []
    private var timers = TimerHeap()
    private var idleStacks: [OpaquePointer] = []

    package init(seed: UInt64, keepsTrace: Bool = false) {
        self.seed = seed
        trace = Trace(keepsText: keepsTrace)
        schedule = SeededRandom(seed: seed, for: "schedule")
        outside = SeededRandom(seed: seed, for: "outside")
    }

    deinit { for stack in idleStacks { traitd_fiber_free(stack) } }

    // MARK: - Beginning

    package func makeProcess(
        _ name: String, uptimeAhead: UInt64 = 0, wallAhead: Int64 = 0
    ) -> SimulatedProcess {
        // By name and how often it was started, so that another process left out does not shift the numbers.
        let starts = processes.count { $0.name == name }
        let process = SimulatedProcess(
            processes.count + 1, name, SeededRandom(seed: seed, for: "process \(name) \(starts)"),
            uptimeAhead: uptimeAhead, wallAhead: wallAhead)
        processes.append(process)
        return process
    }

    /// Starts a thread of a process. `run` ends when all clients have ended.
    package func start(
        _ name: String, in process: SimulatedProcess, isClient: Bool = false,
        _ body: @escaping () -> Void
    ) {
        guard let stack = idleStacks.popLast() ?? traitd_fiber_make(Self.stackBytes) else {
            preconditionFailure("the system has no memory for another stack")
        }
        fiberCount += 1
        let fiber = Fiber(fiberCount, name, process, isClient: isClient, on: stack, body)
        if isClient { clientCount += 1 }
        process.add(fiber)
        makeRunnable(fiber)
    }

    /// Calls `body` outside of all threads at a time, or at once when that has passed.
    package func at(_ time: UInt64, _ body: @escaping () -> Void) {
        timers.set(SimulatedTimer(.calls(body)), at: time)
    }

    // MARK: - Running

    /// Runs until all clients have ended, or to a limit of virtual time.
    package func run(until limit: UInt64 = .max) -> Outcome {
        precondition(current == nil, "a thread of the simulation runs the simulation")
        while clientCount > 0 {
            fireTimers()
            if hasChanged { askWaiting() }
            if runnable.isEmpty {
                guard let next = timers.first else { return .deadlock(report) }
                if next.time > limit { return .late(report) }
                now = max(now, next.time)
                continue
            }
            if now + Self.step > limit { return .late(report) }
            now += Self.step
            enter(takeNext())
        }
        return .finished
    }

    private func takeNext() -> Fiber {
        let fiber = runnable[schedule.below(runnable.count)].takeUnretainedValue()
        remove(fiber, from: &runnable)
        return fiber
    }

    private func enter(_ fiber: Fiber) {
        steps += 1
        trace.step(fiber.number, now)
        fiber.place = .running
        running = Unmanaged.passUnretained(fiber)
        let isOver = traitd_fiber_enter(fiber.handle) != 0
        running = nil
        guard isOver, fiber.place != .gone else { return }
        leave(fiber)
        idleStacks.append(fiber.handle)
        fiber.end()
    }

    private func leave(_ fiber: Fiber) {
        fiber.place = .gone
        fiber.process.remove(fiber)
        if fiber.isClient { clientCount -= 1 }
    }

    private func fireTimers() {
        while let timer = timers.first, timer.time <= now {
            timers.remove(timer)
            switch timer.work {
            case .wakes(let fiber): wake(fiber)
            case .calls(let body): body()
            }
        }
    }

    private func askWaiting() {
        hasChanged = false
        isAsking = true
        var index = 0
        while index < waiting.count {
            let fiber = waiting[index]
            running = fiber
            let isOver = fiber._withUnsafeGuaranteedRef { !$0.isHeld && $0.condition?() == true }
            // Another thread takes its place in the list when it goes.
            if isOver { wake(fiber.takeUnretainedValue()) } else { index += 1 }
        }
        running = nil
        isAsking = false
    }

    // MARK: - Places of threads

    private func wake(_ fiber: Fiber) {
        timers.remove(fiber.timer)
        remove(fiber, from: &waiting)
        makeRunnable(fiber)
    }

    private func makeRunnable(_ fiber: Fiber) {
        if fiber.isHeld {
            fiber.place = .held
        } else {
            fiber.place = .runnable
            add(fiber, to: &runnable)
        }
    }

    private func add(_ fiber: Fiber, to list: inout [Unmanaged<Fiber>]) {
        fiber.index = list.count
        list.append(Unmanaged.passUnretained(fiber))
    }

    private func remove(_ fiber: Fiber, from list: inout [Unmanaged<Fiber>]) {
        let last = list.removeLast()
        let index = fiber.index
        guard index < list.count else { return }
        list[index] = last
        last._withUnsafeGuaranteedRef { $0.index = index }
    }

    /// Moves threads to where they belong after `isHeld` of them has changed.
    private func sort(_ fibers: [Fiber]) {
        for fiber in fibers {
            fiber.isHeld = fiber.isStalled || fiber.process.isStopped
            if fiber.isHeld, fiber.place == .runnable {
                remove(fiber, from: &runnable)
                fiber.place = .held
            } else if !fiber.isHeld, fiber.place == .held {
                makeRunnable(fiber)
            }
        }
        // Conditions of held threads were not asked.
        hasChanged = true
    }

    /// Leaves the running fiber until it is chosen again.
    private func suspend(_ fiber: Fiber, until time: UInt64) {
        fiber.place = .waiting
        add(fiber, to: &waiting)
        if time != .max { timers.set(fiber.timer, at: time) }
        traitd_fiber_leave(fiber.handle)
    }

    // MARK: - Faults of processes

    /// Ends a process as kill -9 does. Its threads never run again, and nothing of theirs is released.
    package func kill(_ process: SimulatedProcess) {
        guard !process.isKilled else { return }
        trace.note(now, "kill", UInt64(process.number))
        process.isKilled = true
        for fiber in process.fibers {
            switch fiber.place {
            case .runnable: remove(fiber, from: &runnable)
            case .waiting:
                timers.remove(fiber.timer)
                remove(fiber, from: &waiting)
            case .held, .running, .gone: break
            }
            fiber.place = .gone
            if fiber.isClient { clientCount -= 1 }
        }
        if let fiber = current, fiber.process === process { traitd_fiber_leave(fiber.handle) }
    }

    /// Keeps the threads of a process from running, as SIGSTOP does.
    package func stop(_ process: SimulatedProcess) {
        trace.note(now, "stop", UInt64(process.number))
        process.isStopped = true
        sort(process.fibers)
        if current?.process === process { giveWayAlways() }
    }

    package func resume(_ process: SimulatedProcess) {
        trace.note(now, "resume", UInt64(process.number))
        process.isStopped = false
        sort(process.fibers)
    }

    /// Keeps about a third of the threads of a process from running.
    package func stallThird(of process: SimulatedProcess, _ random: inout SeededRandom) {
        trace.note(now, "stall", UInt64(process.number))
        for fiber in process.fibers where random.below(3) == 0 { fiber.isStalled = true }
        sort(process.fibers)
    }

    package func endStall(of process: SimulatedProcess) {
        trace.note(now, "end of stall", UInt64(process.number))
        for fiber in process.fibers { fiber.isStalled = false }
        sort(process.fibers)
    }

    // MARK: - Preemption

    /// Lets other threads run with a probability in thousandths. Outside of threads it does nothing.
    package func giveWay(perMille: UInt64 = 20) {
        guard current != nil, !isAsking, schedule.happens(perMille: perMille) else { return }
        giveWayAlways()
    }

    private func giveWayAlways() {
        guard let fiber = current, !isAsking else { return }
        makeRunnable(fiber)
        traitd_fiber_leave(fiber.handle)
    }
}

// MARK: - What the product asks for

extension Scheduler: Machine {
    package func start(_ body: @escaping () -> Void) {
        guard let process = current?.process else {
            preconditionFailure("a thread is started outside of all processes")
        }
        start("", in: process, body)
    }

    package func wait(until deadline: UInt64, _ isOver: () -> Bool) -> Bool {
        if isOver() { return true }
        guard let fiber = current, !isAsking else {
            preconditionFailure("only a thread of the simulation can wait, and no condition can")
        }
        let ahead = fiber.process.uptimeAhead
        let time = deadline == .max ? .max : max(deadline, ahead) - ahead
        return withoutActuallyEscaping(isOver) { isOver in
            fiber.condition = isOver
            defer { fiber.condition = nil }
            repeat {
                suspend(fiber, until: time)
                // Another thread may have run since the condition was asked.
                if isOver() { return true }
            } while now < time
            return false
        }
    }

    package func changed() { hasChanged = true }

    package var nanoseconds: UInt64 { now + (current?.process.uptimeAhead ?? 0) }

    package func random() -> UInt64 { current?.process.random.next() ?? outside.next() }

    package var thread: Int { current?.number ?? 0 }

    package var processNumber: Int { current?.process.number ?? 0 }

    /// The process of the thread that runs.
    package var process: SimulatedProcess? { current?.process }

    /// Nanoseconds since 1970, as the process that runs sees them.
    package var wallNanoseconds: Int64 {
        Int64(Self.epochSeconds * 1_000_000_000 + now) + (current?.process.wallAhead ?? 0)
    }
}
