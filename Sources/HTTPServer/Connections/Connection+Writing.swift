// Output: one `send` for each batch. Only bytes that the socket does not take are kept, and only
// then is the socket watched for room.

import Glibc
import HTTPWire

extension Connection {
    /// The most bytes of one system call.
    static let pieceBytesMax = 65_536

    /// Sends appended answers, and continues as the phase demands. To be called after each call that may
    /// append some.
    func settle() {
        guard phase != .closed else { return }
        if phase == .streaming, outbound == nil, stream?.wantsMore == true { return produce() }
        flush()
        if outbound == nil { sent() }
    }

    /// Hands the shard's batch to the socket, and keeps the bytes that it has no room for.
    func flush() {
        guard !out.isEmpty else { return }
        defer { out.empty() }
        guard phase != .closed else { return }
        if let outbound {
            guard outbound.tryToReserve(out.count) else { return overflow() }
            outbound.append(out.bytes)
            if !accountUnsent() { overflow() }
            return
        }
        if !transmitAll(out.bytes) { out.removeAll() }
    }

    /// Hands `bytes` to the socket and keeps a copy of the rest. To be called while no bytes are kept.
    /// Returns whether the connection is still open.
    @discardableResult
    func transmitAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let size = transmit(bytes)
        if size == bytes.count { return true }
        guard size >= 0 else {
            disconnected()
            return false
        }
        let rest = OutputBuffer()
        guard rest.tryToReserve(bytes.count - size) else {
            overflow()
            return false
        }
        rest.append(UnsafeRawBufferPointer(rebasing: bytes[size...]))
        holdBack(rest)
        return true
    }

    /// A body too long to be copied into the batch: both go in one send, as much as may in one turn.
    /// Requests behind it wait until all of it is with the system.
    func sendLong(_ body: AnswerBody) {
        guard phase != .closed else { return out.empty() }
        guard outbound == nil else {
            flush()
            guard let outbound else { return }
            guard outbound.tryToReserve(body.bytes.count) else { return overflow() }
            outbound.append(body.bytes)
            if !accountUnsent() { overflow() }
            return
        }
        defer { out.empty() }
        let batch = out.bytes
        let sent = transmit(batch, body.bytes)
        guard sent >= 0 else { return disconnected() }
        let size = sent - batch.count
        let batchRest = UnsafeRawBufferPointer(rebasing: batch[min(sent, batch.count)...])
        switch body {
        case .owned(let buffer):
            if size < 0 {
                guard buffer.tryToReserve(batchRest.count) else { return overflow() }
                buffer.prepend(batchRest)
            } else {
                buffer.consume(size)
            }
            if !buffer.isEmpty { holdBack(buffer) }
        case .borrowed(let bytes):
            guard size < bytes.count else { return }
            let rest = OutputBuffer()
            guard rest.tryToReserve(bytes.count - size) else { return overflow() }
            rest.append(batchRest)
            rest.append(UnsafeRawBufferPointer(rebasing: bytes[max(0, size)...]))
            holdBack(rest)
        }
    }

    /// Keeps the bytes that the socket had no room for, until it has room.
    private func holdBack(_ rest: OutputBuffer) {
        outbound = rest
        guard accountUnsent() else { return overflow() }
        let watchesPeer = (phase == .streaming || phase == .waiting) && !peerClosed
        watch(watchesPeer ? [.writable, .peerClosed] : .writable)
        setDeadlineOrEnd(shard.now.advanced(by: shard.writeStallTimeout))
    }

    /// Counts the unsent bytes in the budget. Returns whether they are within bounds or have to be sent in
    /// any case: an answer of known length was admitted before it announced its length.
    func accountUnsent() -> Bool {
        let held = (outbound?.capacity ?? 0) &+ (stream?.source.heldBytes ?? 0)
        let difference = held &- unsentCounted
        unsentCounted = held
        account.unsent.change(by: difference)
        let isWithinBudget = shard.unsent.change(by: difference)
        return (isWithinBudget && (difference <= 0 || !isOverShare)) || !isEndlessStream
    }

    /// Whether the unsent bytes of this client's caller exceed the limit of one caller.
    private var isOverShare: Bool { account.unsent.bytes > shard.unsent.callerBytesMax }

    /// Whether the connection sends a stream that may be ended and resumed.
    private var isEndlessStream: Bool {
        guard !isUnsentPromised, let stream else { return false }
        return !stream.isFinite
    }

    /// Stops counting unsent bytes: the system has them all.
    func forgetUnsent() {
        _ = accountUnsent()
        isUnsentPromised = false
    }

    /// Sends an answer of which `counted` bytes are in the budget already.
    func writePromised(
        _ answer: Answer, _ body: OutputBuffer, _ coding: ContentCoding, counted: Int
    ) {
        unsentCounted &+= counted
        account.unsent.change(by: counted)
        isUnsentPromised = true
        write(answer.status, answer.contentType, answer.fields.bytes, .owned(body), coding)
        flush()
        if outbound == nil { forgetUnsent() }
    }

    /// Closes this connection: it needs more memory, but the budget is used up or the system refuses memory.
    func overflow() {
        if phase == .streaming { shard.counters.slowConsumers.add(1) }
        close()
    }

    /// Sends at most `turnBytesMax` of `bytes`, so that other connections get their turn. Returns the number
    /// of bytes that the socket took, -1 when the connection is gone.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
        if bytes.count <= min(Self.pieceBytesMax, limits.turnBytesMax) {
            return taken { send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(limits.turnBytesMax))
        return transmit(part, after: 0)
    }

    /// Sends `first` and then `second`, with the limit and result of `transmit` for one run of bytes.
    private func transmit(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Int {
        let firstCount = min(first.count, Self.pieceBytesMax, limits.turnBytesMax)
        let room = limits.turnBytesMax - firstCount
        let rest = UnsafeRawBufferPointer(rebasing: second.prefix(room))
        let secondCount = min(rest.count, Self.pieceBytesMax - firstCount)
        var parts = (
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress),
                iov_len: firstCount),
            iovec(
                iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress),
                iov_len: secondCount)
        )
        let size = withUnsafeMutableBytes(of: &parts) { parts in
            var message = msghdr()
            message.msg_iov = parts.baseAddress?.assumingMemoryBound(to: iovec.self)
            message.msg_iovlen = 2
            return taken { sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) }
        }
        guard size == firstCount + secondCount, firstCount == first.count, !shard.isTurnOver
        else { return size }
        return transmit(UnsafeRawBufferPointer(rebasing: rest[secondCount...]), after: size)
    }

    /// Sends `bytes` in pieces until the socket is full or the turn is over: for more at once the system
    /// may take ten milliseconds when the reader is on the same machine.
    ///
    /// - Parameter earlier: the number of bytes that went out before.
    /// - Returns: `earlier` and the bytes sent now, -1 when the connection is gone.
    private func transmit(_ bytes: UnsafeRawBufferPointer, after earlier: Int) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = min(bytes.count - sent, Self.pieceBytesMax)
            let start = bytes.baseAddress.map { $0 + sent }
            let size = taken { send(descriptor, start, count, Int32(MSG_NOSIGNAL)) }
            guard size >= 0 else { return -1 }
            sent += size
            if size < count || shard.isTurnOver { break }
        }
        return earlier + sent
    }

    /// The number of bytes that the socket took in one call: 0 when it is full, -1 when the connection is gone.
    @inline(__always)
    private func taken(_ call: () -> Int) -> Int {
        while true {
            let size = call()
            if size >= 0 {
                countSent(size)
                return size
            }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { return -1 }
        }
    }

    private func countSent(_ bytes: Int) {
        shard.counters.sentBytes.add(bytes)
    }

    /// The socket has room again.
    func writable() {
        guard let outbound else { return }
        let size = transmit(outbound.bytes)
        guard size >= 0 else { return disconnected() }
        outbound.consume(size)
        if outbound.isEmpty {
            self.outbound = nil
            // The next records are written where these were.
            if shard.records.capacity == 0, outbound.capacity <= OutputBuffer.keptBytesMax {
                shard.records = outbound
            } else {
                shard.spares.give(outbound)
            }
            sent()
        } else if size > 0, !isEnded {
            setDeadlineOrEnd(shard.now.advanced(by: shard.writeStallTimeout))
        }
    }

    /// The client took nothing for too long.
    func stalled() {
        guard phase == .streaming else { return close() }
        shard.counters.slowConsumers.add(1)
        // No record may stand inside another one, of which the rest may be megabytes.
        if let stream, stream.source.heldBytes > 0 { return close() }
        endStream(.slowConsumer)
    }

    /// The socket has taken all bytes: continues as the phase demands.
    func sent() {
        let wasBlocked = interest.contains(.writable)
        switch phase {
        case .reading:
            if shard.isDraining, inbound == nil, wasBlocked { return finish() }
            watch([.readable, .peerClosed])
            if inbound == nil {
                armIdleDeadline()
            } else if awaiting == .nothing {
                shard.queueForNextTurn(self)
            } else if wasBlocked {
                serveKept()
            }
        case .waiting:
            if wasBlocked { watch(peerClosed ? [] : .peerClosed) }
            setDeadline(wakeDeadline)
        case .streaming:
            if wasBlocked { watch(peerClosed ? [] : .peerClosed) }
            setDeadlineOrEnd(wakeDeadline)
            if stream?.wantsMore == true { shard.queueForNextTurn(self) }
        case .closing: finish()
        case .lingering, .closed: break
        }
    }

    /// The last answer is with the system. Closing with unread input would reset the connection and
    /// might destroy that answer (RFC 9112 section 9.6).
    private func finish() {
        if !mustLinger {
            let size = receive(shard.scratch)
            if size <= 0 { return close() }
            lingeredBytes = size
        }
        shutdown(descriptor, Int32(SHUT_WR))
        phase = .lingering
        inbound = nil
        watch([.readable, .peerClosed])
        setDeadline(shard.now.advanced(by: shard.lingerTime))
    }

    /// Reads on only so that the client can finish reading.
    func discardInput() {
        let size = receive(shard.scratch)
        if size == -1 { return }
        guard size > 0, lingeredBytes < limits.lingerBytesMax else { return close() }
        lingeredBytes += size
    }
}
