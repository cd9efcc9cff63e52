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
        status: Int, contentType: StaticString?, fields: UnsafeRawBufferPointer, body: AnswerBody
    ) {
        takeTurn()
        let bytes = body.bytes
        if bytes.count > Exchange.smallBodyBytesMax, !hasRoom(bytes.count) {
            // Before its first byte: an answer that has begun is never cut.
            return begin(AnswerRefusal(.tooMuchOutput(shard.unsent)))
        }
        guard contentType != nil, bytes.count >= limits.gzipBytesMin, Self.allowsBody(status) else {
            // A 304 may confirm an answer that was compressed (RFC 9110 section 15.4.5).
            let coding = status == 304 ? ContentCoding.identityNegotiated : .identity
            return write(status, contentType, fields, body, coding)
        }
        guard clientAcceptsGzip else {
            return write(status, contentType, fields, body, .identityNegotiated)
        }
        if isHead {
            // Compressing only to state the length of a GET is not worth it.
            writeHead(status, contentType, fields, .none, .gzip)
        } else if bytes.count > limits.gzipInlineBytesMax {
            compressElsewhere(Answer(status, contentType, fields, body))
        } else {
            let compressed = shard.compressed
            compressed.removeAll()
            if shard.gzip.encode(bytes, into: compressed) {
                write(status, contentType, fields, .borrowed(compressed.bytes), .gzip)
            } else {
                let plain = EntityTagCoding.plain(fields)
                write(status, contentType, plain.bytes, body, .identityNegotiated)
            }
        }
    }

    /// Whether there is room for an answer that the client may not take at once. Requests that may have
    /// changed something, and HEAD, are answered in any case.
    private func hasRoom(_ bytes: Int) -> Bool {
        if !isSafe || isHead { return true }
        return shard.unsent.hasRoom(for: bytes)
            && shard.unsent.leavesRoom(bytes, besides: account.unsent.bytes)
    }

    /// Why an answer with a body of `bytes` would be refused now.
    func refusal(ofBody bytes: Int) -> WireError? {
        if bytes <= Exchange.smallBodyBytesMax || hasRoom(bytes) { return nil }
        return .tooMuchOutput(shard.unsent)
    }

    func write(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ body: AnswerBody, _ coding: ContentCoding
    ) {
        let size = body.bytes.count
        let framing = Self.allowsBody(status) ? ResponseFraming.length(size) : .none
        writeHead(status, contentType, fields, framing, coding)
        guard !isHead, framing != .none else { return }
        if size <= limits.batchBytesMax {
            out.append(body.bytes)
        } else {
            sendLong(body)
        }
    }

    /// Also sets the phase: whether the connection is kept.
    private func writeHead(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ framing: ResponseFraming, _ coding: ContentCoding
    ) {
        if shard.isDraining { keepsAlive = false }
        phase = keepsAlive ? .reading : .closing
        ResponseEncoder.head(
            into: out, status: status, date: shard.date, contentType: contentType,
            fields: fields, framing: framing, coding: coding, connection: connectionOption)
    }

    private var connectionOption: ConnectionOption {
        keepsAlive ? (minorVersion == 0 ? .keepAlive : .implied) : .close
    }

    /// Read from the request while it is there, remembered when it is parked.
    var clientAcceptsGzip: Bool {
        shard.request.bytes.baseAddress == nil
            ? acceptsGzip : intake.head.acceptsGzip(in: shard.request.bytes)
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
            return WakeHandle(target)
        }
        phase = .streaming
        self.target = target
        let stream = StreamState(source: source, isChunked: isChunked)
        if shard.isDraining, !stream.isFinite { stream.endsAt = shard.now }
        self.stream = stream
        shard.counters.streams.add(1)
        return WakeHandle(target)
    }
}
