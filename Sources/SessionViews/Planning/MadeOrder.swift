// The order in which the listeners of a plan are made: registrations are notified in that order.

/// Which elements of a list can stay as they are. An element that is made again comes last, so all elements behind it
/// in the wanted order are made again, too.
struct MadeOrder {
    private var last = -1
    private var isBroken = false

    /// Whether the next element of the wanted order can stay. Called for each in that order.
    ///
    /// - Parameter place: where the element stands now; nil for one that is not there, or not as it is wanted.
    mutating func keeps(_ place: @autoclosure () -> Int?) -> Bool {
        guard !isBroken, let place = place(), place > last else {
            isBroken = true
            return false
        }
        last = place
        return true
    }
}
