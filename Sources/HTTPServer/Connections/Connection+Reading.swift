// Input: one `recv` for most readiness events. Requests are served from the receive buffer; only an
// incomplete request is copied.

import Glibc
import HTTPWire

extension Connection {
    /// There is input, or its end.
    func readable() {
        let room: UnsafeMutableRawBufferPointer
        if let inbound {
            guard let more = inbound.room(limits.turnBytesMax) else {
                return refuseIncomplete(.noMemoryToReceive)
            }
            room = more
        } else {
            room = shard.scratch
        }
        let size = receive(
            UnsafeMutableRawBufferPointer(rebasing: room.prefix(limits.turnBytesMax)))
        guard size > 0 else {
            // No more requests. One that was cut short cannot be answered.
            if size == 0 { close() } else if size == -2 { disconnected() }
            return
        }
        if let inbound {
            inbound.received(size)
            resumeIntake(inbound)
        } else {
            serve(UnsafeRawBufferPointer(start: room.baseAddress, count: size), from: nil)
        }
        settle()
    }

    /// The number of bytes received, 0 at the end, -1 when there are none now, -2 when it failed. Received
    /// in pieces until nothing is left, the room is full or the turn is over.
    func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
        var received = 0
        while true {
            let count = min(room.count - received, Self.pieceBytesMax)
            let size = recv(descriptor, room.baseAddress.map { $0 + received }, count, 0)
            if size > 0 {
                shard.counters.receivedBytes.add(size)
                received += size
                if size == count, received < room.count, !shard.isTurnOver { continue }
                return received
            }
            // The end, or the fault, is reported again.
            if received > 0 { return received }
            if size == 0 { return 0 }
            if errno == EAGAIN { return -1 }
            if errno != EINTR { return -2 }
        }
    }

    /// Goes on with a request that came in pieces.
    private func resumeIntake(_ inbound: InboundBuffer) {
        if let feed { return advance(feed, inbound) }
        let bytes = inbound.bytes
        switch inbound.intake.advance(bytes) {
        case .needMore:
            expectRest(inbound)
        case .complete(let size):
            intake.adopt(inbound.intake)
            deliver(bytes)
            intake.reset()
            inbound.intake.reset()
            serve(bytes, from: inbound, startingAt: size)
        case .refused(let error):
            intake.adopt(inbound.intake)
            refuse(error, bytes)
        }
    }

    /// Serves whole requests from `bytes` and keeps the rest. `owner` is the buffer that they are in,
    /// `nil` for the shard's own.
    func serve(
        _ bytes: UnsafeRawBufferPointer, from owner: InboundBuffer?, startingAt start: Int = 0
    ) {
        var offset = start
        var remaining = limits.pipelineDepthMax
        while phase == .reading, outbound == nil, offset < bytes.count {
            // The first of the received requests is served without asking the clock.
            if remaining == 0 || (offset > 0 && shard.isTurnOver) {
                shard.queueForNextTurn(self)
                break
            }
            remaining &-= 1
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            switch intake.advance(rest) {
            case .complete(let size):
                deliver(rest)
                intake.reset()
                offset &+= size
                if out.count >= limits.batchBytesMax { flush() }
            case .needMore:
                guard let kept = keep(bytes, from: owner, startingAt: offset) else {
                    return refuse(.noMemoryToReceive, rest)
                }
                intake.reset()
                return expectRest(kept)
            case .refused(let error):
                return refuse(error, rest)
            }
        }
        finishBatch(bytes, from: owner, startingAt: offset)
    }

    /// No request in `bytes` from `offset` on can be served now.
    private func finishBatch(
        _ bytes: UnsafeRawBufferPointer, from owner: InboundBuffer?, startingAt offset: Int
    ) {
        guard phase != .closed else { return }
        if offset >= bytes.count {
            inbound = nil
        } else if phase == .closing {
            // Requests after the last one are not answered, but neither may they reset the answer.
            inbound = nil
            mustLinger = true
        } else {
            // Bounded by the bytes of one recv, so they are counted but never refused. An answer to an earlier
            // request may be under way, so without memory for the later ones no refusal can be sent.
            guard let kept = keep(bytes, from: owner, startingAt: offset) else { return close() }
            _ = kept.account()
        }
    }

    /// - Returns: nil where the system refuses the memory.
    private func keep(
        _ bytes: UnsafeRawBufferPointer, from owner: InboundBuffer?, startingAt offset: Int
    ) -> InboundBuffer? {
        if let owner, !owner.isShared {
            owner.remove(offset, at: 0)
            owner.restart(at: intake)
            return owner
        }
        guard
            let kept = InboundBuffer(
                UnsafeRawBufferPointer(rebasing: bytes[offset...]), intake: intake,
                shard.collected)
        else { return nil }
        inbound = kept
        return kept
    }

    /// A request is incomplete: drops bytes that are not needed, sets its deadline, and sends 100 to a
    /// client that expects it.
    private func expectRest(_ inbound: InboundBuffer) {
        guard inbound.intake.stage == .body else {
            if !inbound.account() { shard.found.needsRoom = true }
            let part = inbound.isEmptyLine ? Awaiting.request : .head
            if awaiting != part {
                awaiting = part
                awaitingSince = shard.now
            }
            let timeout = part == .request ? shard.idleTimeout : shard.headerTimeout
            return setDeadline(awaitingSince.advanced(by: timeout))
        }
        switch entrance {
        case .open: break
        case .reserved: return refuseIncomplete(.tooManyConnections(limits))
        case .health: return refuseIncomplete(.bodyForHealth)
        }
        inbound.remove(inbound.intake.chunkedBytes, at: inbound.intake.head.byteCount)
        inbound.intake.dropDecoded()
        if !inbound.account() { shard.found.needsRoom = true }
        let received = inbound.count + (inbound.intake.decoded?.count ?? 0)
        if awaiting != .body {
            guard wantsBody(inbound) else { return }
            if feed == nil, let error = inbound.intake.excess { return refuseIncomplete(error) }
            awaiting = .body
            awaitingSince = shard.now
            bodyBytesCounted = nil
            // A client that has begun to send does not wait (RFC 9110 section 10.1.1).
            let hasBody = received > inbound.intake.head.byteCount
            if inbound.intake.head.expectsContinue, !hasBody {
                ResponseEncoder.continue100(into: out)
            }
            if let feed { return advance(feed, inbound) }
        }
        extendBodyDeadline(received)
        setDeadline(bodyDeadline)
    }

    /// Every byte moves the deadline by its share of a second at the slowest rate allowed, but never
    /// further than the body timeout from now: bytes that came fast do not pay for a pause later. So
    /// a body takes at most the timeout and what its length takes at that rate.
    func extendBodyDeadline(_ received: Int) {
        let latest = shard.now.advanced(by: shard.bodyTimeout)
        let rate = UInt64(max(1, limits.bodyBytesPerSecondMin))
        // `received` is bounded by `bodyBytesMax` and the head's limits, or by what a sink takes.
        defer { bodyBytesCounted = received }
        guard let counted = bodyBytesCounted else {
            bodyDeadline = latest
            return
        }
        let bought = UInt64(max(0, received - counted)) &* 1_000_000_000 / rate
        bodyDeadline = min(latest, bodyDeadline.advanced(by: bought))
    }

    /// Serves the kept requests: after a wait, a blocked write, or another connection's turn.
    func serveKept() {
        guard phase == .reading, outbound == nil, let inbound else { return }
        resumeIntake(inbound)
        settle()
    }
}
