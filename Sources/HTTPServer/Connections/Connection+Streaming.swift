// Streams: a source makes more only when the client has taken the bytes before.

import HTTPWire

/// The state of one stream. Confined to its shard.
final class StreamState {
    let source: any StreamSource
    /// HTTP/1.0 knows no chunks; the end of the connection ends the stream.
    let isChunked: Bool
    let isFinite: Bool
    /// Whether to ask the source again as soon as the client has room.
    var wantsMore = true
    /// Whether the source kept bytes when it was last asked.
    var isHolding = false
    /// When the server ends it because it drains.
    var endsAt = UInt64.max

    init(source: any StreamSource, isChunked: Bool) {
        self.source = source
        self.isChunked = isChunked
        isFinite = source.isFinite
    }
}

extension Connection {
    /// Asks the source for more, and sends it.
    func produce() {
        guard phase == .streaming, outbound == nil, let stream else { return }
        let records = shard.records
        stream.wantsMore = false
        let step = stream.source.produce(into: records, budget: limits.streamBufferBytesMax)
        guard append(records, stream) else { return }
        if stream.isHolding || stream.source.heldBytes > 0 {
            stream.isHolding = stream.source.heldBytes > 0
            if !accountUnsent() { return overflow() }
        }
        switch step {
        case .idle(let until): wakeDeadline = until ?? .max
        case .more: stream.wantsMore = true
        case .broken:
            flush()
            return close()
        case .finished:
            if stream.isChunked { ResponseEncoder.lastChunk(into: out) }
            endWait()
            phase = keepsAlive && !shard.isDraining ? .reading : .closing
        }
        flush()
        if outbound == nil { sent() }
    }

    /// The stream was woken. Thousands of streams may be woken for the same record.
    func streamWoken() {
        guard outbound == nil, let stream else {
            self.stream?.wantsMore = true
            return
        }
        guard !stream.wantsMore, out.isEmpty, let records = stream.source.sharedRecords() else {
            return produce()
        }
        _ = records.withFramed(isChunked: stream.isChunked) { transmitAll($0) }
    }

    /// Sends the last record of the source, and ends the connection after that or at a deadline.
    func endStream(_ reason: StreamEnd) {
        guard phase == .streaming, let stream else { return }
        // A last chunk would make what was sent so far look complete.
        if stream.isFinite { return close() }
        let records = shard.records
        stream.source.end(reason, into: records)
        guard append(records, stream) else { return }
        if stream.isChunked { ResponseEncoder.lastChunk(into: out) }
        endWait()
        phase = .closing
        isEnded = true
        flush()
        guard phase != .closed else { return }
        if outbound == nil {
            sent()
        } else {
            setDeadline(shard.now.advanced(by: shard.lingerTime))
        }
    }

    /// Adds records to the batch. Long ones are sent from where they lie, and kept there until the
    /// client takes them.
    ///
    /// - Returns: whether the connection is still there.
    private func append(_ records: OutputBuffer, _ stream: StreamState) -> Bool {
        guard records.count > limits.batchBytesMax, outbound == nil else {
            if stream.isChunked {
                ResponseEncoder.chunk(records.bytes, into: out)
            } else {
                out.append(records.bytes)
            }
            records.empty()
            return true
        }
        if stream.isChunked {
            ResponseEncoder.chunkHead(records.count, into: out)
            records.append("\r\n")
        }
        sendLong(.owned(records))
        if outbound === records {
            shard.records = shard.spares.take()
        } else {
            records.empty()
        }
        return phase != .closed
    }
}

extension OutputBuffer {
    /// Scratch storage that one long answer has made larger is given back.
    static let keptBytesMax = 1_048_576

    func empty() { removeAll(keepingCapacity: capacity <= Self.keptBytesMax) }
}
