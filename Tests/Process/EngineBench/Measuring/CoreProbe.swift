// Whether the core is free. A virtual core is often one of two threads of a real one, and while
// another machine's work runs on the other, everything here takes up to twice as long.

/// A loop that keeps all units of a core busy, and takes longer at once when it has to share them.
struct CoreProbe {
    private let ticks: Ticks
    /// Nanoseconds that the loop takes on a free core, as far as one was met.
    private var least = Double.infinity

    /// How much longer it may take on a core that counts as free.
    private static let toleratedRatio = 1.05

    /// Takes a quarter of a second.
    init(_ ticks: Ticks) {
        self.ticks = ticks
        for _ in 0..<200_000 { _ = isFree() }
    }

    mutating func isFree() -> Bool {
        let elapsed = ticks.time { Self.loop() }
        least = min(least, elapsed)
        return elapsed <= least * Self.toleratedRatio
    }

    /// Six chains that do not wait for each other, without memory. About a microsecond.
    @inline(never)
    private static func loop() {
        var (a, b, c): (UInt64, UInt64, UInt64) = (1, 2, 3)
        var (d, e, f): (UInt64, UInt64, UInt64) = (4, 5, 6)
        for number in UInt64(0)..<1_000 {
            a = (a &+ number) ^ (a &>> 7)
            b = (b &+ number) ^ (b &>> 9)
            c = (c &+ number) ^ (c &>> 11)
            d = (d &+ number) ^ (d &>> 13)
            e = (e &+ number) ^ (e &>> 5)
            f = (f &+ number) ^ (f &>> 3)
        }
        consume(a ^ b ^ c ^ d ^ e ^ f)
    }
}
