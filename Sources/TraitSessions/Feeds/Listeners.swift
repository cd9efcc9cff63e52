// The listeners of a feed, which wait for its next commit. Thousands are woken at once, so they lie
// side by side in memory, in the order of their arrival, which is about the order of their
// connections in memory.
struct Listeners {
    private var handles = ContiguousArray<(any Waker)?>()
    /// Places whose listener has left.
    private var free = ContiguousArray<Int>()

    var isEmpty: Bool { handles.count == free.count }
    var count: Int { handles.count - free.count }

    /// Returns the listener's place, which is valid until the listener is removed. Amortised O(1).
    mutating func add(_ handle: any Waker) -> Int {
        if let place = free.popLast() {
            handles[place] = handle
            return place
        }
        handles.append(handle)
        return handles.count - 1
    }

    /// To be called once for each that was added. O(1).
    mutating func remove(_ place: Int) {
        handles[place] = nil
        free.append(place)
        if isEmpty {
            handles = []
            free = []
        }
    }

    /// O(places), of which there are as many as there were listeners at the same time.
    func wake(_ wakes: inout WakeList) {
        wakes.reserve(handles.count - free.count)
        for case let handle? in handles { wakes.add(handle) }
    }
}
