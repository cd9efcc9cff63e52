// Searching in what is sorted.

extension RandomAccessCollection {
    /// The first place from which on all elements are behind, where those that are not come first. O(log n).
    @inlinable @inline(__always)
    package func firstPlace(where isBehind: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
