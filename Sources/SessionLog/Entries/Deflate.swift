// Deflate of rows and snapshots: JSON becomes three to five times smaller. That saves etcd more time than it takes
// here, and it saves memory where a session keeps a snapshot of its past.

import CZlib

package enum Deflate {
    /// Deflate makes no more than this of one byte, so a damaged length cannot ask for any memory.
    private static let ratioMax = 1_032
    private static let bytesMax = 1_073_741_824
    private static let plain: UInt8 = 0
    private static let deflated: UInt8 = 1
    private static let lengthBytes = 8
    private static let level: Int32 = 1

    /// A flag, and the bytes plain, or their number and the bytes deflated if that is shorter.
    package static func pack(_ bytes: [UInt8], from bytesMin: Int) -> [UInt8] {
        if bytes.count >= bytesMin, let packed = deflate(bytes), packed.count < bytes.count {
            return packed
        }
        return [plain] + bytes
    }

    /// Deflates bytes and hands over each piece once it is full, so that it can be sent while the next one is made. The
    /// pieces joined are what `unpack` takes. O(bytes) time; a piece and zlib's window of memory.
    ///
    /// - Parameter size: the bytes of each piece but the last, more than 9.
    /// - Throws: what `take` throws; `unavailable` when zlib has no memory.
    package static func pack(
        _ bytes: [UInt8], inPiecesOf size: Int, _ take: ([UInt8]) throws(LogFailure) -> Void
    ) throws(LogFailure) {
        // zlib refuses a stream that has moved in memory.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let structBytes = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit_(stream, level, ZLIB_VERSION, structBytes) == Z_OK else {
            throw LogFailure(.unavailable, "zlib has no memory")
        }
        defer { deflateEnd(stream) }
        try bytes.withUnsafeBufferPointer { (bytes) throws(LogFailure) in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = UInt32(bytes.count)
            var piece = [UInt8](repeating: 0, count: size)
            piece[0] = deflated
            let length = UInt64(bytes.count).littleEndian
            piece.withUnsafeMutableBytes {
                $0.storeBytes(of: length, toByteOffset: 1, as: UInt64.self)
            }
            var filled = 1 + lengthBytes
            while true {
                let status = piece.withUnsafeMutableBufferPointer { piece in
                    stream.pointee.next_out = piece.baseAddress.map { $0 + filled }
                    stream.pointee.avail_out = UInt32(size - filled)
                    return CZlib.deflate(stream, Z_FINISH)
                }
                guard status == Z_OK || status == Z_STREAM_END else {
                    throw LogFailure(.unavailable, "zlib failed with \(status)")
                }
                try take(Array(piece.prefix(size - Int(stream.pointee.avail_out))))
                if status == Z_STREAM_END { return }
                filled = 0
            }
        }
    }

    private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(UInt(bytes.count))
        let start = 1 + lengthBytes
        var packed = [UInt8](repeating: 0, count: start + Int(length))
        let result = packed.withUnsafeMutableBytes { packed in
            packed[0] = deflated
            packed.storeBytes(
                of: UInt64(bytes.count).littleEndian, toByteOffset: 1, as: UInt64.self)
            let target = packed.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return compress2(target.map { $0 + start }, &length, bytes, UInt(bytes.count), level)
        }
        guard result == Z_OK else { return nil }
        // A copy, as the array keeps the memory that it began with.
        return Array(packed.prefix(start + Int(length)))
    }

    /// The bytes that were packed.
    ///
    /// - Throws: `damaged` when the packed bytes are not as they were written, `unsupported` when a later release wrote
    ///   them.
    package static func unpack(_ packed: ArraySlice<UInt8>) throws(LogFailure) -> [UInt8] {
        switch packed.first {
        case plain: return Array(packed.dropFirst())
        case deflated: return try inflate(packed.dropFirst())
        case .none: throw LogFailure(.damaged(), "a stored value is empty")
        case .some(let flag):
            throw LogFailure(.unsupported(version: flag), "a stored value has the form \(flag)")
        }
    }

    private static func inflate(_ packed: ArraySlice<UInt8>) throws(LogFailure) -> [UInt8] {
        let damaged = LogFailure(.damaged(), "a deflated value is damaged")
        let source = packed.dropFirst(lengthBytes)
        guard packed.count > lengthBytes else { throw damaged }
        let length = packed.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
        }
        guard length <= UInt64(min(bytesMax, source.count * ratioMax)) else { throw damaged }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        var written = UInt(length)
        let result = source.withUnsafeBufferPointer { source in
            uncompress(&bytes, &written, source.baseAddress, UInt(source.count))
        }
        guard result == Z_OK, written == UInt(length) else { throw damaged }
        return bytes
    }
}
