// How well a log over a network is reached, for readiness.

package struct LogContact: Sendable {
    /// The time since the log answered last.
    package var silence: Duration
    /// How long this process has been catching up with all that the log has; zero while it is level.
    package var lag: Duration

    /// Why the log refuses what this process asks for; nil while it does not.
    package var refusal: String?

    /// The members of the log, and whether each has answered when it was asked last.
    package var members: [(name: String, isUp: Bool)]

    /// How much room the log has.
    package var space: LogSpaceUse

    /// The name of this process among those that share the log; empty for none.
    package var replica: String

    package init(
        silence: Duration, lag: Duration, space: LogSpaceUse = LogSpaceUse(),
        replica: String = "", refusal: String? = nil, members: [(name: String, isUp: Bool)] = []
    ) {
        self.silence = silence
        self.lag = lag
        self.space = space
        self.replica = replica
        self.refusal = refusal
        self.members = members
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
