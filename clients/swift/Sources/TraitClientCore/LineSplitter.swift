// Cuts the bytes of a stream into the texts of records: lines, or the data of server-sent events.

package struct LineSplitter: Sendable {
    /// The most bytes of a line: 16 MiB.
    package static let lineBytesMax = 16 << 20

    private let isEvents: Bool
    private var unfinished: [UInt8] = []
    /// Of the event that is not complete yet.
    private var data: [UInt8] = []

    package init(isEvents: Bool = false) { self.isEvents = isEvents }

    /// Adds bytes and gives the lines, or the data of the events, that they finish, without their ends. Lines of white
    /// space are left out.
    /// Returns false when one is longer than ``lineBytesMax``; then the stream is of no more use.
    /// Complexity: O(n).
    package mutating func add(_ bytes: ArraySlice<UInt8>, _ each: ([UInt8]) -> Void) -> Bool {
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            guard unfinished.count + rest[..<end].count <= Self.lineBytesMax else { return false }
            unfinished.append(contentsOf: rest[..<end])
            rest = rest[(end + 1)...]
            let line = unfinished
            unfinished.removeAll(keepingCapacity: line.count < 4096)
            let isBlank = !line.contains { $0 > 0x20 }
            if isEvents {
                guard addField(line, isBlank, each) else { return false }
            } else if !isBlank {
                each(line)
            }
        }
        unfinished.append(contentsOf: rest)
        return unfinished.count <= Self.lineBytesMax
    }

    /// A blank line ends an event. Only the data counts: records have their types and tokens in it.
    private mutating func addField(
        _ line: [UInt8], _ isBlank: Bool, _ each: ([UInt8]) -> Void
    ) -> Bool {
        if isBlank {
            let event = data
            data = []
            if event.contains(where: { $0 > 0x20 }) { each(event) }
        } else if line.starts(with: "data:".utf8) {
            data.append(contentsOf: line.dropFirst(5))
            data.append(0x0A)
        }
        return data.count <= Self.lineBytesMax
    }
}
