// What the command can run: suites of independent parts, each of which follows from its seed.

import Glibc

/// A part of a suite. Parts share nothing, so they run side by side.
struct LongRun: Sendable {
    let name: String
    let body: @Sendable () throws -> ScriptOutcome

    init(_ name: String, _ body: @escaping @Sendable () throws -> ScriptOutcome) {
        self.name = name
        self.body = body
    }

    /// A part that counts nothing.
    init(_ name: String, doing body: @escaping @Sendable () throws -> Void) {
        self.init(name) {
            try body()
            return ScriptOutcome()
        }
    }

    /// The outcome, with what was thrown as its failure, and the processor time that it took.
    func run() -> (outcome: ScriptOutcome, seconds: Double) {
        let start = Self.processorSeconds
        var outcome = ScriptOutcome()
        do { outcome = try body() } catch { outcome.failure = "\(name): \(error)" }
        return (outcome, Self.processorSeconds - start)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Parts under one name, and what all of them together must have done.
struct LongSuite: Sendable {
    let name: String
    let parts: [LongRun]
    /// What there should have been more of.
    var lacks: @Sendable ([String: Int]) -> [String] = { _ in [] }
}
