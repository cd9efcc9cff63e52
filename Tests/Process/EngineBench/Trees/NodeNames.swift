// Identifiers of one length, made before anything is timed.

/// The identifiers of many nodes, one behind the other.
final class NodeNames {
    let width: Int
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter width: bytes of an identifier, from 8 on.
    init(_ count: Int, width: Int = 8) {
        self.width = width
        bytes = .allocate(byteCount: max(1, count * width), alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
        for number in 0..<count {
            let start = number * width
            bytes[start] = UInt8(ascii: "n")
            for digit in 0..<7 {
                let value = UInt8(truncatingIfNeeded: (number >> (digit * 4)) & 15)
                bytes[start + width - 1 - digit] =
                    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
            }
        }
    }

    deinit { bytes.deallocate() }

    /// Valid as long as the names are.
    @inline(__always)
    subscript(number: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[number &* width..<(number &+ 1) &* width])
    }
}
