// Compressed request bodies, made by the zlib that every other program uses.

import CZlib

/// gzip, for request bodies.
package enum Gzip {
    package struct Failure: Error {
        package let code: Int32
    }

    /// One gzip member.
    package static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let start = traitd_deflateInit(&stream, 9)
        guard start == Z_OK else { throw Failure(code: start) }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        let code = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END else { throw Failure(code: code) }
        return Array(output[..<Int(stream.total_out)])
    }
}
