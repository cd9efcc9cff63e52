// Reading all of a file, and writing all of some bytes, through calls that may do a part of it.

import Glibc

/// Functions on open files. The number of the system's error is 0 for none.
enum Descriptors {
    /// Reads to the end, or until there are more than `bytesMax` bytes.
    ///
    /// - Parameter progress: gets the number of bytes so far.
    static func readAll(
        _ descriptor: Int32, bytesMax: Int = .max, _ progress: ((Int) -> Void)? = nil
    ) -> (bytes: [UInt8], error: Int32) {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 262_144)
        while bytes.count <= bytesMax {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return (bytes, errno) }
            bytes += part[..<count]
            progress?(bytes.count)
        }
        return (bytes, 0)
    }

    /// Writes all bytes, unless that fails.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count == 0 { return EIO }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
