// How well a log over a network is reached, for readiness.

package struct LogContact: Equatable, Sendable {
    /// The time since the log answered last.
    package var silence: Duration
    /// How long this process has been catching up with all that the log has; zero while it is level.
    package var lag: Duration

    /// At most so long ago this process knew everything that the log had.
    package var age: Duration

    /// How much room the log has.
    package var space: LogSpaceUse

    /// The name that this process was given among those that share the log; nil for none.
    package var replica: String?

    package init(
        silence: Duration, lag: Duration, age: Duration = .zero, space: LogSpaceUse = LogSpaceUse(),
        replica: String? = nil
    ) {
        self.silence = silence
        self.lag = lag
        self.age = age
        self.space = space
        self.replica = replica
    }
}

/// Bytes of the log's storage.
package struct LogSpaceUse: Equatable, Sendable {
    package var used: Int64 = 0
    /// The most bytes that may be used; `.max` for no limit.
    package var max: Int64 = .max
    /// Whether so much is used that the log keeps less history than usual.
    package var isShort = false

    package init(used: Int64 = 0, max: Int64 = .max, isShort: Bool = false) {
        self.used = used
        self.max = max
        self.isShort = isShort
    }
}
