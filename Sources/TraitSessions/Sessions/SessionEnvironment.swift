// Time and randomness, passed in: the service knows no clock of its own, so that whole exchanges
// can be compared byte by byte.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

package struct SessionEnvironment: Sendable {
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64
    package var random: @Sendable () -> UInt64

    package init(now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64) {
        self.now = now
        self.random = random
    }

    /// The machine's clock and random source.
    package static let system = SessionEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        },
        random: { UInt64.random(in: .min ... .max) })

    /// `count` characters of `[a-z0-9]`.
    package func name(length count: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(
            decoding: (0..<count).map { _ in alphabet[Int(random() % 36)] }, as: UTF8.self)
    }
}
