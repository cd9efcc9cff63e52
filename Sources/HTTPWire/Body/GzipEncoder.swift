// Compresses answers. One encoder is reused from answer to answer: its state is a quarter MiB.

import CZlib

/// A gzip compressor. Confined to one thread at a time by its owner.
package final class GzipEncoder {
    /// How much of the input has to be in the output now.
    package enum Flush: Sendable {
        /// As little as zlib likes.
        case none
        /// All of it, so that the receiver can read it before more is sent.
        case sync
    }

    // zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether there was memory for the encoder.
    package let isReady: Bool
    /// Whether a stream is open: bytes were written since the last `finish` or `reset`.
    package private(set) var isOpen = false

    /// `level` is 1 (fast) to 9 (small). `isSmall` takes 32 KiB instead of 256.
    package init(level: Int = 1, isSmall: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let level = Int32(min(max(level, 1), 9))
        isReady =
            (isSmall
                ? traitd_deflateInitSmall(stream, level) : traitd_deflateInit(stream, level))
            == Z_OK
    }

    deinit {
        if isReady { deflateEnd(stream) }
        stream.deallocate()
    }

    /// Appends one whole gzip member that holds `bytes`. Answers whether it worked; it does not
    /// only when memory ran out, and then nothing was appended.
    package func encode(_ bytes: UnsafeRawBufferPointer, into out: OutputBuffer) -> Bool {
        reset()
        let start = out.count
        guard run(bytes, Z_FINISH, into: out) else {
            out.truncate(to: start)
            return false
        }
        isOpen = false
        return true
    }

    /// Compresses more of a stream. Answers whether it worked.
    package func write(
        _ bytes: UnsafeRawBufferPointer, flush: Flush, into out: OutputBuffer
    ) -> Bool {
        if !isOpen { reset() }
        isOpen = true
        return run(bytes, flush == .sync ? Z_SYNC_FLUSH : Z_NO_FLUSH, into: out)
    }

    /// Ends a stream: the checksum and the length. Answers whether it worked.
    package func finish(into out: OutputBuffer) -> Bool {
        if !isOpen { reset() }
        isOpen = false
        return run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: out)
    }

    /// Forgets the stream in progress.
    package func reset() {
        if isReady { deflateReset(stream) }
        isOpen = false
    }

    private func run(
        _ bytes: UnsafeRawBufferPointer, _ flush: Int32, into out: OutputBuffer
    ) -> Bool {
        guard isReady else { return false }
        var input = ZlibInput(bytes)
        var status = Z_OK
        repeat {
            input.refill(stream)
            let mode = input.isLast ? flush : Z_NO_FLUSH
            repeat {
                out.withRoom(max(256, min(input.count / 2, 65_536))) { room in
                    let size = min(room.count, Int(Int32.max))
                    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
                    stream.pointee.avail_out = uInt(size)
                    status = deflate(stream, mode)
                    return size - Int(stream.pointee.avail_out)
                }
                // No progress is possible when everything was flushed before; that is no failure.
                if status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR {
                    return false
                }
            } while stream.pointee.avail_out == 0
        } while !input.isLast
        return flush != Z_FINISH || status == Z_STREAM_END
    }
}
