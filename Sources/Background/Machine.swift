// The names for threads, waits, clocks and randomness of everything that runs beside the event loops. The product gets
// them from the system. A simulation takes their place, once and before all else, so that one seed decides which thread
// runs, how long a wait takes and what the time is.

import Dispatch
import Glibc
import Synchronization

/// What a simulation provides in place of the system.
@usableFromInline
package protocol Machine: AnyObject {
    /// Starts a thread.
    func start(_ body: @escaping () -> Void)
    /// Waits until `isOver` is true or the uptime reaches `deadline` (`.max`: never). Returns whether `isOver` was true.
    /// `isOver` has no effects, and is asked again after each `changed`.
    func wait(until deadline: UInt64, _ isOver: () -> Bool) -> Bool
    /// Says that something has changed for which a thread may wait.
    func changed()
    /// The uptime in nanoseconds, which never goes back.
    var nanoseconds: UInt64 { get }
    /// The next of the seed's random numbers.
    func random() -> UInt64
    /// The number of the thread that runs; 0 outside all threads.
    var thread: Int { get }
    /// The number of the simulated process that runs; 0 outside all of them.
    var processNumber: Int { get }
}

@usableFromInline
package enum Machines {
    /// Nil in the product. It is set before the process makes its second thread, and stays.
    @exclusivity(unchecked)
    @usableFromInline nonisolated(unsafe) package static var simulated: (any Machine)?
}

