// Parked requests: their handler answers them after a wake-up or a deadline.

import HTTPWire

extension Connection {
    func park(
        until time: UInt64?, _ resume: @escaping (Exchange, WakeReason) -> ParkedStep
    ) -> WakeHandle {
        acceptsGzip = clientAcceptsGzip
        takeTurn()
        phase = .waiting
        let target = shard.makeTarget(self)
        self.target = target
        self.resume = resume
        wakeDeadline = time ?? .max
        shard.counters.parked.add(1)
        return WakeHandle(target)
    }

    /// Asks a parked request to go on; `settle` has to follow.
    func resumeParked(_ reason: WakeReason) {
        guard phase == .waiting, let resume else { return }
        turn = .due
        let step = resume(exchange, reason)
        let isGiven = turn == .given
        turn = .none
        switch step {
        case .answered:
            guard !isGiven else { return }
            precondition(reason == .disconnected, "a request was said to be answered, but is not")
            // The handler has been notified already.
            endWait()
            close()
        case .keepWaiting(let until):
            precondition(!isGiven, "an answered request cannot be kept waiting")
            wakeDeadline = until ?? .max
        }
    }

    /// Notifies a parked request that the connection is gone. Its answer is dropped.
    func lastResume() {
        guard let resume else { return }
        turn = .due
        _ = resume(exchange, .disconnected)
        turn = .none
        out.removeAll()
    }

    /// The client sends nothing more; it may still read.
    func peerClosedWhileWaiting() {
        peerClosed = true
        // A client of an endless stream that has closed its side has lost interest.
        if phase == .streaming, stream?.isFinite != true { return close() }
        watch(outbound == nil ? [] : .writable)
        guard phase == .waiting else { return }
        resumeParked(.disconnected)
        settle()
        guard phase == .waiting, !hasAskedPeer, minorVersion > 0 else { return }
        setDeadline(min(wakeDeadline, shard.now.advanced(by: Self.askingDelay)))
    }

    /// A client that has closed its side may be gone, or may read on. Its system answers what is sent to a client that
    /// is gone, which ends the connection and the work for it. One that reads passes over a `100 Continue` that it did
    /// not ask for (RFC 9110, section 15.2).
    func askPeer() {
        hasAskedPeer = true
        if outbound == nil { ResponseEncoder.continue100(into: out) }
        settle()
    }

    /// Most answers are there earlier.
    private static let askingDelay: UInt64 = 100_000_000

    func woken() {
        switch phase {
        case .waiting:
            resumeParked(.woken)
            settle()
        case .streaming: streamWoken()
        default: break
        }
    }
}
