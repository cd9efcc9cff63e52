// How well a log over a network is reached, for readiness.

package struct LogContact: Equatable, Sendable {
    /// The time since the log answered last.
    package var silence: Duration
    /// How long this process has been catching up with all that the log has; zero while it is level.
    package var lag: Duration

    /// At most so long ago this process knew everything that the log had.
    package var age: Duration

    package init(silence: Duration, lag: Duration, age: Duration = .zero) {
        self.silence = silence
        self.lag = lag
        self.age = age
    }
}
