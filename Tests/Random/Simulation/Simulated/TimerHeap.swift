// Timers in a binary heap. Each timer knows its place, so that a wait which ends early takes its timer along: stale
// timers would outnumber the others by far, as nearly every wait has a deadline that does not come.

/// Confinement: owned by one scheduler, as are all types of this target.
final class SimulatedTimer {
    enum Work {
        case wakes(Fiber)
        case calls(() -> Void)
    }

    let work: Work
    fileprivate(set) var time: UInt64 = 0
    /// Orders timers of one time by when they were set.
    fileprivate var order: UInt64 = 0
    fileprivate var place = -1

    init(_ work: Work) { self.work = work }

    var isSet: Bool { place >= 0 }

    fileprivate func isBefore(_ other: SimulatedTimer) -> Bool {
        time != other.time ? time < other.time : order < other.order
    }
}

struct TimerHeap {
    private var timers: [SimulatedTimer] = []
    private var nextOrder: UInt64 = 0

    var first: SimulatedTimer? { timers.first }

    /// O(log timers), as is `remove`.
    mutating func set(_ timer: SimulatedTimer, at time: UInt64) {
        precondition(!timer.isSet, "a timer is set twice")
        timer.time = time
        timer.order = nextOrder
        nextOrder &+= 1
        timer.place = timers.count
        timers.append(timer)
        rise(timer.place)
    }

    /// Does nothing to a timer that is not set.
    mutating func remove(_ timer: SimulatedTimer) {
        let place = timer.place
        guard place >= 0 else { return }
        let last = timers.removeLast()
        if last !== timer {
            put(last, place)
            rise(place)
            sink(last.place)
        }
        timer.place = -1
    }

    private mutating func put(_ timer: SimulatedTimer, _ place: Int) {
        timers[place] = timer
        timer.place = place
    }

    private mutating func rise(_ start: Int) {
        var place = start
        let timer = timers[place]
        while place > 0, timer.isBefore(timers[(place - 1) / 2]) {
            put(timers[(place - 1) / 2], place)
            place = (place - 1) / 2
        }
        put(timer, place)
    }

    private mutating func sink(_ start: Int) {
        var place = start
        let timer = timers[place]
        while 2 * place + 1 < timers.count {
            var child = 2 * place + 1
            if child + 1 < timers.count, timers[child + 1].isBefore(timers[child]) { child += 1 }
            guard timers[child].isBefore(timer) else { break }
            put(timers[child], place)
            place = child
        }
        put(timer, place)
    }
}
