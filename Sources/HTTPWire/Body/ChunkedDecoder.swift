// Decodes the chunked coding of a body, exactly as RFC 9112 section 7.1 says.

/// An incremental decoder of one chunked body. Allocates only when there are trailers.
package struct ChunkedDecoder: Sendable {
    package enum State: Sendable {
        case needMore
        case done
        case malformed(WireError)
    }

    private enum Phase: Sendable {
        case size, extensions, sizeLF, data, dataCR, dataLF, trailer, trailerLF, done
    }

    private let limits: WireLimits
    private var phase = Phase.size
    /// The size of the current chunk, then the number of its missing bytes.
    private var remaining = 0
    private var sizeDigits = 0
    /// Bytes of the current chunk-size line so far.
    private var lineBytes = 0
    private var extensions = ChunkExtensions()
    private var extensionBytes = 0
    /// The payload of all chunks announced so far.
    private var bodyBytes = 0
    private var trailerBytes = 0
    /// The trailer line in progress, its line end included.
    private var trailerLine: [UInt8] = []
    /// Bytes of the body taken by earlier calls, for the offsets in errors.
    private var taken = 0

    package init(limits: WireLimits = .init()) {
        self.limits = limits
    }

    /// Ready for another body.
    package mutating func reset() {
        self = ChunkedDecoder(limits: limits)
    }

    /// Appends the payload in `input` to `output`, and answers how many bytes it used: all of them,
    /// unless the body ended before. A body that would be longer than `bodyBytesMax` is refused as
    /// soon as a chunk announces it. Trailer fields are validated and dropped.
    package mutating func decode(
        _ input: UnsafeRawBufferPointer, into output: OutputBuffer, bodyBytesMax: Int
    ) -> (consumed: Int, state: State) {
        guard let base = input.baseAddress else {
            return (0, phase == .done ? .done : .needMore)
        }
        let bytes = WireBytes(base, end: input.count)
        var index = 0
        do throws(WireError) {
            while index < bytes.end, phase != .done {
                if phase == .data {
                    let size = min(remaining, bytes.end &- index)
                    guard output.tryToReserve(size) else { throw .noMemoryForBody }
                    output.append(UnsafeRawBufferPointer(start: base + index, count: size))
                    index &+= size
                    remaining &-= size
                    if remaining == 0 { phase = .dataCR }
                } else {
                    try step(bytes[index], at: taken &+ index, bodyBytesMax)
                    index &+= 1
                }
            }
        } catch {
            return (index, .malformed(error))
        }
        taken &+= index
        return (index, phase == .done ? .done : .needMore)
    }

    /// Takes one byte of the framing.
    private mutating func step(
        _ byte: UInt8, at offset: Int, _ bodyBytesMax: Int
    ) throws(WireError) {
        switch phase {
        case .size, .extensions:
            try sizeLine(byte, at: offset, bodyBytesMax)
        case .sizeLF:
            guard byte == Ascii.lf else { throw .chunkLineEnd(at: offset) }
            let isLast = remaining == 0
            phase = isLast ? .trailer : .data
            sizeDigits = 0
            lineBytes = 0
            extensions = ChunkExtensions()
        case .dataCR:
            guard byte == Ascii.cr else { throw .chunkEnd(byte, at: offset) }
            phase = .dataLF
        case .dataLF:
            guard byte == Ascii.lf else { throw .chunkLineEnd(at: offset) }
            phase = .size
        case .trailer, .trailerLF:
            try trailer(byte, at: offset)
        case .data, .done:
            break
        }
    }

    private mutating func sizeLine(
        _ byte: UInt8, at offset: Int, _ bodyBytesMax: Int
    ) throws(WireError) {
        if byte == Ascii.cr {
            guard sizeDigits > 0 else { throw .chunkSize(byte, at: offset) }
            if phase == .extensions, !extensions.mayEnd {
                throw .chunkExtension(byte, at: offset)
            }
            guard remaining <= max(0, bodyBytesMax) &- bodyBytes else {
                var error = WireError.bodyTooLarge(max: bodyBytesMax, at: offset)
                error.isExcess = true
                throw error
            }
            bodyBytes &+= remaining
            phase = .sizeLF
            return
        }
        lineBytes &+= 1
        guard lineBytes <= limits.chunkLineBytesMax else {
            throw .chunkLineTooLong(limits, at: offset)
        }
        if phase == .extensions {
            extensionBytes &+= 1
            guard extensionBytes <= limits.chunkExtensionBytesMax else {
                throw .chunkExtensionsTooLong(limits, at: offset)
            }
            guard extensions.take(byte) else { throw .chunkExtension(byte, at: offset) }
        } else if let digit = Ascii.hexValue(byte) {
            // Far more than any body may have, and far from overflowing.
            guard remaining <= Int.max &>> 5 else { throw .chunkSizeOverflow(at: offset) }
            remaining = remaining &* 16 &+ Int(digit)
            sizeDigits &+= 1
        } else if byte == UInt8(ascii: ";"), sizeDigits > 0 {
            phase = .extensions
        } else {
            throw .chunkSize(byte, at: offset)
        }
    }

    private mutating func trailer(_ byte: UInt8, at offset: Int) throws(WireError) {
        trailerBytes &+= 1
        guard trailerBytes <= limits.trailerBytesMax else {
            throw .trailerTooLarge(limits, at: offset)
        }
        if phase == .trailer {
            if byte == Ascii.cr { phase = .trailerLF }
            if trailerLine.isEmpty, byte == Ascii.cr { return }
            trailerLine.append(byte)
            guard byte != Ascii.lf else { throw .trailer(at: offset) }
            return
        }
        guard byte == Ascii.lf else { throw .trailer(at: offset) }
        guard !trailerLine.isEmpty else {
            phase = .done
            return
        }
        trailerLine.append(byte)
        try Trailer.check(trailerLine, at: offset &+ 1 &- trailerLine.count)
        trailerLine.removeAll(keepingCapacity: true)
        phase = .trailer
    }
}
