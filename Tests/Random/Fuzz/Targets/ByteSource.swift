// Turns an input into decisions: the first bytes say how, the rest is what.

/// Reads an input from its front. Past the end everything is zero, so that no input is too short.
struct ByteSource {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isEmpty: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A number below `bound`, which is at most 256.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(byte()) % bound : 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    mutating func word() -> UInt64 {
        (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) }
    }

    /// What was not read yet.
    var rest: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...])
    }
}

/// Where to cut `count` bytes: growing lengths that end with all of them. Chosen by two bytes: the
/// pieces' longest length, and how the lengths vary.
func cuts(of count: Int, size: UInt8, variety: UInt8) -> [Int] {
    let longest = 1 << (Int(size) % 10)
    var state = UInt32(variety) &+ 1
    var result: [Int] = []
    var length = 0
    while length < count {
        state = state &* 1_664_525 &+ 1_013_904_223
        length = min(count, length + 1 + Int(state >> 16) % longest)
        result.append(length)
    }
    return result
}
