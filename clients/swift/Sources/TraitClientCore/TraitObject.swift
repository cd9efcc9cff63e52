// A JSON object. Not a dictionary of Swift, because Swift takes names for equal that differ in their bytes (a
// composed and a decomposed é), and because the order of members matters in documents: traitd keeps the order of
// the definitions.

/// An object of JSON: members by name, in the order in which they were written.
///
/// Names are compared by their UTF-8 bytes. Finding a member of n takes O(log n) comparisons.
public struct TraitObject: Sendable {
    /// A name and its value.
    public typealias Element = (name: String, value: TraitValue)

    private var members: [Element] = []
    /// Positions in `members`, sorted by the bytes of the names.
    private var sorted: [Int32] = []

    /// Makes an object without members.
    public init() {}

    /// Makes an object. Of several members with one name the last one counts, at the place of the last one.
    /// Complexity: O(n log n).
    public init(_ members: some Sequence<(String, TraitValue)>) {
        self.members = members.map { (name: $0.0, value: $0.1) }
        index()
    }

    private mutating func index() {
        var order = members.indices.map(Int32.init)
        order.sort { one, other in
            let (name, second) = (members[Int(one)].name, members[Int(other)].name)
            if name.utf8.elementsEqual(second.utf8) { return one < other }
            return name.utf8.lexicographicallyPrecedes(second.utf8)
        }
        let replaced = zip(order, order.dropFirst()).filter { one, next in
            members[Int(one)].name.utf8.elementsEqual(members[Int(next)].name.utf8)
        }
        sorted = order
        guard !replaced.isEmpty else { return }
        let dropped = Set(replaced.map { Int($0.0) })
        members = members.indices.filter { !dropped.contains($0) }.map { members[$0] }
        index()
    }

    /// Where the name is in `sorted`, or nil.
    private func position(of name: String) -> Int? {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            let found = members[Int(sorted[middle])].name
            if found.utf8.elementsEqual(name.utf8) { return middle }
            if found.utf8.lexicographicallyPrecedes(name.utf8) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return nil
    }

    /// The value of the member, or nil if there is no such member. Assigning nil removes the member.
    /// Complexity: O(log n) to read, O(n log n) to add or remove.
    public subscript(_ name: String) -> TraitValue? {
        get { position(of: name).map { members[Int(sorted[$0])].value } }
        set {
            let place = position(of: name).map { Int(sorted[$0]) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                index()
            case (nil, let value?):
                members.append((name, value))
                index()
            case (nil, nil): break
            }
        }
    }

    /// The members, sorted by the bytes of their names.
    var sortedMembers: some Sequence<Element> { sorted.lazy.map { members[Int($0)] } }
}

extension TraitObject: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { members.count }
    /// The member at a place in the order in which the members were written.
    public subscript(position: Int) -> Element { members[position] }
}

extension TraitObject: ExpressibleByDictionaryLiteral {
    /// Makes an object. Of several members with one name the last one counts.
    public init(dictionaryLiteral elements: (String, TraitValue)...) { self.init(elements) }
}

extension TraitObject: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (one: TraitObject, other: TraitObject) -> Bool {
        one.members.count == other.members.count
            && zip(one.sorted, other.sorted).allSatisfy { first, second in
                let (left, right) = (one.members[Int(first)], other.members[Int(second)])
                return left.name.utf8.elementsEqual(right.name.utf8) && left.value == right.value
            }
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for (name, value) in sortedMembers {
            hasher.combine(TraitValue.string(name))
            hasher.combine(value)
        }
    }
}
