// Time, randomness and memory, passed in: the service knows no clock of its own, so that whole exchanges
// can be compared byte by byte, and asks for memory where the process keeps its ledger.

import Glibc
import Ledger

@usableFromInline
package struct SessionEnvironment: Sendable {
    /// Milliseconds since 1970, for times in records. Jumps when the system clock is set.
    package var now: @Sendable () -> Int64
    /// Milliseconds of a monotonic clock, for timers.
    package var uptime: @Sendable () -> Int64
    package var random: @Sendable () -> UInt64
    /// The ledger that admits memory for stored data and for work in progress.
    package var memory: MemoryLedger
    /// Called with the session's name on the thread that is about to carry out a long write, when the
    /// thread owns the session: where a test holds it up.
    package var hasBegunLongWrite: (@Sendable (String) -> Void)?
    /// Called as nodes of documents are made and commits of logs are applied, with their number: how far commands
    /// are.
    package var onWork: (@Sendable (Int) -> Void)?
    /// Nanoseconds of the monotonic clock, for measuring. Nothing that a client sees depends on it.
    package var ticks: @Sendable () -> UInt64 = Self.monotonicNanoseconds

    /// - Parameter uptime: `now` where it is not given.
    package init(
        now: @escaping @Sendable () -> Int64, uptime: (@Sendable () -> Int64)? = nil,
        random: @escaping @Sendable () -> UInt64, memory: MemoryLedger = .unlimited
    ) {
        self.memory = memory
        self.now = now
        self.uptime = uptime ?? now
        self.random = random
    }

    /// The machine's clock and random source.
    package static let system = SessionEnvironment(
        now: { milliseconds(CLOCK_REALTIME) }, uptime: { milliseconds(CLOCK_MONOTONIC) },
        random: { UInt64.random(in: .min ... .max) },
        memory: MemoryLedger(bytesMax: .max, space: ProcessSpace.space))

    private static let monotonicNanoseconds: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// `count` characters of `[a-z0-9]`.
    package func name(length count: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(
            decoding: (0..<count).map { _ in alphabet[Int(random() % 36)] }, as: UTF8.self)
    }
}
