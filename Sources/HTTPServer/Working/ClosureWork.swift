// Work of a handler for the workers, as two closures: one for its slices, and one that gets the
// result on the shard.

/// The result of one slice of work.
package enum WorkStep<Value> {
    /// There is more to do; others may come first.
    case more
    case done(Value)
}

/// `@unchecked Sendable`: `step` and what it captures belong to one worker after the other, `then` and the
/// value's last use stay on the shard, and a lock of the workers' lies between the two.
final class ClosureWork<Value>: Work, @unchecked Sendable {
    private let step: () -> WorkStep<Value>
    private let then: (Exchange, Value) -> Void
    private var value: Value?

    init(
        _ step: sending @escaping () -> WorkStep<Value>,
        then: @escaping (Exchange, Value) -> Void
    ) {
        self.step = step
        self.then = then
    }

    func slice() -> Bool {
        guard case .done(let value) = step() else { return false }
        self.value = value
        return true
    }

    func finish(_ connection: Connection) {
        guard let value else { return }
        connection.finishWork { then($0, value) }
    }
}
