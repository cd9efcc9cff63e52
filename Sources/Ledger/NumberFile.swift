// Files in /proc whose one line is decimal numbers between spaces. They are read ten and a thousand times
// a second, beside requests that allocate nothing.

import Glibc

/// Reads such a file, which stays open.
package enum NumberFile {
    /// The first number of a file; nil when there is none.
    static func number(in path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return number(at: 0, of: descriptor).map { Int(clamping: $0) }
    }

    /// One number of the file; nil where `descriptor` is below 0 or the file is shorter. One system call,
    /// no allocation.
    ///
    /// - Parameter index: the number's position in the line, from 0.
    package static func number(at index: Int, of descriptor: Int32) -> UInt64? {
        guard descriptor >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
            let count = pread(descriptor, text.baseAddress, text.count, 0)
            var rest = text[..<max(0, count)]
            for _ in 0..<index {
                guard let space = rest.firstIndex(where: { $0 < UInt8(ascii: "0") }) else {
                    return nil
                }
                rest = rest[(space + 1)...]
            }
            var number: UInt64 = 0
            for byte in rest {
                guard byte >= UInt8(ascii: "0") else { return number }
                number = number &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            }
            return nil
        }
    }
}
