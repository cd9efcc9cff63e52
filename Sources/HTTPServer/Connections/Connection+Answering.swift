// The answer to one request, appended to the shard's batch.

import HTTPWire

extension Connection {
    /// The one place where an answer begins: exactly one to each request.
    func takeTurn() {
        precondition(turn == .due, "a request is answered once, and while its handler is asked")
        turn = .given
        if phase == .waiting { endWait() }
    }

    func answer(
        status: Int, contentType: StaticString?, fields: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer
    ) {
        takeTurn()
        guard contentType != nil, body.count >= limits.gzipBytesMin, Self.allowsBody(status) else {
            return write(status, contentType, fields, body, .identity)
        }
        guard clientAcceptsGzip else {
            return write(status, contentType, fields, body, .identityNegotiated)
        }
        if isHead {
            // The length that a GET would have is not worth compressing for.
            writeHead(status, contentType, fields, .none, .gzip)
        } else if body.count > limits.gzipInlineBytesMax {
            compressElsewhere(status, contentType, fields, body)
        } else {
            let compressed = shard.compressed
            compressed.removeAll()
            if shard.gzip.encode(body, into: compressed) {
                write(status, contentType, fields, compressed.bytes, .gzip)
            } else {
                write(status, contentType, fields, body, .identityNegotiated)
            }
        }
    }

    func write(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer, _ coding: ContentCoding
    ) {
        let framing = Self.allowsBody(status) ? ResponseFraming.length(body.count) : .none
        writeHead(status, contentType, fields, framing, coding)
        if !isHead, framing != .none { shard.out.append(body) }
    }

    /// Also decides what becomes of the connection.
    private func writeHead(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ framing: ResponseFraming, _ coding: ContentCoding
    ) {
        if shard.isDraining { keepsAlive = false }
        phase = keepsAlive ? .reading : .closing
        ResponseEncoder.head(
            into: shard.out, status: status, date: shard.date, contentType: contentType,
            fields: fields, framing: framing, coding: coding, connection: connectionOption)
    }

    private var connectionOption: ConnectionOption {
        keepsAlive ? (minorVersion == 0 ? .keepAlive : .implied) : .close
    }

    /// Read from the request while it is there, remembered when it is parked.
    var clientAcceptsGzip: Bool {
        shard.requestBytes.baseAddress == nil
            ? acceptsGzip : shard.intake.head.acceptsGzip(in: shard.requestBytes)
    }

    /// RFC 9110 section 6.4.1.
    static func allowsBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// Answers with the head of a stream. Nothing is produced before the handler has returned.
    func beginStream(
        status: Int, contentType: StaticString, fields: UnsafeRawBufferPointer,
        source: any StreamSource
    ) -> WakeHandle {
        takeTurn()
        let isChunked = minorVersion >= 1
        // A body of unknown length ends with the connection in HTTP/1.0.
        if !isChunked { keepsAlive = false }
        writeHead(status, contentType, fields, isChunked ? .chunked : .none, .identity)
        let target = shard.makeTarget(self)
        guard !isHead else {
            source.closed()
            return WakeHandle(target: target)
        }
        phase = .streaming
        self.target = target
        let stream = StreamState(source: source, isChunked: isChunked)
        if shard.isDraining { stream.endsAt = shard.now }
        self.stream = stream
        shard.counters.streams.add(1)
        return WakeHandle(target: target)
    }
}
