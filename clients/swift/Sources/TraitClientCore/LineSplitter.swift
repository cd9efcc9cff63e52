// Cuts the bytes of a stream into lines.

package struct LineSplitter: Sendable {
    /// The most bytes of a line: 16 MiB.
    package static let lineBytesMax = 16 << 20

    private var unfinished: [UInt8] = []

    package init() {}

    /// Adds bytes and gives the lines that they finish, without their ends. Lines of white space
    /// are left out.
    /// Answers false when a line is longer than ``lineBytesMax``; then the stream is of no more use.
    /// Complexity: O(n).
    package mutating func add(_ bytes: some Collection<UInt8>, _ each: ([UInt8]) -> Void) -> Bool {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            guard
                unfinished.count + rest.distance(from: rest.startIndex, to: end)
                    <= Self.lineBytesMax
            else { return false }
            unfinished.append(contentsOf: rest[..<end])
            rest = rest[rest.index(after: end)...]
            let line = unfinished
            unfinished.removeAll(keepingCapacity: line.count < 4096)
            if line.contains(where: { $0 > 0x20 }) { each(line) }
        }
        unfinished.append(contentsOf: rest)
        return unfinished.count <= Self.lineBytesMax
    }
}