/// A moment of the clock that never goes back, and goes on while the machine sleeps.
@usableFromInline
package struct Uptime: InstantProtocol {
    @usableFromInline let nanoseconds: Int64

    @usableFromInline init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Uptime {
        if let machine = Machines.simulated {
            return Uptime(nanoseconds: Int64(clamping: machine.nanoseconds))
        }
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Uptime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    @inlinable package func advanced(by duration: Duration) -> Uptime {
        let (sum, isOver) = nanoseconds.addingReportingOverflow(Self.nanoseconds(of: duration))
        return Uptime(nanoseconds: isOver ? (sum < 0 ? .max : .min) : sum)
    }

    @inlinable package func duration(to other: Uptime) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    @inlinable package static func < (first: Uptime, second: Uptime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }

    @inlinable package static func + (time: Uptime, duration: Duration) -> Uptime {
        time.advanced(by: duration)
    }

    @inlinable package static func - (time: Uptime, duration: Duration) -> Uptime {
        time.advanced(by: .zero - duration)
    }

    /// Nanoseconds of the monotonic clock, which stands still while the machine sleeps.
    @inlinable package static var monotonic: UInt64 {
        if let machine = Machines.simulated { return machine.nanoseconds }
        return DispatchTime.now().uptimeNanoseconds
    }

    @inlinable package static func monotonic(after time: Duration) -> UInt64 {
        monotonic &+ UInt64(clamping: nanoseconds(of: time))
    }

    /// Lets the calling thread rest.
    package static func pause(_ time: Duration) {
        if let machine = Machines.simulated {
            _ = machine.wait(until: monotonic(after: time)) { false }
        } else {
            usleep(UInt32(clamping: Self.nanoseconds(of: time) / 1_000))
        }
    }

    /// A time beyond 292 years is the longest there is.
    @inlinable static func nanoseconds(of time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver || isBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Random numbers: the system's, or those of the seed.
package struct MachineRandom: RandomNumberGenerator {
    package init() {}

    package mutating func next() -> UInt64 { Self.next() }

    package static func next() -> UInt64 {
        if let machine = Machines.simulated { return machine.random() }
        return .random(in: .min ... .max)
    }
}

/// A counting semaphore.
@usableFromInline
package final class Signal: Sendable {
    @usableFromInline let semaphore: DispatchSemaphore
    /// The signals that no wait has taken yet, when simulated.
    @usableFromInline let count: Atomic<Int>

    /// - Parameter count: how many waits end without a signal.
    package init(_ count: Int = 0) {
        // Dispatch wants no smaller count at the end than at the start.
        semaphore = DispatchSemaphore(value: 0)
        for _ in 0..<count { semaphore.signal() }
        self.count = Atomic(count)
    }

    @inlinable package func signal() {
        guard let machine = Machines.simulated else {
            semaphore.signal()
            return
        }
        count.add(1, ordering: .relaxed)
        machine.changed()
    }

    @inlinable package func wait() {
        if let machine = Machines.simulated {
            _ = take(until: .max, on: machine)
        } else {
            semaphore.wait()
        }
    }

    /// - Parameter deadline: of `Uptime.monotonic`; `.max` for never.
    /// - Returns: whether there was a signal in time.
    @inlinable package func wait(until deadline: UInt64) -> Bool {
        if let machine = Machines.simulated { return take(until: deadline, on: machine) }
        let time =
            deadline == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: deadline)
        return semaphore.wait(timeout: time) == .success
    }

    /// - Returns: whether there was a signal in time.
    package func wait(atMost time: Duration) -> Bool {
        wait(until: Uptime.monotonic(after: time))
    }

    @usableFromInline func take(until deadline: UInt64, on machine: any Machine) -> Bool {
        guard machine.wait(until: deadline, { count.load(ordering: .relaxed) > 0 }) else {
            return false
        }
        count.subtract(1, ordering: .relaxed)
        return true
    }
}

/// Carries out items beside the caller: one after the other in the order of their arrival, or each on a thread of its
/// own.
@usableFromInline
package final class WorkQueue: Sendable {
    private struct Waiting {
        var items: [@Sendable () -> Void] = []
        var isServed = false
    }

    @usableFromInline let queue: DispatchQueue
    private let isConcurrent: Bool
    private let simulated = Mutex(Waiting())

    package init(_ label: String, qos: DispatchQoS = .unspecified, isConcurrent: Bool = false) {
        self.isConcurrent = isConcurrent
        queue = DispatchQueue(
            label: label, qos: qos, attributes: isConcurrent ? .concurrent : [])
    }

    /// Traps beside the queue.
    package func check() {
        if Machines.simulated == nil { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    @inlinable package func async(_ work: @escaping @Sendable () -> Void) {
        if let machine = Machines.simulated {
            add(work, on: machine)
        } else {
            queue.async(execute: work)
        }
    }

    package func async(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        guard let machine = Machines.simulated else {
            let nanoseconds = Int(clamping: Uptime.nanoseconds(of: time))
            return queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
        }
        machine.start { [self] in
            Uptime.pause(time)
            add(work, on: machine)
        }
    }

    /// Returns the result of the work, which is done when all that came before is. Of queues that do one item at a time.
    @inlinable package func sync<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let machine = Machines.simulated else {
            return try queue.sync { () -> Swift.Result<Result, Failure> in
                do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
            }.get()
        }
        return try take(work, on: machine)
    }

    /// The calling thread does the work when its turn has come.
    @usableFromInline
    func take<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result, on machine: any Machine
    ) throws(Failure) -> Result {
        let turn = Signal()
        let end = Signal()
        let hold: @Sendable () -> Void = {
            turn.signal()
            end.wait()
        }
        add(hold, on: machine)
        turn.wait()
        defer { end.signal() }
        return try work()
    }

    @usableFromInline func add(_ work: @escaping @Sendable () -> Void, on machine: any Machine) {
        if isConcurrent { return machine.start(work) }
        let isServed = simulated.withLock { waiting in
            waiting.items.append(work)
            defer { waiting.isServed = true }
            return waiting.isServed
        }
        if isServed { return }
        machine.start { [self] in
            while let next = takeNext() { next() }
        }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        simulated.withLock { waiting in
            waiting.isServed = !waiting.items.isEmpty
            return waiting.isServed ? waiting.items.removeFirst() : nil
        }
    }

    /// Calls `work` that often, side by side, and returns when all are done.
    package static func perform(_ count: Int, _ work: @Sendable () -> Void) {
        guard let machine = Machines.simulated else {
            return DispatchQueue.concurrentPerform(iterations: count) { _ in work() }
        }
        withoutActuallyEscaping(work) { work in
            let done = Signal()
            for _ in 0..<count {
                machine.start {
                    work()
                    done.signal()
                }
            }
            for _ in 0..<count { done.wait() }
        }
    }
}
