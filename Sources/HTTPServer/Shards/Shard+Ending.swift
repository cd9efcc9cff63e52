// The end of a shard: first it drains, then it closes what is left.

import Glibc

extension Shard {
    /// Accepts nothing more, ends streams one after the other within `window` nanoseconds, finishes the
    /// requests that have begun, closes the rest. `done` is called once no connection is left.
    func drain(window: UInt64, _ done: @escaping @Sendable () -> Void) {
        if isStopped { return done() }
        drained.append(done)
        guard !isDraining else {
            if connectionCount == 0 { reportDrained() }
            return
        }
        isDraining = true
        closeListeners()
        now = MonotonicClock.now()
        endStreams(within: window)
        for connection in connections {
            guard let connection else { continue }
            switch connection.phase {
            case .reading: closeIfIdle(connection)
            case .waiting:
                connection.resumeParked(.draining)
                connection.settle()
            default: break
            }
        }
        if connectionCount == 0 { reportDrained() }
        mailbox.signal()
    }

    /// If all streams ended at once, all their clients would connect again at once.
    private func endStreams(within window: UInt64) {
        let count = UInt64(max(1, counters.streams.current))
        var number: UInt64 = 0
        for connection in connections {
            guard let connection, let stream = connection.stream, !stream.isFinite else { continue }
            // Divided first: a window of years times a million streams would not fit.
            stream.endsAt = now.advanced(by: window / count &* number)
            number &+= 1
            if stream.endsAt <= now {
                connection.endStream(.draining)
            } else {
                connection.setDeadlineOrEnd(connection.deadline)
            }
        }
    }

    /// A request may have come that was not seen yet.
    func closeIfIdle(_ connection: Connection) {
        guard connection.outbound == nil, !connection.isQueued else { return }
        connection.readable()
        guard connection.phase == .reading, connection.outbound == nil else { return }
        if connection.inbound == nil || connection.awaiting == .request { connection.close() }
    }

    func closeAll() {
        for connection in connections { connection?.close() }
    }

    /// Closes every descriptor, the epoll descriptor when Dispatch no longer watches it.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        closeListeners()
        closeAll()
        for message in found.messages[found.messagesRead...] { discard(message) }
        found.messages.removeAll()
        found.messagesRead = 0
        for message in mailbox.close() { discard(message) }
        nextTurn.removeAll()
        reportDrained()
        timer?.cancel()
        timer = nil
        source?.cancel()
    }

    private func discard(_ message: Message) {
        if case .accepted(let arrival) = message {
            close(arrival.descriptor)
            admission.leave(arrival.address, after: arrival.verdict)
        }
    }

    private func closeListeners() {
        guard let acceptor else { return }
        self.acceptor = nil
        acceptor.close()
    }
}
