// Random places of a tree, each at most once.

import SeededRandom

extension SeededRandom {
    /// So many different numbers of 0 …< bound, in random order.
    mutating func distinct(_ count: Int, below bound: Int) -> [Int] {
        if count * 3 > bound { return Array((0..<bound).shuffled(using: &self).prefix(count)) }
        var seen = Set<Int>()
        var numbers: [Int] = []
        while numbers.count < count {
            let number = below(bound)
            if seen.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }
}
